//! Pages: what all paged calls do, and where the queue differs.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::ask::Ask;

/// Whether a list sorts ascending. Without a word about it the direction is descending, whatever the API's description says.
fn is_ascending(ask: &Ask<'_>) -> bool {
    ask.text("sortDirection") == Some("ascending")
}

/// A page of records, sorted by a property of theirs.
///
/// `known` are the sort keys that the application takes; the first of them stands in for any other. `goes_back` is for the queue, which past its
/// end answers an earlier page and says so in `page`.
pub(crate) fn page(ask: &Ask<'_>, known: &[&str], mut records: Vec<Value>, goes_back: bool) -> Value {
    let n_records = records.len();
    let asked = ask.text("sortKey").unwrap_or(known[0]);
    let key = known.iter().find(|key| key.eq_ignore_ascii_case(asked)).copied().unwrap_or(known[0]);
    let is_ascending = is_ascending(ask);
    records.sort_by(|one, other| {
        let order = compare(&one[key], &other[key]).then_with(|| compare(&one["id"], &other["id"]));
        if is_ascending { order } else { order.reverse() }
    });
    let size = usize::try_from(ask.number("pageSize").unwrap_or(10).max(1)).unwrap_or(10);
    let mut number = usize::try_from(ask.number("page").unwrap_or(1).max(1)).unwrap_or(1);
    if goes_back && (number - 1) * size >= n_records {
        number = n_records.div_ceil(size).max(1);
    }
    let records: Vec<Value> = records.into_iter().skip((number - 1) * size).take(size).collect();
    let direction = if is_ascending { "ascending" } else { "descending" };
    json!({ "page": number, "pageSize": size, "sortKey": key, "sortDirection": direction, "totalRecords": n_records,
        "records": records })
}

fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal)
        }
        (Value::String(one), Value::String(other)) => one.cmp(other),
        // What is absent comes last.
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Greater,
        (_, Value::Null) => Ordering::Less,
        _ => Ordering::Equal,
    }
}
