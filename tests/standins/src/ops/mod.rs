//! The operations: what the app does with a command, and what it says to it.
//!
//! Where the app's free text is not known, ours says the same thing in our words; relays may match codes only.

mod apps;
mod intent;
mod media;
mod remote;
mod screen;

use std::collections::BTreeMap;

use crate::{app::Installation, frame::Command, world::World};

/// What the app answers to one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether it worked.
    pub ok: bool,
    /// An error code or free text; empty when it worked.
    pub message: String,
    /// All values are text; keys ending in `_json` hold JSON text.
    pub data: BTreeMap<String, String>,
}

impl Answer {
    /// It worked.
    #[must_use]
    pub fn ok() -> Self {
        Self { ok: true, message: String::new(), data: BTreeMap::new() }
    }

    /// It did not, for this reason.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self { ok: false, message: message.into(), data: BTreeMap::new() }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    fn json(name: &str, value: &serde_json::Value) -> Self {
        Self::ok().with(name, value.to_string())
    }
}

/// Carries out one command.
pub(crate) fn perform(app: Installation, world: &mut World, command: &Command) -> Answer {
    let op = command.op.as_str();
    if !app.version.knows(op) {
        return Answer::failed(format!("unsupported op: {op}"));
    }
    match op {
        "key" => remote::key(app, world, command),
        "launch_app" => apps::launch(app, world, command),
        "list_apps" => apps::list(world),
        "observe" => screen::observe(app, world),
        _ => {
            let Some(cmd) = command.param("cmd") else { return Answer::failed("cmd is required") };
            let answer = match op {
                "playback" => media::playback(app, world, cmd, command),
                "volume" => media::volume(world, cmd, command),
                "captions" => media::captions(world, cmd),
                "input" => remote::input(world, cmd, command),
                "gesture" => remote::gesture(app, world, cmd, command),
                "subtitle" => screen::subtitle(world, cmd, command),
                _ => None,
            };
            answer.unwrap_or_else(|| Answer::failed(format!("unknown {op} cmd: {cmd}")))
        }
    }
}

#[cfg(test)]
mod testing {
    //! One line a case: an operation in, an answer out.

    use super::*;
    use crate::{
        app::AppVersion,
        world::{InstalledApp, Volume},
    };

    pub(super) const NEWEST: Installation = Installation { version: AppVersion::V0_7_0, android: 13 };

    pub(super) fn room() -> World {
        let app = |package: &str, label: &str, leanback: bool, link: &str| InstalledApp {
            package: package.into(),
            label: label.into(),
            leanback,
            links: vec![link.into()],
            shows_nodes: true,
        };
        let apps = vec![
            app("org.videolan.vlc", "A player", false, "vlc://"),
            app("com.netflix.ninja", "Netflix", true, "https://www.netflix.com/"),
            app("com.disney.disneyplus", "Disney+", true, "https://www.disneyplus.com/"),
        ];
        World::with(apps, Volume { max_raw: 15, raw: 6, muted: false, fixed: false })
    }

    pub(super) fn ask(app: Installation, world: &mut World, op: &str, params: &[(&str, &str)]) -> Answer {
        let params = params.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        perform(app, world, &Command { id: "1".into(), op: op.into(), params })
    }

    /// The answer of the newest app, as its frame without the id.
    pub(super) fn check(world: &mut World, op: &str, params: &[(&str, &str)], wanted: &str) {
        let answer = ask(NEWEST, world, op, params);
        let frame = crate::frame::write("", &answer).replacen(r#""id":"","#, "", 1);
        assert_eq!(frame, wanted, "{op} {params:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::{testing::*, *};
    use crate::app::AppVersion;

    #[test]
    fn an_op_that_the_version_lacks_is_unsupported() {
        for (version, op) in [
            (AppVersion::V0_5, "volume"),
            (AppVersion::V0_6_0, "gesture"),
            (AppVersion::V0_6_3, "subtitle"),
            (AppVersion::V0_7_0, "probe"),
        ] {
            let answer = ask(Installation { version, android: 13 }, &mut room(), op, &[("cmd", "get")]);
            assert_eq!(answer, Answer::failed(format!("unsupported op: {op}")));
        }
    }

    #[test]
    fn cmd_is_required_and_must_be_known() {
        for op in ["playback", "volume", "captions", "input", "gesture", "subtitle"] {
            assert_eq!(ask(NEWEST, &mut room(), op, &[]), Answer::failed("cmd is required"));
            let unknown = ask(NEWEST, &mut room(), op, &[("cmd", "dance")]);
            assert_eq!(unknown, Answer::failed(format!("unknown {op} cmd: dance")));
        }
    }
}
