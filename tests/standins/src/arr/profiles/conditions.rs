//! The conditions that custom formats are made of: which application has which, and the fields of each.

use serde_json::{Value, json};

use super::{bind::decimal, languages::Language};
use crate::arr::kind::ArrKind;

/// A sort of condition.
pub(super) struct Condition {
    /// `ReleaseTitleSpecification`
    pub(super) implementation: &'static str,
    /// As people read it.
    pub(super) title: &'static str,
    kinds: &'static [ArrKind],
    pub(super) fields: &'static [FieldOf],
}

/// A field of a condition.
pub(super) struct FieldOf {
    pub(super) name: &'static str,
    label: &'static str,
    help: Option<&'static str>,
    unit: Option<&'static str>,
    pub(super) holds: Holds,
}

/// What is in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A regular expression, which must not be empty.
    Pattern,
    /// The number of a language.
    Language,
    /// One of the application's own numbers, of this name.
    Choice(Choice),
    Flag,
    Whole,
    Decimal,
}

/// Which of an application's enumerations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    IndexerFlag,
    Source,
    Resolution,
    Modifier,
    ReleaseType,
}

const fn field(name: &'static str, label: &'static str, holds: Holds) -> FieldOf {
    FieldOf { name, label, help: None, unit: None, holds }
}

const PATTERN: &[FieldOf] = &[FieldOf {
    help: Some("Upper and lower case are the same to it"),
    ..field("value", "Regular Expression", Holds::Pattern)
}];

const BOTH: &[ArrKind] = &[ArrKind::Radarr, ArrKind::Sonarr];

static CONDITIONS: &[Condition] = &[
    Condition {
        implementation: "ReleaseTitleSpecification",
        title: "Release Title",
        kinds: &ArrKind::ALL,
        fields: PATTERN,
    },
    Condition {
        implementation: "ReleaseGroupSpecification",
        title: "Release Group",
        kinds: &ArrKind::ALL,
        fields: PATTERN,
    },
    Condition { implementation: "EditionSpecification", title: "Edition", kinds: &[ArrKind::Radarr], fields: PATTERN },
    Condition {
        implementation: "LanguageSpecification",
        title: "Language",
        kinds: BOTH,
        fields: &[
            field("value", "Language", Holds::Language),
            FieldOf {
                help: Some("Holds for every language but this one"),
                ..field("exceptLanguage", "Except Language", Holds::Flag)
            },
        ],
    },
    Condition {
        implementation: "IndexerFlagSpecification",
        title: "Indexer Flag",
        kinds: &ArrKind::ALL,
        fields: &[field("value", "Flag", Holds::Choice(Choice::IndexerFlag))],
    },
    Condition {
        implementation: "SourceSpecification",
        title: "Source",
        kinds: BOTH,
        fields: &[field("value", "Source", Holds::Choice(Choice::Source))],
    },
    Condition {
        implementation: "ResolutionSpecification",
        title: "Resolution",
        kinds: BOTH,
        fields: &[field("value", "Resolution", Holds::Choice(Choice::Resolution))],
    },
    Condition {
        implementation: "QualityModifierSpecification",
        title: "Quality Modifier",
        kinds: &[ArrKind::Radarr],
        fields: &[field("value", "Quality Modifier", Holds::Choice(Choice::Modifier))],
    },
    Condition {
        implementation: "ReleaseTypeSpecification",
        title: "Release Type",
        kinds: &[ArrKind::Sonarr],
        fields: &[field("value", "Release Type", Holds::Choice(Choice::ReleaseType))],
    },
    Condition {
        implementation: "SizeSpecification",
        title: "Size",
        kinds: &ArrKind::ALL,
        fields: &[
            FieldOf { unit: Some("GB"), ..field("min", "Minimum Size", Holds::Decimal) },
            FieldOf { unit: Some("GB"), ..field("max", "Maximum Size", Holds::Decimal) },
        ],
    },
    Condition {
        implementation: "YearSpecification",
        title: "Year",
        kinds: &[ArrKind::Radarr],
        fields: &[field("min", "Minimum Year", Holds::Whole), field("max", "Maximum Year", Holds::Whole)],
    },
];

/// The sort of condition that an application calls so.
pub(super) fn find(kind: ArrKind, implementation: &str) -> Option<&'static Condition> {
    CONDITIONS.iter().find(|known| known.implementation == implementation && known.kinds.contains(&kind))
}

/// An application's numbers and what they stand for.
pub(super) fn options(kind: ArrKind, choice: Choice) -> &'static [(i32, &'static str)] {
    match (choice, kind) {
        (Choice::IndexerFlag, ArrKind::Radarr) => &[
            (1, "G Freeleech"),
            (2, "G Halfleech"),
            (4, "G DoubleUpload"),
            (8, "PTP Golden"),
            (16, "PTP Approved"),
            (32, "G Internal"),
            (128, "G Scene"),
            (256, "G Freeleech75"),
            (512, "G Freeleech25"),
        ],
        (Choice::IndexerFlag, _) => &[
            (1, "Freeleech"),
            (2, "Halfleech"),
            (4, "DoubleUpload"),
            (8, "Internal"),
            (16, "Scene"),
            (32, "Freeleech75"),
            (64, "Freeleech25"),
        ],
        (Choice::Source, ArrKind::Radarr) => &[
            (0, "UNKNOWN"),
            (1, "CAM"),
            (2, "TELESYNC"),
            (3, "TELECINE"),
            (4, "WORKPRINT"),
            (5, "DVD"),
            (6, "TV"),
            (7, "WEBDL"),
            (8, "WEBRIP"),
            (9, "BLURAY"),
        ],
        (Choice::Source, _) => &[
            (0, "Unknown"),
            (1, "Television"),
            (2, "TelevisionRaw"),
            (3, "Web"),
            (4, "WebRip"),
            (5, "DVD"),
            (6, "Bluray"),
            (7, "BlurayRaw"),
        ],
        (Choice::Resolution, _) => &[
            (0, "Unknown"),
            (360, "R360p"),
            (480, "R480p"),
            (540, "R540p"),
            (576, "R576p"),
            (720, "R720p"),
            (1080, "R1080p"),
            (2160, "R2160p"),
        ],
        (Choice::Modifier, _) => {
            &[(0, "NONE"), (1, "REGIONAL"), (2, "SCREENER"), (3, "RAWHD"), (4, "BRDISK"), (5, "REMUX")]
        }
        (Choice::ReleaseType, _) => &[(0, "Unknown"), (1, "Single Episode"), (2, "Multi Episode"), (3, "Season Pack")],
    }
}

