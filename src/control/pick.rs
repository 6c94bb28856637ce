//! Which of several things an operator means by what was typed.

/// What the things are called in the words of a refusal.
pub(super) struct Named {
    /// `there is no house`.
    pub(super) none: &'static str,
    /// `houses`.
    pub(super) many: &'static str,
    /// The command that lists them.
    pub(super) list: &'static str,
}

/// The one of `all` that `typed` names: by its id, else by its name where only one has it. An id is never taken for another thing's name.
///
/// # Errors
/// A sentence for the operator.
pub(super) fn pick<'t, T>(
    things: &Named,
    all: &'t [T],
    typed: &str,
    id: impl Fn(&T) -> String,
    name: impl Fn(&T) -> &str,
) -> Result<&'t T, String> {
    if let Some(thing) = all.iter().find(|thing| id(thing).eq_ignore_ascii_case(typed)) {
        return Ok(thing);
    }
    let named: Vec<&T> = all.iter().filter(|thing| name(thing) == typed).collect();
    let Named { none, many, list } = things;
    match named[..] {
        [thing] => Ok(thing),
        [] => Err(format!("{none} `{typed}`; `{list}` shows them")),
        [..] => {
            let ids = named.into_iter().map(id).collect::<Vec<_>>().join(", ");
            Err(format!("several {many} are named `{typed}`; name one by its id: {ids}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUSES: Named = Named { none: "there is no house", many: "houses", list: "playhouse house list" };

    fn picked(all: &[(&'static str, &'static str)], typed: &str) -> Result<&'static str, String> {
        pick(&HOUSES, all, typed, |(id, _)| (*id).to_owned(), |(_, name)| name).map(|(id, _)| *id)
    }

    #[test]
    fn an_id_is_meant_before_a_name() {
        // One is called by the other's id.
        let houses = [("a1", "b2"), ("b2", "Kestrel"), ("c3", "Kestrel")];
        assert_eq!(picked(&houses, "b2"), Ok("b2"));
        assert_eq!(picked(&houses, "A1"), Ok("a1"));
        assert_eq!(
            picked(&houses, "Kestrel").unwrap_err(),
            "several houses are named `Kestrel`; name one by its id: b2, c3"
        );
        assert_eq!(
            picked(&houses[..1], "kestrel").unwrap_err(),
            "there is no house `kestrel`; `playhouse house list` shows them"
        );
    }
}
