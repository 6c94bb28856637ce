//! The ten keys of the remote control.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::schema::schema_of_words;

/// A key that the bridge can press. The names are those of the wire: upper case, no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RemoteKey {
    /// Opens Android's power menu. It neither switches the TV off nor wakes it.
    Power,
    /// The home screen.
    Home,
    /// Up on the d-pad.
    Up,
    /// Down on the d-pad.
    Down,
    /// Left on the d-pad.
    Left,
    /// Right on the d-pad.
    Right,
    /// Select.
    Ok,
    /// One step back.
    Back,
    /// One step louder.
    VolUp,
    /// One step quieter.
    VolDown,
}

impl RemoteKey {
    /// Every key, in the seed's order.
    pub const ALL: [RemoteKey; 10] = [
        RemoteKey::Power,
        RemoteKey::Home,
        RemoteKey::Up,
        RemoteKey::Down,
        RemoteKey::Left,
        RemoteKey::Right,
        RemoteKey::Ok,
        RemoteKey::Back,
        RemoteKey::VolUp,
        RemoteKey::VolDown,
    ];

    /// The key's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            RemoteKey::Power => "POWER",
            RemoteKey::Home => "HOME",
            RemoteKey::Up => "UP",
            RemoteKey::Down => "DOWN",
            RemoteKey::Left => "LEFT",
            RemoteKey::Right => "RIGHT",
            RemoteKey::Ok => "OK",
            RemoteKey::Back => "BACK",
            RemoteKey::VolUp => "VOL_UP",
            RemoteKey::VolDown => "VOL_DOWN",
        }
    }
}

impl fmt::Display for RemoteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

schema_of_words!(RemoteKey);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_by_its_wire_name_only() {
        for key in RemoteKey::ALL {
            assert_eq!(serde_json::to_value(key).unwrap(), key.as_str());
            assert_eq!(serde_json::from_value::<RemoteKey>(key.as_str().into()).unwrap(), key);
        }
        for name in ["power", "MUTE", "PLAY_PAUSE", "MENU", "1", ""] {
            assert!(serde_json::from_value::<RemoteKey>(name.into()).is_err(), "{name}");
        }
    }
}