impl Condition {
    /// As it is kept and answered: every field with all that the application says about it, whatever of it was sent. `value` looks a field's
    /// value up.
    pub(super) fn written(
        &'static self,
        kind: ArrKind,
        languages: &[Language],
        (name, negate, required): (&str, bool, bool),
        value: impl Fn(&FieldOf) -> Value,
    ) -> Value {
        let page = format!("https://wiki.servarr.com/{}/settings#custom-formats-2", kind.name().to_lowercase());
        let fields =
            self.fields.iter().zip(0..).map(|(field, order)| field.written(kind, languages, order, &value(field)));
        json!({ "name": name, "implementation": self.implementation, "implementationName": self.title, "infoLink": page,
            "negate": negate, "required": required, "fields": fields.collect::<Vec<_>>() })
    }
}

impl FieldOf {
    fn written(&self, kind: ArrKind, languages: &[Language], order: u32, value: &Value) -> Value {
        let sort = match self.holds {
            Holds::Pattern => "textbox",
            Holds::Language | Holds::Choice(_) => "select",
            Holds::Flag => "checkbox",
            Holds::Whole | Holds::Decimal => "number",
        };
        let option = |value: i32, name: &str| {
            let mut option = json!({ "value": value, "name": name, "order": 0 });
            // Radarr draws a line under what is none of the list.
            if kind == ArrKind::Radarr {
                option["dividerAfter"] = json!(self.holds == Holds::Language && value == 0);
            }
            option
        };
        let options: Option<Vec<Value>> = match self.holds {
            Holds::Language => Some(languages.iter().map(|known| option(known.id, &known.name)).collect()),
            Holds::Choice(choice) => Some(options(kind, choice).iter().map(|(id, name)| option(*id, name)).collect()),
            _ => None,
        };
        json!({ "order": order, "name": self.name, "label": self.label, "unit": self.unit, "helpText": self.help,
            "value": value, "type": sort, "advanced": false, "selectOptions": options, "privacy": "normal",
            "isFloat": self.holds == Holds::Decimal })
    }
}

impl Holds {
    /// A value as the application reads it; none when it cannot. A number may come as text, and no value is the default.
    pub(super) fn read(self, sent: Option<&Value>) -> Option<Value> {
        let sent = sent.filter(|value| !value.is_null());
        match (self, sent) {
            (Self::Pattern, None) => Some(json!("")),
            (Self::Pattern, Some(Value::String(text))) => Some(json!(text)),
            (Self::Pattern, Some(value @ (Value::Number(_) | Value::Bool(_)))) => Some(json!(value.to_string())),
            (Self::Flag, None) => Some(json!(false)),
            (Self::Flag, Some(Value::Bool(flag))) => Some(json!(flag)),
            (Self::Language | Self::Choice(_) | Self::Whole, None) => Some(json!(0)),
            (Self::Language | Self::Choice(_) | Self::Whole, Some(value)) => {
                let by_text = || value.as_str()?.trim().parse::<i32>().ok();
                let number = value.as_i64().and_then(|n| i32::try_from(n).ok()).or_else(by_text);
                number.map(|n| json!(n))
            }
            (Self::Decimal, None) => Some(json!(0)),
            (Self::Decimal, Some(value)) => {
                value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|n| n.is_finite()).map(decimal)
            }
            (Self::Pattern | Self::Flag, Some(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(kind: ArrKind) -> usize {
        CONDITIONS.iter().filter(|condition| condition.kinds.contains(&kind)).count()
    }

    #[test]
    fn each_application_has_the_conditions_that_it_has() {
        assert_eq!(ArrKind::ALL.map(known), [10, 8, 4, 4]);
        assert!(find(ArrKind::Radarr, "ReleaseTypeSpecification").is_none());
        assert!(find(ArrKind::Lidarr, "LanguageSpecification").is_none());
        assert!(find(ArrKind::Sonarr, "languageSpecification").is_none(), "by its exact name");
    }

    #[test]
    fn numbers_may_come_as_text_and_nothing_is_a_value_too() {
        assert_eq!(Holds::Language.read(Some(&json!("3"))), Some(json!(3)));
        assert_eq!(Holds::Language.read(Some(&json!({ "id": 3 }))), None);
        assert_eq!(Holds::Decimal.read(Some(&json!(2.0))).unwrap().to_string(), "2");
        assert_eq!(Holds::Flag.read(None), Some(json!(false)));
        assert_eq!(Holds::Flag.read(Some(&json!("yes"))), None);
    }
}
