//! How a body is read: members by name without regard to case, of the right type or not at all, and what nobody knows is passed over.

use serde_json::{Map, Number, Value, json};

use crate::arr::{ask::property, kind::ArrKind};

/// The members of one sort of object.
pub(super) struct Members(&'static [Member]);

struct Member {
    name: &'static str,
    sort: Sort,
    /// Whose it is, as a sum of [`R`], [`S`], [`L`] and [`C`].
    of: u8,
}

const R: u8 = 1;
const S: u8 = 2;
const L: u8 = 4;
const C: u8 = 8;
const ALL: u8 = R | S | L | C;

/// What a member must be. What may be null is left out then.
enum Sort {
    Text,
    /// 32 bits, and no fraction, not even `.0`.
    Int,
    /// As [`Sort::Int`], and not written when it is 0.
    Id,
    Flag,
    MaybeFlag,
    MaybeInt,
    MaybeDecimal,
    /// One of these words, or its place among them. The first where nothing is said.
    Word(&'static [&'static str]),
    Anything,
    One(&'static Members),
    Many(&'static Members),
}

const fn member(name: &'static str, sort: Sort) -> Member {
    Member { name, sort, of: ALL }
}

impl Member {
    const fn of(self, of: u8) -> Self {
        Self { of, ..self }
    }
}

/// A profile, as a PUT brings it.
pub(super) static PROFILE: Members = Members(&[
    member("id", Sort::Id),
    member("name", Sort::Text),
    member("profileType", Sort::Word(&["audiobook", "ebook"])).of(C),
    member("upgradeAllowed", Sort::Flag),
    member("preferCustomFormatsOverQuality", Sort::Flag).of(C),
    member("convertMp3ToM4b", Sort::Flag).of(C),
    member("convertToQualityId", Sort::MaybeInt).of(C),
    member("cutoff", Sort::Int),
    member("items", Sort::Many(&ITEM)),
    member("minFormatScore", Sort::Int),
    member("cutoffFormatScore", Sort::Int),
    member("minUpgradeFormatScore", Sort::Int).of(R | S),
    member("formatItems", Sort::Many(&FORMAT_ITEM)),
    member("language", Sort::One(&LANGUAGE)).of(R),
]);

static ITEM: Members = Members(&[
    member("id", Sort::Id),
    member("name", Sort::Text),
    member("quality", Sort::One(&QUALITY)),
    member("items", Sort::Many(&ITEM)),
    member("allowed", Sort::Flag),
    member("minSize", Sort::MaybeDecimal).of(S),
    member("maxSize", Sort::MaybeDecimal).of(S),
    member("preferredSize", Sort::MaybeDecimal).of(S),
]);

static QUALITY: Members = Members(&[member("id", Sort::Int), member("name", Sort::Text)]);

static FORMAT_ITEM: Members = Members(&[
    member("format", Sort::Int),
    member("builtInKey", Sort::Text).of(C),
    member("name", Sort::Text),
    member("score", Sort::Int),
]);

static LANGUAGE: Members = Members(&[member("id", Sort::Int), member("name", Sort::Text)]);

/// A custom format, as a POST or PUT brings it.
pub(super) static FORMAT: Members = Members(&[
    member("id", Sort::Id),
    member("name", Sort::Text),
    member("includeCustomFormatWhenRenaming", Sort::MaybeFlag),
    member("builtInKey", Sort::Text).of(C),
    member("appliesTo", Sort::Word(&["both", "audiobook", "ebook"])).of(C),
    member("specifications", Sort::Many(&CONDITION)),
]);

static CONDITION: Members = Members(&[
    member("name", Sort::Text),
    member("implementation", Sort::Text),
    member("negate", Sort::Flag),
    member("required", Sort::Flag),
    member("fields", Sort::Many(&FIELD)),
]);

static FIELD: Members = Members(&[member("name", Sort::Text), member("value", Sort::Anything)]);

/// Where a body is not of the type that it should be, and of which.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// `$.items[2].allowed`
    pub(super) path: String,
    /// By the framework's own name.
    pub(super) wanted: &'static str,
}

/// What an application reads of a body, with what it takes for granted where nothing is said.
pub(super) fn bind(kind: ArrKind, members: &'static Members, body: &Value) -> Result<Value, Misfit> {
    object(bit(kind), members, body, "$")
}

fn bit(kind: ArrKind) -> u8 {
    match kind {
        ArrKind::Radarr => R,
        ArrKind::Sonarr => S,
        ArrKind::Lidarr => L,
        ArrKind::Chaptarr => C,
    }
}

fn object(of: u8, members: &Members, body: &Value, path: &str) -> Result<Value, Misfit> {
    if !body.is_object() {
        return Err(Misfit { path: path.to_owned(), wanted: "an object" });
    }
    let mut read = Map::new();
    for member in members.0.iter().filter(|member| member.of & of != 0) {
        let value = property(body, member.name);
        if let Some(value) = member.read(of, value, &format!("{path}.{}", member.name))? {
            read.insert(member.name.to_owned(), value);
        }
    }
    Ok(Value::Object(read))
}

impl Member {
    fn read(&self, of: u8, value: Option<&Value>, path: &str) -> Result<Option<Value>, Misfit> {
        let Some(value) = value else { return Ok(self.sort.unsaid()) };
        let misfit = |wanted| Err(Misfit { path: path.to_owned(), wanted });
        if value.is_null() && self.sort.may_be_null() {
            return Ok(None);
        }
        Ok(Some(match &self.sort {
            Sort::Text if value.is_string() => value.clone(),
            Sort::Text => return misfit("System.String"),
            Sort::Int | Sort::Id | Sort::MaybeInt => match value.as_i64().and_then(|n| i32::try_from(n).ok()) {
                Some(0) if matches!(self.sort, Sort::Id) => return Ok(None),
                Some(n) => json!(n),
                None => return misfit("System.Int32"),
            },
            Sort::Flag | Sort::MaybeFlag if value.is_boolean() => value.clone(),
            Sort::Flag | Sort::MaybeFlag => return misfit("System.Boolean"),
            Sort::MaybeDecimal => match value.as_f64() {
                Some(number) => decimal(number),
                None => return misfit("System.Nullable`1[System.Double]"),
            },
            Sort::Word(words) => {
                let by_place = value.as_u64().and_then(|at| words.get(usize::try_from(at).ok()?));
                let by_name = value.as_str().and_then(|sent| words.iter().find(|word| word.eq_ignore_ascii_case(sent)));
                match by_name.or(by_place) {
                    Some(word) => json!(word),
                    None => return misfit("an enumeration"),
                }
            }
            Sort::Anything => value.clone(),
            Sort::One(members) => object(of, members, value, path)?,
            Sort::Many(members) => {
                let Some(entries) = value.as_array() else {
                    return misfit("System.Collections.Generic.List`1");
                };
                let read = |(at, entry)| object(of, members, entry, &format!("{path}[{at}]"));
                Value::Array(entries.iter().enumerate().map(read).collect::<Result<_, _>>()?)
            }
        }))
    }
}

impl Sort {
    fn may_be_null(&self) -> bool {
        !matches!(self, Self::Int | Self::Id | Self::Flag | Self::Word(_))
    }

    /// What a member is of which nothing is said: a value has a default, an object has none.
    fn unsaid(&self) -> Option<Value> {
        match self {
            Self::Int => Some(json!(0)),
            Self::Flag => Some(json!(false)),
            Self::Word(words) => Some(json!(words.first())),
            _ => None,
        }
    }
}

/// A decimal as it is written: without a fraction where it has none.
pub(super) fn decimal(number: f64) -> Value {
    const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < MOST_EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 is an i64")]
        return json!(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misfit(members: &'static Members, body: &Value) -> (String, &'static str) {
        let misfit = bind(ArrKind::Sonarr, members, body).unwrap_err();
        (misfit.path, misfit.wanted)
    }

    #[test]
    fn what_is_not_known_is_passed_over_at_every_depth() {
        let body = json!({ "NAME": "HDR", "trash_id": "1", "specifications": [{ "name": "a", "implementation": "B",
            "id": 7, "trash_id": 2, "fields": [{ "name": "value", "value": 1, "label": "x" }] }] });
        let read = bind(ArrKind::Radarr, &FORMAT, &body).unwrap();
        assert_eq!(
            read,
            json!({ "name": "HDR", "specifications": [{ "name": "a", "implementation": "B", "negate": false,
                "required": false, "fields": [{ "name": "value", "value": 1 }] }] })
        );
    }

    #[test]
    fn a_wrong_type_is_told_with_its_place() {
        assert_eq!(misfit(&PROFILE, &json!({ "cutoff": "7" })), ("$.cutoff".to_owned(), "System.Int32"));
        assert_eq!(misfit(&PROFILE, &json!({ "cutoff": 7.0 })), ("$.cutoff".to_owned(), "System.Int32"));
        assert_eq!(misfit(&PROFILE, &json!({ "cutoff": null })), ("$.cutoff".to_owned(), "System.Int32"));
        assert_eq!(misfit(&PROFILE, &json!({ "minFormatScore": 2_147_483_648_u64 })).1, "System.Int32");
        let deep = json!({ "items": [{ "items": [{ "allowed": 1 }] }] });
        assert_eq!(misfit(&PROFILE, &deep), ("$.items[0].items[0].allowed".to_owned(), "System.Boolean"));
        let guide = json!({ "specifications": [{ "fields": { "value": 1 } }] });
        assert_eq!(misfit(&FORMAT, &guide).0, "$.specifications[0].fields");
        assert_eq!(misfit(&FORMAT, &json!([])).0, "$");
    }

    #[test]
    fn a_whole_decimal_is_written_without_a_fraction() {
        assert_eq!([35.0, 4.3, -1.0].map(|n| decimal(n).to_string()), ["35", "4.3", "-1"]);
    }

    #[test]
    fn what_one_application_knows_another_passes_over() {
        let body = json!({ "minUpgradeFormatScore": 5, "language": { "id": 1 }, "profileType": "EBOOK" });
        let has = |kind, name: &str| bind(kind, &PROFILE, &body).unwrap().get(name).cloned();
        assert_eq!(has(ArrKind::Sonarr, "minUpgradeFormatScore"), Some(json!(5)));
        assert_eq!(has(ArrKind::Lidarr, "minUpgradeFormatScore"), None);
        assert_eq!((has(ArrKind::Radarr, "language").is_some(), has(ArrKind::Sonarr, "language")), (true, None));
        assert_eq!(has(ArrKind::Chaptarr, "profileType"), Some(json!("ebook")));
    }
}
