//! The little world behind the glass: what the operations look at and change.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

/// What is on and in one television. Tests read it, and may change it.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// Launchable apps, in no particular order.
    pub apps: Vec<InstalledApp>,
    /// What is in front.
    pub screen: Screen,
    /// The mixer.
    pub volume: Volume,
    /// The media session, if a player has one.
    pub playback: Option<Playback>,
    /// Whether the app may read media sessions (Android's notification access).
    pub notification_access: bool,
    /// The text field that has the cursor, if any.
    pub text_field: Option<TextField>,
    /// The system's caption setting.
    pub captions: Captions,
    /// The bridge's line over everything; `None` while hidden.
    pub subtitle: Option<String>,
    /// Whether the app may read the screen and type.
    pub accessibility: Accessibility,
    /// Android's power menu, which POWER opens. The TV stays on.
    pub power_menu_open: bool,
    /// Whether Android refuses to carry out gestures at the moment.
    pub gestures_fail: bool,
    /// Every key that was pressed, in order.
    pub keys: Vec<String>,
    /// Every launch that was handed over, in order.
    pub launches: Vec<Launch>,
    /// Every gesture, in order.
    pub gestures: Vec<Gesture>,
    /// The text of every node that was clicked, in order.
    pub clicks: Vec<String>,
}

/// One app with an icon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledApp {
    /// For example `com.netflix.ninja`.
    pub package: String,
    /// As the launcher shows it.
    pub label: String,
    /// Whether it has a television launcher entry; the others have a phone's.
    pub leanback: bool,
    /// Beginnings of the URIs that it handles.
    pub links: Vec<String>,
    /// Whether its screens show up in the accessibility tree. Players drawn like games do not.
    pub shows_nodes: bool,
}

/// What is in front.
#[derive(Debug, Clone, PartialEq)]
pub struct Screen {
    /// The foreground app.
    pub package: String,
    /// The class of the root view; seldom an activity's name.
    pub activity: String,
    /// The nodes with text or a description, in tree order.
    pub nodes: Vec<Node>,
    /// Index into `nodes`.
    pub focused: Option<usize>,
}

/// One node of the accessibility tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its text; may be empty.
    pub text: String,
    /// Its content description; may be empty.
    pub content_description: String,
    /// Whether a click does anything.
    pub clickable: bool,
    /// The centre, 0 to 1 from the top left. Nodes outside the screen lie outside that range here.
    pub centre: (f64, f64),
}

impl Node {
    /// A clickable node somewhere in the `n`th row.
    #[must_use]
    pub fn button(text: &str, row: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a screen has some dozens of rows")]
        let y = 0.1 + row as f64 * 0.1;
        Self { text: text.to_owned(), content_description: String::new(), clickable: true, centre: (0.25, y) }
    }
}

/// The mixer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Volume {
    /// Steps the TV has; 0 is a set without a mixer.
    pub max_raw: u32,
    /// The step it is at.
    pub raw: u32,
    /// Whether it is muted.
    pub muted: bool,
    /// HDMI-CEC and optical outputs: every change is answered with ok and does nothing.
    pub fixed: bool,
}

/// A player's media session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playback {
    /// Netflix publishes none.
    pub title: Option<String>,
    /// The player's package.
    pub app: String,
    /// At the player's last report, not now.
    pub position_ms: i64,
    /// 0 or less is unknown or live.
    pub duration_ms: i64,
    /// The state at the last report.
    pub state: PlaybackState,
    /// Whether the player takes seeks.
    pub can_seek: bool,
}

/// A media session's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the wire's own words")]
pub enum PlaybackState {
    Playing,
    Paused,
    Buffering,
    Stopped,
    Unknown,
}

impl PlaybackState {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Paused => "paused",
            Self::Buffering => "buffering",
            Self::Stopped => "stopped",
            Self::Unknown => "unknown",
        }
    }
}

/// An editable field with the cursor in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextField {
    /// What is in it.
    pub text: String,
    /// Some apps' own fields refuse text from outside.
    pub refuses_text: bool,
}

/// The system's caption setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captions {
    /// Whether captions are on.
    pub enabled: bool,
    /// The preferred language, if set.
    pub language: Option<String>,
}

/// The state of the bridge's accessibility service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accessibility {
    /// The window can be read.
    Granted,
    /// The window cannot be read at this moment; also while the screen is off.
    NotGranted,
    /// Android has not bound the service, so nothing can be typed either.
    Unbound,
}

/// An intent that was handed over to Android.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The URI as it was sent.
    pub data: String,
    /// The package that was sent beside it.
    pub package: Option<String>,
    /// The app that took it; `None` when nothing did and the app was too old to notice.
    pub taken_by: Option<String>,
}

/// A touch on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Gesture {
    /// At x, y from 0 to 1.
    Tap(f64, f64),
    /// `up`, `down`, `left` or `right`.
    Swipe(String),
}

pub(crate) const LAUNCHER: &str = "com.google.android.tvlauncher";

