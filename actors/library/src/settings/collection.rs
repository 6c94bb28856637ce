//! The three lists that settings are read from, each element as the service wrote it.

use playhouse_bus::Deadline;

use super::exact::Exact;
use crate::Hands;
use crate::answer::{ArrFailure, Code};
use crate::service::Service;

/// Work on fewer bytes is done where it is: another thread would cost more than it saves.
const SMALL_BYTES: usize = 16 * 1024;

/// A list of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    Profiles,
    Formats,
    /// Of Radarr and Sonarr. The others have an endpoint of that name too, with which no profile or format has to do.
    Languages,
}

impl Collection {
    /// Below the service's API.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Collection::Profiles => "qualityprofile",
            Collection::Formats => "customformat",
            Collection::Languages => "language",
        }
    }

    /// One of its elements, in a sentence.
    const fn element(self) -> &'static str {
        match self {
            Collection::Profiles => "quality profile",
            Collection::Formats => "custom format",
            Collection::Languages => "language",
        }
    }

    /// Reads it. The caller has a place in the lane for quick reads.
    ///
    /// # Errors
    /// [`Code::FormatsUnavailable`] as a refusal where the list of formats is answered with 404, and the service's own failures.
    pub(super) async fn read(self, hands: &Hands, deadline: Deadline) -> Result<Vec<String>, ArrFailure> {
        let read = hands.client.read_elements(self.path(), deadline).await;
        read.map_err(|error| match (self, error.fault.status()) {
            (Collection::Formats, Some(404)) => formats_unavailable(hands.service),
            _ => error.into(),
        })
    }
}

/// Reads each element of a list; one that cannot be read fails the whole.
pub(super) fn parse_all(which: Collection, texts: &[String]) -> Result<Vec<Exact>, ArrFailure> {
    let read = texts.iter().map(|text| Exact::parse(text)).collect::<Result<Vec<_>, _>>();
    read.map_err(|why| {
        let words = format!("A {} in the service's answer cannot be read: {why}.", which.element());
        ArrFailure::unproven(Code::UpstreamBody, words)
    })
}

/// What a 404 to the list of custom formats may mean. An old build and an address without its URL base look alike from here, so that neither
/// is asserted.
fn formats_unavailable(service: Service) -> ArrFailure {
    let build = match service {
        Service::Sonarr => "The build may be older than Sonarr v4, from which on there are custom formats".to_owned(),
        other => format!("The build may be older than custom formats are in {other}"),
    };
    let words = format!(
        "There is no list of custom formats where it should be (status 404). {build}; or the instance's stored address may lack its URL \
         base. Its version and the address in Playhouse tell which."
    );
    ArrFailure::refused(Code::FormatsUnavailable, words)
}

/// Does `work`, which goes over `n_bytes` that are not ours, where it holds nobody up.
pub(super) async fn aside<T: Send + 'static>(
    n_bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ArrFailure> {
    if n_bytes <= SMALL_BYTES {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a comparison of settings did not end");
        ArrFailure::unproven(
            Code::UpstreamBody,
            "The service's answer could not be worked through; the server's log says why.",
        )
    })
}

/// How much there is to go over.
pub(super) fn n_bytes(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}
