//! The waiting list of the instance, and the only writer of it.
//!
//! One record an address, in the operator's own partition. The list is bounded: a stranger may write to it, and a disk is not endless.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{ActorId, ActorKey, ActorKind, Answer, Behaviour, CallInfo, Handle, HouseId, Message, StartError};
use playhouse_house::Clock;
use playhouse_store::{
    CommitError, Expect, Key, Op, Path, PathError, Record, RecordError, SharedStore, StoreError, decode, encode, read,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::http::{Refusal, sentence};

/// Where the entries lie, each under the SHA-256 of its address: an address may hold what a path may not.
const WAITLIST: Path = Path::literal("waitlist");

/// Entries that are counted at a time when the actor starts.
const COUNT_PAGE: u32 = 1_000;

/// When a full list may have room again: people have to let people in.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// When a store in trouble may take entries again.
const STORE_RETRY_AFTER: Duration = Duration::from_secs(5);

/// The most entries in one page of [`ListWaitlist`]; an entry is at most some 5 KB, and a reply has to stay below 512 KiB.
const MAX_PAGE: u32 = 50;

/// An e-mail address in the one spelling under which it is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Trims the text and lowers its domain. What stands before the `@` is left alone: whether its case counts is for the mail server.
    ///
    /// Whether it is an address at all is checked by whoever reads it from outside.
    pub fn normalise(text: &str) -> Self {
        let text = text.trim();
        match text.rsplit_once('@') {
            Some((mailbox, domain)) => EmailAddress(format!("{mailbox}@{}", domain.to_lowercase())),
            None => EmailAddress(text.to_owned()),
        }
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Puts an address on the list. Repeating it changes nothing: the first entry stays as it is, so that nobody can overwrite what
/// somebody else wrote.
#[derive(Serialize, Deserialize)]
pub struct JoinWaitlist {
    /// Whom to write to.
    pub email: EmailAddress,
    /// How to address them; at most 80 characters.
    pub name: Option<String>,
    /// What they would like to say; at most 1,000 characters.
    pub note: Option<String>,
}

/// Lists the entries in no particular order, page by page.
#[derive(Serialize, Deserialize)]
pub struct ListWaitlist {
    /// [`WaitlistPage::next`] of the page before; `None` for the first page.
    pub after: Option<String>,
    /// How many entries at most; more than 50 counts as 50.
    pub limit: u32,
}

/// Some entries of the list.
#[derive(Serialize, Deserialize)]
pub struct WaitlistPage {
    /// The entries.
    pub entries: Vec<WaitlistEntry>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
}

/// One applicant.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitlistEntry {
    /// Whom to write to.
    pub email: EmailAddress,
    /// How to address them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What they would like to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When they came.
    pub joined_at: Timestamp,
}

impl Record for WaitlistEntry {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "waitlist-entry";
}

/// Why the list was not changed or not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum WaitlistError {
    /// The list holds as many entries as it may. Known addresses are told the same, or the answer would tell them apart.
    #[error("the waiting list is full at the moment; try again in some days")]
    Full,
    /// The store did not take the entry, did not say whether it did, or could not be read.
    #[error("try again shortly")]
    Store {
        /// For the operator's log.
        cause: String,
    },
}

impl WaitlistError {
    fn store(error: &dyn std::error::Error) -> Self {
        WaitlistError::Store { cause: error.to_string() }
    }
}

impl From<StoreError> for WaitlistError {
    fn from(error: StoreError) -> Self {
        WaitlistError::store(&error)
    }
}

impl From<CommitError> for WaitlistError {
    fn from(error: CommitError) -> Self {
        WaitlistError::store(&error)
    }
}

impl From<RecordError> for WaitlistError {
    fn from(error: RecordError) -> Self {
        WaitlistError::store(&error)
    }
}

impl From<PathError> for WaitlistError {
    fn from(error: PathError) -> Self {
        WaitlistError::store(&error)
    }
}

impl From<WaitlistError> for Refusal {
    fn from(error: WaitlistError) -> Self {
        let text = sentence(&error.to_string());
        match error {
            WaitlistError::Full => Refusal::later(text, FULL_RETRY_AFTER),
            WaitlistError::Store { cause } => {
                tracing::warn!(%cause, "the waiting list could not be written");
                Refusal::later(text, STORE_RETRY_AFTER)
            }
        }
    }
}

/// What the actor is started with.
#[derive(Clone)]
pub struct WaitlistServices {
    /// Where the list is kept.
    pub store: SharedStore,
    /// The time of day.
    pub clock: Clock,
    /// How many entries the list may hold.
    pub max_entries: usize,
}

/// The waiting list.
pub struct WaitlistActor {
    services: WaitlistServices,
    n_entries: usize,
}