/// Package, label, leanback, shows nodes, links. The first four are on every set.
const CATALOGUE: [(&str, &str, bool, bool, &[&str]); 14] = [
    ("ai.djwizard.tvbridge", "TVWizard Bridge", true, true, &[]),
    ("com.android.vending", "Google Play Store", true, true, &["market://", "https://play.google.com/"]),
    (
        "com.google.android.youtube.tv",
        "YouTube",
        true,
        true,
        &["https://www.youtube.com/watch", "https://www.youtube.com/results", "vnd.youtube:"],
    ),
    ("com.netflix.ninja", "Netflix", true, false, &["https://www.netflix.com/", "http://www.netflix.com/"]),
    ("com.android.tv.settings", "Settings", false, true, &[]),
    (
        "com.amazon.amazonvideo.livingroom",
        "Prime Video",
        true,
        false,
        &["https://app.primevideo.com/", "https://watch.amazon.com/"],
    ),
    ("com.apple.atve.androidtv.appletv", "Apple TV", true, true, &["https://tv.apple.com/"]),
    ("com.disney.disneyplus", "Disney+", true, true, &["https://www.disneyplus.com/", "disneyplus:"]),
    ("com.plexapp.android", "Plex", true, true, &["plex://"]),
    ("com.spotify.tv.android", "Spotify", true, true, &["spotify:", "https://open.spotify.com/"]),
    ("com.stremio.one", "Stremio", true, true, &["stremio:"]),
    ("com.wbd.stream", "Max", true, false, &["https://play.max.com/", "https://play.hbomax.com/"]),
    ("org.videolan.vlc", "VLC", false, true, &["vlc://"]),
    ("org.xbmc.kodi", "Kodi", true, true, &[]),
];

impl World {
    /// A living room; the same seed furnishes the same one.
    #[must_use]
    pub fn furnished(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let apps = CATALOGUE
            .iter()
            .enumerate()
            .filter(|(n, _)| *n < 4 || rng.random_bool(0.6))
            .map(|(_, &(package, label, leanback, shows_nodes, links))| InstalledApp {
                package: package.to_owned(),
                label: label.to_owned(),
                leanback,
                links: links.iter().map(|&link| link.to_owned()).collect(),
                shows_nodes,
            })
            .collect();
        let max_raw = [15, 15, 25, 100].choose(&mut rng).copied().unwrap_or(15);
        let volume = Volume { max_raw, raw: max_raw * 2 / 5, muted: false, fixed: false };
        Self::with(apps, volume)
    }

    /// Exactly these apps and this mixer, at the home screen, with every permission granted.
    #[must_use]
    pub fn with(apps: Vec<InstalledApp>, volume: Volume) -> Self {
        let mut world = Self {
            apps,
            screen: Screen { package: String::new(), activity: String::new(), nodes: Vec::new(), focused: None },
            volume,
            playback: None,
            notification_access: true,
            text_field: None,
            captions: Captions { enabled: false, language: None },
            subtitle: None,
            accessibility: Accessibility::Granted,
            power_menu_open: false,
            gestures_fail: false,
            keys: Vec::new(),
            launches: Vec::new(),
            gestures: Vec::new(),
            clicks: Vec::new(),
        };
        world.go_home();
        world
    }

    /// The launcher comes to the front, one button an app.
    pub fn go_home(&mut self) {
        let nodes: Vec<Node> = self
            .apps
            .iter()
            .filter(|app| app.leanback)
            .enumerate()
            .map(|(row, app)| Node::button(&app.label, row))
            .collect();
        self.show(LAUNCHER, nodes);
    }

    /// An installed app comes to the front.
    pub(crate) fn bring_to_front(&mut self, app: &InstalledApp) {
        let nodes = if app.shows_nodes {
            vec![Node::button("Play", 3), Node::button("My List", 4), Node::button(&format!("{} home", app.label), 0)]
        } else {
            Vec::new()
        };
        self.show(&app.package, nodes);
    }

    fn show(&mut self, package: &str, nodes: Vec<Node>) {
        self.power_menu_open = false;
        self.text_field = None;
        let focused = if nodes.is_empty() { None } else { Some(0) };
        self.screen =
            Screen { package: package.to_owned(), activity: "android.widget.FrameLayout".to_owned(), nodes, focused };
    }

    /// The installed app of that package.
    #[must_use]
    pub fn app(&self, package: &str) -> Option<&InstalledApp> {
        self.apps.iter().find(|app| app.package == package)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_furnishes_the_same_room_again() {
        assert_eq!(World::furnished(7), World::furnished(7));
        assert!((0..20).any(|seed| World::furnished(seed).apps != World::furnished(7).apps));
    }

    #[test]
    fn netflix_and_youtube_are_on_every_set() {
        for seed in 0..20 {
            let world = World::furnished(seed);
            assert!(world.app("com.netflix.ninja").is_some() && world.app("com.google.android.youtube.tv").is_some());
        }
    }
}
