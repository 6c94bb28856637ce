//! Opening apps and links, and listing what there is to open.

use std::sync::Arc;

use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::devices::NoArguments;
use super::target::{Tvs, wrong_argument};
use crate::answers::App;
use crate::launch::LaunchIntent;
use crate::tv::{LaunchApp, ListApps};

/// `tv_launch_app`
pub(super) struct LaunchAppTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct LaunchArguments {
    /// The link to open, such as https://www.youtube.com/watch?v=jNQXAC9IVRw or spotify:track:2M9ro2krNb7nr7HSplklGG. May be left
    /// out when `package` is given: the app then opens on its start page.
    data: Option<String>,
    /// The Android package of the app to open it with, such as com.netflix.ninja. Left out: the TV picks one.
    package: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct LaunchedApp {
    /// Always true; a failure is an error.
    launched: bool,
    /// The link or intent that was handed over.
    data: String,
    /// The package it was pinned to.
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<String>,
}

impl Tool for LaunchAppTool {
    type Arguments = LaunchArguments;
    type Output = LaunchedApp;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_launch_app",
            seed_name: Some("tv.launch_app"),
            title: "Open an app or link",
            description: "Opens a link, an app, or a link in a certain app on the TV. Recipes: YouTube search: data \
                          https://www.youtube.com/results?search_query=WORDS, package com.google.android.youtube.tv. Netflix title: data \
                          https://www.netflix.com/title/ID, package com.netflix.ninja. Spotify track: data spotify:track:ID, package \
                          com.spotify.tv.android. Any page: its https address without package. An app's start page: its package without data. \
                          Take packages from tv_list_apps. An answer means that Android took it: profile pickers, PINs and logins may \
                          come first, so check with tv_observe some seconds later before saying that something plays. Files, content \
                          providers, and intents with components, selectors or other actions than VIEW and MAIN are refused.",
            scope: Scope::Tv,
            effect: Effect::Acts,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: LaunchArguments) -> Result<Answer<LaunchedApp>, Failure> {
        let intent = LaunchIntent::from_arguments(arguments.data.as_deref(), arguments.package.as_deref());
        let intent = intent.map_err(wrong_argument)?;
        let (tv, launched) = self.0.ask(&call, LaunchApp { intent }).await?;
        let intent = launched.intent;
        let what = match (intent.is_by_package_alone(), intent.package()) {
            (true, Some(package)) => format!("Opened {package}"),
            (false, Some(package)) => format!("Handed {} to {package}", intent.data()),
            (_, None) => format!("Handed over {}", intent.data()),
        };
        let prose = format!(
            "{what} on {}. Check with tv_observe in some seconds: a profile picker, PIN or login may come first.",
            tv.name
        );
        let output = LaunchedApp {
            launched: true,
            data: intent.data().to_owned(),
            package: intent.package().map(str::to_owned),
        };
        Ok(Answer::new(output, prose))
    }
}

/// `tv_list_apps`
pub(super) struct ListAppsTool(pub(super) Tvs);

#[derive(Serialize, JsonSchema)]
pub(super) struct Apps {
    /// The apps, those made for TVs first.
    apps: Vec<App>,
}

impl Tool for ListAppsTool {
    type Arguments = NoArguments;
    type Output = Apps;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_list_apps",
            seed_name: Some("tv.list_apps"),
            title: "List apps",
            description: "Lists the apps that can be opened on the TV, with the package names that tv_launch_app takes. Labels are in the \
                          TV's language. `leanback` true means that the app has a proper TV launcher. Takes some seconds on slow sets.",
            scope: Scope::Tv,
            effect: Effect::Reads,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, _: NoArguments) -> Result<Answer<Apps>, Failure> {
        let (tv, list) = self.0.ask(&call, ListApps {}).await?;
        let mut prose = format!("{} apps on {}:", list.apps.len(), tv.name);
        for app in &list.apps {
            let mark = if app.leanback { "" } else { ", not made for TVs" };
            prose.push_str(&format!("\n{} ({}{mark})", app.label, app.package));
        }
        if list.n_unreadable > 0 {
            prose.push_str(&format!("\n{} more entries of the TV's answer could not be read.", list.n_unreadable));
        }
        Ok(Answer::new(Apps { apps: list.apps }, prose))
    }
}