impl WaitlistActor {
    /// The address of the instance's one list.
    pub const KEY: ActorKey = ActorKey { house: HouseId::INSTANCE, kind: ActorKind::Waitlist, id: ActorId::ONLY };
}

impl Behaviour for WaitlistActor {
    const KIND: ActorKind = ActorKind::Waitlist;
    type Services = WaitlistServices;

    async fn start(_: ActorKey, services: WaitlistServices) -> Result<Self, StartError> {
        let n_entries = count(&services.store).await.map_err(|error| StartError::unavailable(&error))?;
        Ok(WaitlistActor { services, n_entries })
    }
}

async fn count(store: &SharedStore) -> Result<usize, StoreError> {
    let list = Key::new(HouseId::INSTANCE, WAITLIST);
    let mut n_entries = 0;
    let mut after = None;
    loop {
        let page = store.scan(&list, after.as_ref(), COUNT_PAGE).await?;
        n_entries += page.entries.len();
        match page.entries.into_iter().next_back() {
            Some((last, _)) if page.more => after = Some(last),
            _ => return Ok(n_entries),
        }
    }
}

impl Message for JoinWaitlist {
    type Actor = WaitlistActor;
    type Reply = Result<(), WaitlistError>;
}

impl Handle<JoinWaitlist> for WaitlistActor {
    fn handle(&mut self, order: JoinWaitlist, _: CallInfo) -> Answer<Self, Result<(), WaitlistError>> {
        if self.n_entries >= self.services.max_entries {
            return Answer::now(Err(WaitlistError::Full));
        }
        let services = self.services.clone();
        Answer::alone(async move { join(&services, order).await }, |list: &mut Self, outcome| {
            list.n_entries += usize::from(outcome? == Joined::New);
            Ok(())
        })
    }
}

#[derive(PartialEq, Eq)]
enum Joined {
    New,
    Known,
}

/// A known entry is written again unchanged, so that the answer takes as long as a new one's.
async fn join(services: &WaitlistServices, order: JoinWaitlist) -> Result<Joined, WaitlistError> {
    let path = entry_path(&order.email)?;
    let (entry, expect, joined) =
        match read::<WaitlistEntry>(&*services.store, &Key::new(HouseId::INSTANCE, path.clone())).await? {
            Some((kept, version)) => (kept, Expect::Version(version), Joined::Known),
            None => {
                let JoinWaitlist { email, name, note } = order;
                let entry = WaitlistEntry { email, name, note, joined_at: (services.clock)() };
                (entry, Expect::Absent, Joined::New)
            }
        };
    services.store.commit(HouseId::INSTANCE, vec![Op::put(path, encode(&entry)?, expect)], None).await?;
    Ok(joined)
}

fn entry_path(email: &EmailAddress) -> Result<Path, PathError> {
    let hash = Sha256::digest(email.as_str().as_bytes());
    let name = hash.iter().fold(String::with_capacity(64), |mut name, byte| {
        // Writing to a String cannot fail.
        let _ = write!(name, "{byte:02x}");
        name
    });
    WAITLIST.join(name)
}

impl Message for ListWaitlist {
    type Actor = WaitlistActor;
    type Reply = Result<WaitlistPage, WaitlistError>;
}

impl Handle<ListWaitlist> for WaitlistActor {
    fn handle(&mut self, question: ListWaitlist, _: CallInfo) -> Answer<Self, Result<WaitlistPage, WaitlistError>> {
        let store = SharedStore::clone(&self.services.store);
        Answer::later(async move { list(&store, question).await })
    }
}

async fn list(store: &SharedStore, ListWaitlist { after, limit }: ListWaitlist) -> Result<WaitlistPage, WaitlistError> {
    let key = |path| Key::new(HouseId::INSTANCE, path);
    let after = after.map(|name| WAITLIST.join(name)).transpose()?.map(key);
    let page = store.scan(&key(WAITLIST), after.as_ref(), limit.clamp(1, MAX_PAGE)).await?;
    let last = page.entries.last().and_then(|(key, _)| key.path.last());
    let next = last.filter(|_| page.more).map(str::to_owned);
    let entries = page.entries.iter().map(|(_, stored)| decode(&stored.value)).collect::<Result<_, RecordError>>()?;
    Ok(WaitlistPage { entries, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_is_lowered_and_the_mailbox_kept() {
        for (text, kept) in [
            (" Ada@Example.ORG ", "Ada@example.org"),
            ("a/b@example.org", "a/b@example.org"),
            ("\"odd@box\"@EXAMPLE.org", "\"odd@box\"@example.org"),
        ] {
            assert_eq!(EmailAddress::normalise(text).as_str(), kept);
        }
    }
}
