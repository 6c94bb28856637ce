//! Listing changes: what is in their entries and nothing of their details, so that one that cannot be read keeps no list from being shown.

use std::rc::Rc;

use crate::desk::Desk;
use crate::records::{CHANGES, ChangeRow, change_path};
use crate::state::first_records;
use crate::{ChangeError, ChangeRecord, ListChanges};

const MOST: i64 = 200;
const USUAL: i64 = 100;

/// The newest changes, or those before one.
pub(crate) async fn list(desk: Rc<Desk>, question: ListChanges) -> Result<Vec<ChangeRecord>, ChangeError> {
    let limit = how_many(question.limit);
    // Number 0 is nobody's: it means the newest.
    let after = question.before.filter(|before| before.0 > 0).map(change_path);
    let rows: Vec<ChangeRow> = first_records(desk.house, &*desk.services.store, CHANGES, after, limit).await?;
    Ok(rows.into_iter().map(|row| row.shown).collect())
}

fn how_many(limit: i64) -> usize {
    let limit = if limit < 1 { USUAL } else { limit.min(MOST) };
    usize::try_from(limit).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::how_many;

    #[test]
    fn case_109_a_limit_out_of_range_means_the_usual_or_the_most() {
        assert_eq!([5_000, 200, 7, 1, 0, -1].map(how_many), [200, 200, 7, 1, 100, 100]);
    }
}
