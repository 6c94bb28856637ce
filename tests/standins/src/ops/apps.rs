//! Starting apps and listing them.

use std::cmp::Reverse;

use serde_json::{Value, json};

use super::{Answer, intent::Intent};
use crate::{
    app::Installation,
    frame::Command,
    world::{InstalledApp, Launch, Playback, PlaybackState, World},
};

pub(super) fn launch(app: Installation, world: &mut World, command: &Command) -> Answer {
    let Some(data) = command.param("data").filter(|data| !data.is_empty()) else {
        return Answer::failed("data is required");
    };
    let package = command.param("package").filter(|package| !package.is_empty());
    let echoed = |answer: Answer| match package {
        Some(package) => answer.with("data", data).with("package", package),
        None => answer.with("data", data),
    };
    let mut intent = match Intent::parse(data) {
        Ok(intent) => intent,
        Err(why) => return echoed(Answer::failed(format!("invalid data URI: {why}"))),
    };
    if let Some(package) = package {
        intent.package = Some(package.to_owned());
    }
    let taker = world.apps.iter().find(|installed| takes(installed, &intent)).cloned();
    if taker.is_none() && app.version.is_after_0_6_0() {
        let package = intent.package.as_deref().unwrap_or("null");
        return echoed(Answer::failed(format!("no activity matches intent (data={data} package={package})")));
    }
    world.launches.push(Launch {
        data: data.to_owned(),
        package: package.map(str::to_owned),
        taken_by: taker.as_ref().map(|taker| taker.package.clone()),
    });
    if let Some(taker) = taker {
        world.bring_to_front(&taker);
        if plays_at_once(&intent.data) {
            world.playback = Some(new_session(&taker));
        }
    }
    echoed(Answer::ok())
}

/// Whether Android would find an activity for the intent in this app.
fn takes(app: &InstalledApp, intent: &Intent) -> bool {
    if intent.component.as_ref().or(intent.package.as_ref()).is_some_and(|package| *package != app.package) {
        return false;
    }
    if intent.component.is_some() {
        return true;
    }
    match intent.action.as_deref() {
        Some("android.intent.action.MAIN") => {
            // A television app has no phone launcher entry, and the other way round.
            let wanted = if app.leanback {
                "android.intent.category.LEANBACK_LAUNCHER"
            } else {
                "android.intent.category.LAUNCHER"
            };
            intent.package.is_some() && intent.category.as_deref() == Some(wanted)
        }
        Some("android.intent.action.VIEW") | None => {
            app.links.iter().any(|link| intent.data.starts_with(link.as_str()))
        }
        Some(_) => false,
    }
}

/// Video links start by themselves; title pages wait for a hand.
fn plays_at_once(data: &str) -> bool {
    ["/watch", "/video/", "/track", "spotify:track"].iter().any(|part| data.contains(part))
}

fn new_session(app: &InstalledApp) -> Playback {
    // Players that draw their own screens publish a session without a title.
    let title = app.shows_nodes.then(|| format!("Something on {}", app.label));
    Playback {
        title,
        app: app.package.clone(),
        position_ms: 0,
        duration_ms: 5_400_000,
        state: PlaybackState::Playing,
        can_seek: true,
    }
}

pub(super) fn list(world: &World) -> Answer {
    let mut apps: Vec<&InstalledApp> = world.apps.iter().collect();
    apps.sort_by_key(|app| (Reverse(app.leanback), app.label.clone()));
    let apps: Vec<Value> = apps
        .iter()
        .map(|app| json!({ "package": app.package, "label": app.label, "leanback": app.leanback }))
        .collect();
    Answer::json("apps_json", &Value::Array(apps))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{NEWEST, ask, check, room};
    use super::*;
    use crate::app::AppVersion;

    #[test]
    fn a_link_goes_to_the_app_that_handles_it() {
        let mut world = room();
        let data = "https://www.netflix.com/title/1";
        check(&mut world, "launch_app", &[("data", data)], &format!(r#"{{"ok":true,"data":{{"data":"{data}"}}}}"#));
        assert_eq!(world.screen.package, "com.netflix.ninja");
        assert_eq!(world.launches[0].taken_by.as_deref(), Some("com.netflix.ninja"));
    }

    #[test]
    fn package_overrides_the_one_in_the_uri_and_is_echoed() {
        let mut world = room();
        let uri = "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.LEANBACK_LAUNCHER;package=com.netflix.ninja;end";
        let answer = ask(NEWEST, &mut world, "launch_app", &[("data", uri), ("package", "com.disney.disneyplus")]);
        assert_eq!(answer, Answer::ok().with("data", uri).with("package", "com.disney.disneyplus"));
        assert_eq!(world.screen.package, "com.disney.disneyplus");
    }

    #[test]
    fn a_phone_app_needs_the_phone_category() {
        for (category, ok) in [("LEANBACK_LAUNCHER", false), ("LAUNCHER", true)] {
            let uri = format!(
                "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.{category};package=org.videolan.vlc;end"
            );
            assert_eq!(ask(NEWEST, &mut room(), "launch_app", &[("data", &uri)]).ok, ok, "{category}");
        }
    }

    #[test]
    fn a_launch_that_nothing_handles_is_refused_after_0_6_0_only() {
        let data = [("data", "https://example.org/")];
        let wanted = r#"{"ok":false,"message":"no activity matches intent (data=https://example.org/ package=null)","data":{"data":"https://example.org/"}}"#;
        check(&mut room(), "launch_app", &data, wanted);
        let mut world = room();
        assert!(ask(Installation { version: AppVersion::V0_6_0, android: 13 }, &mut world, "launch_app", &data).ok);
        assert_eq!(world.launches[0].taken_by, None);
    }

    #[test]
    fn data_is_required_and_must_be_readable() {
        check(&mut room(), "launch_app", &[], r#"{"ok":false,"message":"data is required"}"#);
        let broken = ask(NEWEST, &mut room(), "launch_app", &[("data", "intent:#Intent;broken")]);
        assert!(broken.message.starts_with("invalid data URI: "), "{broken:?}");
    }

    #[test]
    fn television_apps_come_first_then_by_label() {
        let answer = ask(NEWEST, &mut room(), "list_apps", &[]);
        let apps: Vec<Value> = serde_json::from_str(&answer.data["apps_json"]).unwrap();
        let labels: Vec<&str> = apps.iter().filter_map(|app| app["label"].as_str()).collect();
        assert_eq!(labels, ["Disney+", "Netflix", "A player"]);
        assert_eq!(apps[2], json!({ "package": "org.videolan.vlc", "label": "A player", "leanback": false }));
    }
}
