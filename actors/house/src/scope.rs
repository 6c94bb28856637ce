//! What a key may do. Scopes are independent of each other: none includes another.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One thing a key may do. The names are those of the key lists, refusals and the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// See and steer the TVs that the key was granted.
    Tv,
    /// Discover titles and request them for oneself.
    Media,
    /// Library operations, settings and proposals.
    MediaAdmin,
    /// Read the production office.
    Read,
    /// Write to the production office. Does not include [`Scope::Read`].
    Write,
    /// Purchase orders and money entries.
    ReadMoney,
    /// Submit turnovers.
    SubmitTurnover,
    /// Accounts, keys, instances and pairing of the house.
    HouseAdmin,
    /// Actor health and waitlist of the whole instance; reaches no house.
    Operator,
}

impl Scope {
    /// Every scope there is.
    pub const ALL: [Scope; 9] = [
        Scope::Tv,
        Scope::Media,
        Scope::MediaAdmin,
        Scope::Read,
        Scope::Write,
        Scope::ReadMoney,
        Scope::SubmitTurnover,
        Scope::HouseAdmin,
        Scope::Operator,
    ];

    /// The scope's name, as keys and refusals spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Tv => "tv",
            Scope::Media => "media",
            Scope::MediaAdmin => "media:admin",
            Scope::Read => "read",
            Scope::Write => "write",
            Scope::ReadMoney => "read:money",
            Scope::SubmitTurnover => "submit:turnover",
            Scope::HouseAdmin => "house:admin",
            Scope::Operator => "operator",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// There is no scope of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no scope `{0}`; the scopes are tv, media, media:admin, read, write, read:money, submit:turnover, house:admin and operator"
)]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Scope::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// A set of scopes. Serialises as the list of their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u16);

impl Scopes {
    /// No scope at all.
    pub const NONE: Scopes = Scopes(0);

    /// The set of exactly `scopes`.
    pub fn of(scopes: &[Scope]) -> Self {
        scopes.iter().copied().collect()
    }

    /// Whether `scope` is in the set.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes, in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Scopes(scopes.into_iter().fold(0, |set, scope| set | scope.bit()))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Scope::as_str)).finish()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, scope) in self.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Scope::as_str))
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(deserializer)?
            .iter()
            .map(|name| name.parse())
            .collect::<Result<Scopes, UnknownScope>>()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_survives_its_own_name() {
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
        }
    }

    #[test]
    fn no_scope_includes_another() {
        for held in Scope::ALL {
            for asked in Scope::ALL {
                assert_eq!(Scopes::of(&[held]).contains(asked), held == asked, "{held} and {asked}");
            }
        }
    }

    #[test]
    fn a_set_is_written_as_its_names() {
        let scopes = Scopes::of(&[Scope::HouseAdmin, Scope::Tv]);
        assert_eq!(serde_json::to_string(&scopes).unwrap(), r#"["tv","house:admin"]"#);
        assert_eq!(serde_json::from_str::<Scopes>(r#"["house:admin","tv"]"#).unwrap(), scopes);
        assert!(serde_json::from_str::<Scopes>(r#"["everything"]"#).is_err());
    }
}
