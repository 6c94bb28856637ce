//! Whether two values say the same.

use super::{Exact, Members, number};

/// Whether two values say the same: numbers by value, lists in any order.
pub(in crate::settings) fn is_same(one: &Exact, other: &Exact) -> bool {
    one == other || normal(one) == normal(other)
}

/// A form that all values have that say the same.
fn normal(value: &Exact) -> String {
    ordered(value).canonical()
}

fn ordered(value: &Exact) -> Exact {
    match value {
        Exact::Number(text) => Exact::Number(number::normal(text).into()),
        Exact::List(elements) => {
            let mut elements: Vec<(String, Exact)> = elements
                .iter()
                .map(|element| {
                    let element = ordered(element);
                    (element.canonical(), element)
                })
                .collect();
            elements.sort_by(|one, other| one.0.cmp(&other.0));
            Exact::List(elements.into_iter().map(|(_, element)| element).collect())
        }
        Exact::Object(members) => {
            Exact::Object(members.iter().map(|(name, member)| (name.clone(), ordered(member))).collect::<Members>())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_in_lists_and_the_form_of_numbers_make_no_difference_and_everything_else_does() {
        for (one, other, same) in [
            (r#"{"a":[1,{"b":2}]}"#, r#"{"a":[{"b":2.0},1]}"#, true),
            (r#"[1,1,2]"#, r#"[1,2,2]"#, false),
            (r#"[1,2]"#, r#"[1,2,2]"#, false),
            (r#"{"a":null}"#, "{}", false),
            (r#""1""#, "1", false),
        ] {
            assert_eq!(is_same(&Exact::parse(one).unwrap(), &Exact::parse(other).unwrap()), same, "{one} {other}");
        }
    }
}
