//! What can be imported.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ImportFault;

/// What a file brings: the last part of `POST /imports/{kind}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportKind {
    /// A screenplay, `.fountain` or `.fdx`: a new draft.
    Script,
    /// A table of assets, told apart by code.
    Assets,
    /// A shooting schedule, from its first date on.
    Schedule,
    /// People, told apart by e-mail address, else by name and role.
    People,
    /// Deliveries, told apart by code.
    Deliveries,
    /// Purchase orders, told apart by number.
    PurchaseOrders,
    /// A cut, `.edl` or `.otio`: the shots of one turnover.
    Cut,
}

impl ImportKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [ImportKind; 7] = [
        ImportKind::Script,
        ImportKind::Assets,
        ImportKind::Schedule,
        ImportKind::People,
        ImportKind::Deliveries,
        ImportKind::PurchaseOrders,
        ImportKind::Cut,
    ];

    /// As it stands in the path.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ImportKind::Script => "script",
            ImportKind::Assets => "assets",
            ImportKind::Schedule => "schedule",
            ImportKind::People => "people",
            ImportKind::Deliveries => "deliveries",
            ImportKind::PurchaseOrders => "purchase-orders",
            ImportKind::Cut => "cut",
        }
    }

    /// What its job is called in `GET /jobs`.
    #[must_use]
    pub fn job_kind(self) -> String {
        format!("import.{self}")
    }

    /// Whether it brings amounts of money, for which `write` alone is not enough.
    #[must_use]
    pub fn brings_money(self) -> bool {
        self == ImportKind::PurchaseOrders
    }
}

impl std::fmt::Display for ImportKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for ImportKind {
    type Err = ImportFault;

    fn from_str(text: &str) -> Result<Self, ImportFault> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| ImportFault::NotFound { what: format!("Unknown import '{text}'.") })
    }
}
