//! Formats in a few words each, for whoever looks for one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Exact, RENAMING, SPECIFICATIONS};
use crate::settings::shortened;

/// Of the conditions of one format, this many are shown.
const MAX_CONDITIONS: usize = 4;

/// A custom format in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct FormatSummary {
    /// Its id in the instance.
    pub(crate) id: i64,
    /// What it is called.
    pub(crate) name: String,
    /// How many conditions it has.
    pub(crate) n_specifications: usize,
    /// Whether it is part of file names.
    pub(crate) used_in_renaming: bool,
    /// Some of its conditions; none where the instance has many formats.
    pub(crate) specifications: Vec<ConditionSummary>,
}

/// One condition of a custom format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ConditionSummary {
    /// What it is called.
    pub(crate) name: String,
    /// What it looks at: `ReleaseTitleSpecification`.
    pub(crate) implementation: String,
    /// Whether it must not hold.
    pub(crate) negate: bool,
    /// Whether it must hold whatever the others do.
    pub(crate) required: bool,
}

impl FormatSummary {
    /// The summary of a stored format, with some of its conditions where `with_conditions`; `None` where its shape is unknown.
    pub(super) fn of(format: &Exact, with_conditions: bool) -> Option<Self> {
        let conditions = format.member(SPECIFICATIONS)?.elements()?;
        let n_shown = if with_conditions { MAX_CONDITIONS } else { 0 };
        Some(Self {
            id: format.member("id")?.as_integer()?,
            name: shortened(format.member("name")?.as_text()?),
            n_specifications: conditions.len(),
            used_in_renaming: format.member(RENAMING).and_then(Exact::as_switch) == Some(true),
            specifications: conditions.iter().take(n_shown).map(condition).collect(),
        })
    }
}

fn condition(condition: &Exact) -> ConditionSummary {
    let text = |name: &str| condition.member(name).and_then(Exact::as_text).map(shortened).unwrap_or_default();
    let is_on = |name: &str| condition.member(name).and_then(Exact::as_switch) == Some(true);
    ConditionSummary {
        name: text("name"),
        implementation: text("implementation"),
        negate: is_on("negate"),
        required: is_on("required"),
    }
}
