//! Reading a whole office from the store.

use std::collections::BTreeMap;

use playhouse_store::{CommitError, HouseId, Key, MAX_PAGE_ENTRIES, SharedStore, StoreError, decode};

use super::Office;
use super::activity::Activity;
use super::layout::{OFFICE, TextPart, entity_in};
use super::ledger::Ledger;
use super::replies::{Replies, ReplyPart};
use crate::model::{Counter, DraftId, NodeId, SceneText};

/// All that an actor keeps in memory of one office.
pub(crate) struct Opened {
    pub(crate) ledger: Ledger,
    pub(crate) office: Office,
    pub(crate) activity: Activity,
    pub(crate) replies: Replies,
}

/// Reads the office of `house`; an empty one when nothing was set up.
pub(crate) async fn open(store: SharedStore, house: HouseId) -> Result<Opened, CommitError> {
    let ledger = Ledger::open(store, house).await?;
    let mut office =
        Office { revision: ledger.head.revision, counters: ledger.head.counters.clone(), ..Office::default() };
    let mut replies = Replies::default();
    let mut texts: BTreeMap<(NodeId, DraftId), String> = BTreeMap::new();
    let folder = Key::new(house, OFFICE);
    let mut after: Option<Key> = None;
    loop {
        let page = ledger.store.scan(&folder, after.as_ref(), MAX_PAGE_ENTRIES).await?;
        after = page.entries.last().map(|(key, _)| key.clone());
        for (key, found) in page.entries {
            let bad = |error| StoreError::Record { key: key.clone(), error };
            match key.path.segments().nth(1).unwrap_or_default() {
                "head" => {}
                "text" => {
                    let part: TextPart = decode(&found.value).map_err(bad)?;
                    texts.entry((part.node_id, part.draft_id)).or_default().push_str(&part.text);
                }
                "reply" => {
                    let part: ReplyPart = decode(&found.value).map_err(bad)?;
                    let name = key.path.last().and_then(|name| name.rsplit_once('-')).map_or("", |(name, _)| name);
                    replies.add_part(name, part);
                }
                folder => match entity_in(folder, &found.value) {
                    Some(entity) => office.insert(entity.map_err(bad)?),
                    None => {
                        let cause = format!("`{}` was written by a newer playhouse; run that one", key.path);
                        return Err(CommitError::Unavailable { cause });
                    }
                },
            }
        }
        if !page.more {
            break;
        }
    }
    for ((node_id, draft_id), text) in texts {
        office.insert(SceneText { node_id, draft_id, text }.into());
    }
    office.settle_reach();
    let activity = Activity::open(&ledger, office.counters.last(Counter::Activity)).await?;
    Ok(Opened { ledger, office, activity, replies })
}
