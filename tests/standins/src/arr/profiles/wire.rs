//! How settings are written: indented, and with their members in the applications' own order.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value};

use crate::arr::wire::resource;

/// The text of a list or an object. What is null is left out.
pub(super) fn text(value: &Value) -> String {
    let value = resource(value.clone());
    serde_json::to_string_pretty(&Laid(&value)).unwrap_or_else(|_| value.to_string())
}

/// Members that only one sort of object has, and the order in which that sort is written.
const ORDERS: &[(&str, &[&str])] = &[
    (
        "cutoff",
        &[
            "name",
            "profileType",
            "upgradeAllowed",
            "preferCustomFormatsOverQuality",
            "convertMp3ToM4b",
            "convertToQualityId",
            "cutoff",
            "items",
            "minFormatScore",
            "cutoffFormatScore",
            "minUpgradeFormatScore",
            "formatItems",
            "language",
            "id",
        ],
    ),
    ("specifications", &["id", "name", "includeCustomFormatWhenRenaming", "builtInKey", "appliesTo", "specifications"]),
    ("implementation", &["name", "implementation", "implementationName", "infoLink", "negate", "required", "fields"]),
    (
        "privacy",
        &[
            "order",
            "name",
            "label",
            "unit",
            "helpText",
            "value",
            "type",
            "advanced",
            "selectOptions",
            "privacy",
            "isFloat",
        ],
    ),
    ("score", &["format", "builtInKey", "name", "score"]),
    ("allowed", &["name", "quality", "items", "allowed", "minSize", "maxSize", "preferredSize", "id"]),
    ("value", &["value", "name", "order", "dividerAfter"]),
    ("name", &["id", "name", "nameLower", "source", "resolution", "modifier", "isConversionTarget"]),
];

struct Laid<'a>(&'a Value);

impl Serialize for Laid<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in in_order(members) {
                    map.serialize_entry(name, &Laid(value))?;
                }
                map.end()
            }
            Value::Array(entries) => {
                let mut list = serializer.serialize_seq(Some(entries.len()))?;
                for entry in entries {
                    list.serialize_element(&Laid(entry))?;
                }
                list.end()
            }
            other => other.serialize(serializer),
        }
    }
}

/// Members that are in no order come last.
fn in_order(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let order = ORDERS.iter().find(|(mark, _)| members.contains_key(*mark)).map_or(&[][..], |(_, order)| order);
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
    members
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_indented_in_the_order_of_the_applications_and_without_nulls() {
        let profile = json!([{ "id": 4, "name": "HD", "items": [{ "quality": { "name": "DVD", "id": 2 }, "items": [],
            "allowed": true, "maxSize": null, "minSize": 4.3 }], "cutoff": 2, "zebra": 1, "formatItems": [] }]);
        let expected = "[\n  {\n    \"name\": \"HD\",\n    \"cutoff\": 2,\n    \"items\": [\n      {\n        \"quality\": {\n          \
            \"id\": 2,\n          \"name\": \"DVD\"\n        },\n        \"items\": [],\n        \"allowed\": true,\n        \
            \"minSize\": 4.3\n      }\n    ],\n    \"formatItems\": [],\n    \"id\": 4,\n    \"zebra\": 1\n  }\n]";
        assert_eq!(text(&profile), expected);
    }
}
