//! Fetches one release that a search showed.
//!
//! There is no memory of searches: what is fetched is found again by a fresh search of the same scope in the same library, which also fills
//! the service's own cache, without which it fetches nothing.

use std::time::Duration;

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::offers::{Offer, Unmatched, find};
use super::resolved::{Certainty, ask_indexers, not_shown, resolve_scope};
use super::scope::ReleaseScope;
use crate::actor::kept_back;
use crate::answer::{Code, Unfinished};
use crate::client::{ArrFault, ReleaseReference, WriteError, scrub};
use crate::{ArrActor, Hands};

/// Has the library download the one release with this reference. Repeating it downloads it again.
#[derive(Debug, Serialize, Deserialize)]
pub struct GrabRelease {
    /// What the search was about.
    pub scope: ReleaseScope,
    /// Which release.
    pub reference: ReleaseReference,
    /// Of which indexer, by the library's own id.
    pub indexer_id: i64,
}

/// A release that the library was told to download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grabbed {
    /// Its name.
    pub title: String,
    /// Whose it is.
    pub indexer: String,
    /// `torrent` or `usenet`, mostly.
    pub protocol: String,
    /// What it is for, as the library calls it.
    pub wanted: String,
    /// Whether the library would not have taken it by itself.
    pub was_rejected: bool,
    /// Why not.
    pub overridden: Vec<String>,
}

impl Message for GrabRelease {
    type Actor = ArrActor;
    type Reply = Result<Grabbed, Unfinished>;
}

impl Handle<GrabRelease> for ArrActor {
    fn handle(&mut self, message: GrabRelease, call: CallInfo) -> Answer<Self, Result<Grabbed, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move { grab(&hands, message, deadline).await })
    }
}

/// The order. The guid goes back exactly as it came.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Order<'o> {
    guid: &'o str,
    indexer_id: i64,
}

/// Of the caller's time, what the search leaves to the order: a search that takes too long then ends as not started, not as unknown.
const FOR_THE_ORDER: Duration = Duration::from_secs(5);

async fn grab(hands: &Hands, message: GrabRelease, deadline: Deadline) -> Result<Grabbed, Unfinished> {
    let GrabRelease { scope, reference, indexer_id } = message;
    let search_by = kept_back(deadline, FOR_THE_ORDER);
    let (found, offers) = hands
        .slow_by(search_by, async {
            let found = resolve_scope(hands, scope, Certainty::Only, search_by).await?;
            let (offers, _) = ask_indexers(hands, found.scope, search_by).await?;
            Ok::<_, Unfinished>((found, offers))
        })
        .await?;
    // Each guid's digest is taken, and each guid is looked for in what is shown; of thousands of offers that is work for another thread.
    let looking = tokio::task::spawn_blocking(move || {
        let found_one = find(&offers, &reference, indexer_id);
        let offer = found_one.map_err(|unmatched| no_such_release(unmatched, offers.len()))?;
        Ok::<_, Unfinished>((offer.guid.clone(), grabbed(offer, &offers, &found.title)))
    });
    let (guid, grabbed) = looking.await.map_err(|_| not_shown(hands.service))??;
    hands
        .write(deadline, || async {
            let order = Order { guid: &guid, indexer_id };
            hands.client.post("release", &order, deadline).await.map_err(not_fetched)
        })
        .await?;
    Ok(grabbed)
}

fn grabbed(offer: &Offer, offers: &[Offer], wanted: &str) -> Grabbed {
    let guids: Vec<&str> = offers.iter().map(|offer| offer.guid.as_str()).collect();
    let row = offer.row(&guids);
    Grabbed {
        title: row.title,
        indexer: row.indexer,
        protocol: row.protocol,
        wanted: scrub(wanted, &guids),
        was_rejected: row.rejected,
        overridden: row.rejections,
    }
}

fn no_such_release(unmatched: Unmatched, n_offers: usize) -> Unfinished {
    match unmatched {
        Unmatched::NotFound => Unfinished::not_started(
            Code::ReferenceNotFound,
            format!(
                "Nothing was downloaded: among the {n_offers} releases that a fresh search of this scope found, none of that indexer has this \
                 reference. Search again with search_releases, with the same scope and library, and use a reference from its answer."
            ),
        ),
        Unmatched::Ambiguous => Unfinished::not_started(
            Code::ReferenceAmbiguous,
            "Nothing was downloaded: that indexer offers several releases under this reference, so it is not certain which is meant. Choose \
             another release.",
        ),
    }
}

fn not_fetched(error: WriteError) -> Unfinished {
    let WriteError::Refused(refusal) = &error else { return Unfinished::of_write(WHAT, error) };
    match refusal.fault {
        ArrFault::NotFound => Unfinished::not_started(
            Code::ReferenceNotFound,
            "Nothing was downloaded: the release expired between the search and the order (status 404). Search again with search_releases.",
        ),
        ArrFault::Status { status: 409 } => Unfinished::not_started(
            Code::UpstreamStatus,
            "Nothing was downloaded: the indexer could not deliver the release (status 409). Choose a release of another indexer.",
        ),
        _ => Unfinished::of_write(WHAT, error),
    }
}

/// What was sent, in the words of an unfinished change.
const WHAT: &str = "The order to download the release";
