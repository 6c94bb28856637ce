//! How a stand-in of an application is set up.

use jiff::Timestamp;

/// The key that every stand-in takes unless told otherwise: 32 hexadecimal digits, as the applications make them.
pub const ARR_KEY: &str = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";

/// How a stand-in of an application is set up, whatever is on its shelves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrSettings {
    /// What `X-Api-Key` must say.
    pub api_key: String,
    /// The path under which the application lives, with a leading slash and without a trailing one: `/radarr`. Empty for none.
    pub url_base: String,
    /// Where it listens on loopback; 0 for a port that is free.
    pub port: u16,
    /// The moment at which it starts.
    pub now: Timestamp,
    /// Whether time passes by itself. If not, it stands still until it is told to pass.
    pub follows_the_clock: bool,
    /// What it says of itself in place of its own name, for who types the address of another.
    pub app_name: Option<String>,
    /// So many films in place of those on the shelves, made as they are written and never held: for measurements.
    pub n_generated_films: Option<u32>,
    /// What it says its version is, for who has an old one.
    pub version: Option<String>,
}

impl Default for ArrSettings {
    fn default() -> Self {
        Self {
            api_key: ARR_KEY.to_owned(),
            url_base: String::new(),
            port: 0,
            now: Timestamp::now(),
            follows_the_clock: false,
            app_name: None,
            version: None,
            n_generated_films: None,
        }
    }
}
