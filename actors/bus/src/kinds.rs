//! The table of actor kinds, and what each is allowed.
//!
//! A new kind is one variant here, one name and one row of settings; nothing else in this crate knows any of them.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A sort of actor. Its name is the label of its metrics and the first part of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// Authorises a tool call, finds the tool and gives it a deadline; one a house.
    Mcp,
    /// A house's accounts, keys and switches; one a house.
    House,
    /// The list of a house's TVs; one a house.
    TvDevices,
    /// One paired TV, whether or not it is connected.
    Tv,
    /// Pairing codes and claims; one an instance.
    Pairing,
    /// Who asked to be let in; one an instance.
    Waitlist,
    /// Finds where titles can be seen; one an instance.
    Resolver,
    /// The list of a house's arr instances and their sealed credentials; one a house.
    ArrInstances,
    /// One Radarr, Sonarr, Lidarr or Chaptarr of a house.
    Arr,
    /// Changes of library settings that wait for an admin, those under way, and their history; one a house.
    Proposals,
    /// A film production's office; one a house that makes films.
    Production,
}

impl ActorKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [ActorKind; 11] = [
        ActorKind::Mcp,
        ActorKind::House,
        ActorKind::TvDevices,
        ActorKind::Tv,
        ActorKind::Pairing,
        ActorKind::Waitlist,
        ActorKind::Resolver,
        ActorKind::ArrInstances,
        ActorKind::Arr,
        ActorKind::Proposals,
        ActorKind::Production,
    ];

    /// The name in addresses, JSON and metric labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            ActorKind::Mcp => "mcp",
            ActorKind::House => "house",
            ActorKind::TvDevices => "tv_devices",
            ActorKind::Tv => "tv",
            ActorKind::Pairing => "pairing",
            ActorKind::Waitlist => "waitlist",
            ActorKind::Resolver => "resolver",
            ActorKind::ArrInstances => "arr_instances",
            ActorKind::Arr => "arr",
            ActorKind::Proposals => "proposals",
            ActorKind::Production => "production",
        }
    }

    /// What actors of this kind are allowed unless [`BusSettings::with_kind`](crate::BusSettings::with_kind) says otherwise.
    pub const fn settings(self) -> KindSettings {
        match self {
            // A router only waits for others, so many of its calls are open at once.
            ActorKind::Mcp => KindSettings { admission: 512, ..KindSettings::ORDINARY },
            ActorKind::House => KindSettings { admission: 256, ..KindSettings::ORDINARY },
            ActorKind::TvDevices => KindSettings { admission: 128, ..KindSettings::ORDINARY },
            // A TV does one thing after the other; a longer queue would only be answered too late.
            ActorKind::Tv => KindSettings { admission: 64, ..KindSettings::ORDINARY },
            // These two serve everybody who is not in yet.
            ActorKind::Pairing => KindSettings { admission: 512, ..KindSettings::ORDINARY },
            ActorKind::Waitlist => KindSettings { admission: 128, ..KindSettings::ORDINARY },
            // Serves every house, and a crowd with the same question costs no more than one.
            ActorKind::Resolver => KindSettings {
                admission: 2_048,
                // Reading what it keeps takes longer than any question it answers from that.
                idle_after: Duration::from_secs(24 * 60 * 60),
                ..KindSettings::ORDINARY
            },
            ActorKind::ArrInstances => KindSettings { admission: 128, ..KindSettings::ORDINARY },
            // Searches wait minutes for an arr; a write that was sent is waited for as long as the arr may take.
            ActorKind::Arr => {
                KindSettings { admission: 64, finish_grace: Duration::from_secs(180), ..KindSettings::ORDINARY }
            }
            // A change reads, writes once and reads back, each as slow as an arr may be, and is never cut off between them.
            ActorKind::Proposals => {
                KindSettings { admission: 128, finish_grace: Duration::from_secs(420), ..KindSettings::ORDINARY }
            }
            // Its working set is read at the start, and most of its calls answer from memory at once.
            ActorKind::Production => KindSettings {
                admission: 512,
                idle_after: Duration::from_secs(6 * 60 * 60),
                start_within: Duration::from_secs(30),
                ..KindSettings::ORDINARY
            },
        }
    }

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ActorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What every actor of one kind is allowed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KindSettings {
    /// Calls one actor may have queued and in flight together; the next is refused as busy.
    pub admission: u32,
    /// How long an actor without calls keeps its memory before it is put away.
    pub idle_after: Duration,
    /// How long reading the state at the start may take.
    pub start_within: Duration,
    /// How long work that must not be cut off may go on after its caller has gone; then its outcome is unknown.
    pub finish_grace: Duration,
    /// When failing again and again is too often.
    pub restarts: RestartLimit,
}

impl KindSettings {
    /// The settings of a kind with no wishes of its own.
    pub const ORDINARY: KindSettings = KindSettings {
        admission: 128,
        idle_after: Duration::from_secs(600),
        start_within: Duration::from_secs(10),
        finish_grace: Duration::from_secs(30),
        restarts: RestartLimit { restarts: 5, window: Duration::from_secs(60) },
    };
}

/// An actor that fails more than `restarts` times within `window` is parked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RestartLimit {
    /// Failures that are answered with a restart.
    pub restarts: u32,
    /// The time over which they are counted.
    pub window: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_each_kind_once_at_its_place_under_its_own_name() {
        for (place, kind) in ActorKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), place);
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.as_str()));
        }
    }
}
