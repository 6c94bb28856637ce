//! The digests by which a change notices that something moved.
//!
//! They are compared with each other only, by this program, so their form is its own: canonical bytes, in which a number counts by its text.

use sha2::{Digest as _, Sha256};

use super::exact::{Exact, Members};
use super::{Digest, JsonText, NotJson};

/// What cannot be digested. Words say what of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Odd(pub(super) String);

impl Digest {
    /// Of one object in its canonical form, such as a custom format: the order of members makes no difference, that of lists does.
    ///
    /// # Errors
    /// [`NotJson`] for a text with more than 64 levels, or a name twice in one object.
    pub fn of_object(text: &JsonText) -> Result<Self, NotJson> {
        Exact::parse(text.as_str()).map(|value| of_value(&value)).map_err(|_| NotJson)
    }

    /// Of a quality profile. The order of its `formatItems` makes no difference; that of its qualities is their ranking.
    ///
    /// # Errors
    /// [`NotJson`] as [`Digest::of_object`], and for what is no quality profile.
    pub fn of_profile(text: &JsonText) -> Result<Self, NotJson> {
        let value = Exact::parse(text.as_str()).map_err(|_| NotJson)?;
        of_profile(&value).map_err(|_| NotJson)
    }
}

/// Of any value in its canonical form.
pub(super) fn of_value(value: &Exact) -> Digest {
    of_bytes(value.canonical().as_bytes())
}

/// Of some bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// Of a quality profile, its `formatItems` by the ids of the formats.
pub(super) fn of_profile(value: &Exact) -> Result<Digest, Odd> {
    let odd = |words: &str| Odd(format!("the profile {words}"));
    let members = value.members().ok_or_else(|| odd("is no object"))?;
    let items = members.get("formatItems").and_then(Exact::elements).ok_or_else(|| odd("has no formatItems"))?;
    let id_of = |item: &Exact| item.member("format").and_then(Exact::as_integer).filter(|id| *id > 0);
    let ids: Option<Vec<i64>> = items.iter().map(id_of).collect();
    let ids = ids.ok_or_else(|| odd("lists a custom format without an id"))?;
    let mut by_id: Vec<(i64, &Exact)> = ids.into_iter().zip(items).collect();
    by_id.sort_by_key(|(id, _)| *id);
    if by_id.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(odd("lists a custom format twice"));
    }
    let mut sorted: Members = members.clone();
    sorted.insert("formatItems".to_owned(), Exact::List(by_id.into_iter().map(|(_, item)| item.clone()).collect()));
    Ok(of_value(&Exact::Object(sorted)))
}

/// Which ids the elements of a collection have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ids {
    /// Custom formats.
    Positive,
    /// Languages: Any is -1, Original -2, Unknown 0.
    Any,
}

/// Of a whole collection, whatever its order.
pub(super) fn of_collection<'e>(elements: impl Iterator<Item = &'e Exact>, ids: Ids) -> Result<Digest, Odd> {
    let mut by_id = std::collections::BTreeMap::new();
    for element in elements {
        let id = element.member("id").and_then(Exact::as_integer).filter(|id| ids == Ids::Any || *id > 0);
        let id = id.ok_or_else(|| Odd("an element of the list has no id".to_owned()))?;
        if by_id.insert(id, element).is_some() {
            return Err(Odd(format!("two elements of the list have the id {id}")));
        }
    }
    let mut hasher = Sha256::new();
    for (id, element) in by_id {
        let canonical = element.canonical();
        hasher.update(id.to_be_bytes());
        hasher.update((canonical.len() as u64).to_be_bytes());
        hasher.update(canonical.as_bytes());
    }
    Ok(Digest(hasher.finalize().into()))
}

/// Of all that a profile depends on beside itself. With and without languages differ, whatever the languages are.
pub(super) fn of_dependencies(formats: Digest, languages: Option<Digest>) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(formats.0);
    match languages {
        Some(languages) => {
            hasher.update([1]);
            hasher.update(languages.0);
        }
        None => hasher.update([0]),
    }
    Digest(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::parse(text).unwrap()
    }

    fn collection(texts: &[&str], ids: Ids) -> Result<Digest, Odd> {
        let elements: Vec<Exact> = texts.iter().map(|text| exact(text)).collect();
        of_collection(elements.iter(), ids)
    }

    #[test]
    fn a_profile_counts_with_every_member_and_its_order_of_qualities_but_not_of_formats() {
        let digest = |text: &str| of_profile(&exact(text)).unwrap();
        let profile = digest(r#"{"id":1,"items":[1,2],"formatItems":[{"format":1,"score":0},{"format":2,"score":5}]}"#);
        assert_eq!(
            digest(r#"{"formatItems":[{"score":5,"format":2},{"format":1,"score":0}],"items":[1,2],"id":1}"#),
            profile
        );
        for other in [
            r#"{"id":1,"items":[2,1],"formatItems":[{"format":1,"score":0},{"format":2,"score":5}]}"#,
            r#"{"id":1,"items":[1,2],"formatItems":[{"format":1,"score":0},{"format":2,"score":5}],"new":null}"#,
            r#"{"id":1,"items":[1,2],"formatItems":[{"format":1,"score":0},{"format":2,"score":5.0}]}"#,
        ] {
            assert_ne!(digest(other), profile, "{other}");
        }
    }

    #[test]
    fn a_profile_that_lists_a_format_twice_or_without_an_id_has_no_digest() {
        for text in [
            "[]",
            "{}",
            r#"{"formatItems":{}}"#,
            r#"{"formatItems":[{}]}"#,
            r#"{"formatItems":[{"format":0}]}"#,
            r#"{"formatItems":[{"format":1},{"format":1.0}]}"#,
        ] {
            assert!(of_profile(&exact(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn a_collection_counts_as_a_whole_and_in_any_order() {
        let both = collection(&[r#"{"id":1,"a":1}"#, r#"{"id":2}"#], Ids::Positive).unwrap();
        assert_eq!(collection(&[r#"{"id":2}"#, r#"{"a":1,"id":1}"#], Ids::Positive), Ok(both));
        assert_ne!(collection(&[r#"{"id":1,"a":1.0}"#, r#"{"id":2}"#], Ids::Positive), Ok(both));
        assert_ne!(collection(&[r#"{"id":1,"a":1}"#], Ids::Positive), Ok(both));
    }

    #[test]
    fn ids_of_languages_may_be_negative_and_no_id_comes_twice() {
        assert!(collection(&[r#"{"id":-1}"#, r#"{"id":-2}"#, r#"{"id":0}"#], Ids::Any).is_ok());
        assert!(collection(&[r#"{"id":-1}"#], Ids::Positive).is_err());
        assert!(collection(&[r#"{"id":1}"#, r#"{"id":1.0}"#], Ids::Any).is_err());
        assert!(collection(&["{}"], Ids::Any).is_err());
    }

    #[test]
    fn dependencies_differ_with_and_without_languages() {
        let [one, two] = [Digest([1; 32]), Digest([2; 32])];
        let all = [of_dependencies(one, None), of_dependencies(one, Some(one)), of_dependencies(one, Some(two))];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    }
}
