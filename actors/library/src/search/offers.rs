//! The releases that indexers offer, and which of them is meant.
//!
//! A release's guid orders its download for whoever holds it. An [`Offer`] holds one and never leaves the actor; what leaves is its
//! [`ReleaseRow`], which names the release by a one-way reference.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::{ReleaseReference, scrub};

/// How many releases one answer shows.
const MAX_SHOWN: usize = 15;

/// An offer whose guid is longer is none: no indexer makes such a guid, and each guid is looked for in every text that is shown.
pub(crate) const MAX_GUID_BYTES: usize = 8 * 1024;
/// How much of a text is looked at. A guid that begins where the text is still shown ends before this.
const MAX_SCRUBBED_BYTES: usize = 4 * MAX_TEXT + MAX_GUID_BYTES;

/// Longest text of a release that is shown; titles are far shorter, and a service's oddity must not fill an answer.
const MAX_TEXT: usize = 400;
/// Most reasons shown for one release.
const MAX_REJECTIONS: usize = 10;

/// One release as an indexer offers it.
///
/// Prints nothing of itself in `Debug`: its guid may be a signed link.
#[derive(Clone, PartialEq)]
pub(crate) struct Offer {
    pub(crate) guid: String,
    pub(crate) indexer_id: i64,
    pub(crate) title: String,
    pub(crate) quality: String,
    pub(crate) size_bytes: i64,
    pub(crate) protocol: String,
    pub(crate) seeders: Option<i64>,
    pub(crate) leechers: Option<i64>,
    pub(crate) indexer: String,
    pub(crate) age_days: i64,
    pub(crate) is_rejected: bool,
    pub(crate) rejections: Vec<String>,
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Offer")
    }
}

/// One release, as answers show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ReleaseRow {
    /// What grab_release takes as `guid`, exactly so. It orders nothing by itself.
    pub reference: String,
    /// What grab_release takes as `indexer_id`.
    pub indexer_id: i64,
    /// Its name.
    pub title: String,
    /// Name of its quality.
    pub quality: String,
    /// Its size in bytes.
    pub size_bytes: i64,
    /// `torrent`, `usenet` or what else the service calls it.
    pub protocol: String,
    /// Who offers the torrent; left out where it is none or unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seeders: Option<i64>,
    /// Who is still fetching the torrent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub leechers: Option<i64>,
    /// Name of the indexer.
    pub indexer: String,
    /// Days since it was published.
    pub age_days: i64,
    /// Whether the service would not take it by itself.
    pub rejected: bool,
    /// Why not.
    pub rejections: Vec<String>,
}

/// Why a reference names no release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unmatched {
    /// No release of that indexer has it.
    NotFound,
    /// Several have.
    Ambiguous,
}

/// Orders offers as they are shown: accepted ones first, then by seeders, then by size.
pub(crate) fn rank(offers: &mut [Offer]) {
    offers.sort_by(|one, other| {
        let key = |offer: &Offer| (!offer.is_rejected, offer.seeders.unwrap_or(-1), offer.size_bytes);
        key(other).cmp(&key(one))
    });
}

/// The first of ranked offers, as they are shown. No guid of any of the offers occurs in the rows.
pub(crate) fn shown(offers: &[Offer]) -> Vec<ReleaseRow> {
    let guids: Vec<&str> = offers.iter().map(|offer| offer.guid.as_str()).collect();
    offers.iter().take(MAX_SHOWN).map(|offer| offer.row(&guids)).collect()
}

/// The one offer of `indexer_id` with this reference. Two of them are not told apart even if they are equal: which one would be meant?
///
/// # Errors
/// [`Unmatched`].
pub(crate) fn find<'o>(
    offers: &'o [Offer],
    reference: &ReleaseReference,
    indexer_id: i64,
) -> Result<&'o Offer, Unmatched> {
    let mut matching =
        offers.iter().filter(|offer| offer.indexer_id == indexer_id && ReleaseReference::of(&offer.guid) == *reference);
    match (matching.next(), matching.next()) {
        (None, _) => Err(Unmatched::NotFound),
        (Some(offer), None) => Ok(offer),
        (Some(_), Some(_)) => Err(Unmatched::Ambiguous),
    }
}

impl Offer {
    /// As it is shown, with each of `guids` replaced by its reference.
    pub(crate) fn row(&self, guids: &[&str]) -> ReleaseRow {
        // Scrubbed before it is cut, so that no guid is left in part.
        let clean = |text: &str| -> String {
            let looked_at = &text[..text.floor_char_boundary(MAX_SCRUBBED_BYTES)];
            scrub(looked_at, guids).chars().take(MAX_TEXT).collect()
        };
        let is_torrent = self.protocol.to_ascii_lowercase().contains("torrent");
        ReleaseRow {
            reference: ReleaseReference::of(&self.guid).to_string(),
            indexer_id: self.indexer_id,
            title: clean(&self.title),
            quality: clean(&self.quality),
            size_bytes: self.size_bytes,
            protocol: clean(&self.protocol),
            seeders: self.seeders.filter(|_| is_torrent),
            leechers: self.leechers.filter(|_| is_torrent),
            indexer: clean(&self.indexer),
            age_days: self.age_days,
            rejected: self.is_rejected,
            rejections: self.rejections.iter().take(MAX_REJECTIONS).map(|reason| clean(reason)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(guid: &str) -> Offer {
        Offer {
            guid: guid.into(),
            indexer_id: 1,
            title: format!("Title {guid}"),
            quality: "Bluray-1080p".into(),
            size_bytes: 1_000,
            protocol: "torrent".into(),
            seeders: Some(1),
            leechers: Some(1),
            indexer: "Indexer".into(),
            age_days: 3,
            is_rejected: false,
            rejections: Vec::new(),
        }
    }

    #[test]
    fn case_67_fifteen_of_forty_are_shown_accepted_first_then_by_seeders_then_by_size() {
        let mut offers: Vec<Offer> = (0..40)
            .map(|n| Offer {
                is_rejected: n % 2 == 0,
                seeders: Some(n / 4),
                size_bytes: 1_000 + n,
                ..offer(&format!("guid-{n:02}"))
            })
            .collect();
        rank(&mut offers);
        let order: Vec<_> = offers.iter().map(|offer| (offer.is_rejected, offer.seeders, offer.size_bytes)).collect();
        assert_eq!(order[..3], [(false, Some(9), 1_039), (false, Some(9), 1_037), (false, Some(8), 1_035)]);
        assert!(order[..20].iter().all(|(is_rejected, ..)| !is_rejected));
        assert!(order[20..].iter().all(|(is_rejected, ..)| *is_rejected));
        assert_eq!(shown(&offers).len(), 15);
    }

    #[test]
    fn unknown_seeders_come_last_among_their_like() {
        let mut offers = vec![Offer { seeders: None, ..offer("a") }, Offer { seeders: Some(0), ..offer("b") }];
        rank(&mut offers);
        assert_eq!(offers[0].guid, "b");
    }

    #[test]
    fn case_65_a_title_that_holds_its_own_guid_is_scrubbed() {
        let guid = "https://indexer.example/get?apikey=secret";
        let rows = shown(&[Offer { title: format!("Movie {guid} 1080p"), ..offer(guid) }]);
        assert_eq!(rows[0].title, format!("Movie {} 1080p", ReleaseReference::of(guid)));
    }

    #[test]
    fn case_66_a_rejection_that_holds_a_guid_of_the_result_is_scrubbed_whichever_it_is() {
        let guid = "magnet:?xt=urn:btih:secret";
        let offers = [
            Offer { rejections: vec![format!("Already have {guid}")], is_rejected: true, ..offer("other") },
            offer(guid),
        ];
        let all = serde_json::to_string(&shown(&offers)).unwrap();
        assert!(!all.contains("secret"), "{all}");
    }

    #[test]
    fn a_guid_beyond_those_shown_is_scrubbed_too_and_a_long_text_is_not_cut_within_one() {
        let mut offers: Vec<Offer> = (0..40).map(|n| offer(&format!("secret-guid-{n:02}"))).collect();
        offers[0].title = format!("{}secret-guid-39", "x".repeat(MAX_TEXT - 5));
        let all = serde_json::to_string(&shown(&offers)).unwrap();
        assert!(!all.contains("secret"), "{all}");
    }

    #[test]
    fn of_a_text_without_end_no_more_is_looked_at_than_a_guid_at_its_shown_end_needs() {
        let guid = "g".repeat(MAX_GUID_BYTES);
        let straddling = format!("{}{guid}", "ü".repeat(MAX_TEXT - 1));
        let endless = "x".repeat(64 << 20);
        let titles = [straddling, endless];
        let offers: Vec<Offer> = titles.map(|title| Offer { title, ..offer(&guid) }).into();
        let rows = shown(&offers);
        assert!(!rows[0].title.contains("gg") && rows[0].title.ends_with("ü["), "{}", rows[0].title);
        assert_eq!(rows[1].title.len(), MAX_TEXT);
    }

    #[test]
    fn only_torrents_have_seeders() {
        let rows = shown(&[Offer { protocol: "usenet".into(), ..offer("a") }]);
        assert_eq!((rows[0].seeders, rows[0].leechers), (None, None));
    }

    #[test]
    fn case_70_the_wrong_indexer_finds_nothing() {
        let offers = [offer("a"), offer("b")];
        let reference = ReleaseReference::of("a");
        assert_eq!(find(&offers, &reference, 1).map(|offer| offer.guid.as_str()), Ok("a"));
        assert_eq!(find(&offers, &reference, 2), Err(Unmatched::NotFound));
    }

    #[test]
    fn case_71_the_same_guid_twice_for_one_indexer_is_ambiguous() {
        let reference = ReleaseReference::of("a");
        let twice = [offer("a"), Offer { title: "Another".into(), ..offer("a") }];
        assert_eq!(find(&twice, &reference, 1), Err(Unmatched::Ambiguous));
        let apart = [offer("a"), Offer { indexer_id: 2, ..offer("a") }];
        assert!(find(&apart, &reference, 1).is_ok(), "another indexer's offer is another release");
    }

    #[test]
    fn case_72_a_reference_from_another_search_finds_nothing() {
        assert_eq!(find(&[offer("a")], &ReleaseReference::of("elsewhere"), 1), Err(Unmatched::NotFound));
        assert_eq!(find(&[], &ReleaseReference::of("a"), 1), Err(Unmatched::NotFound));
    }

    #[test]
    fn an_offer_prints_nothing_of_itself() {
        assert_eq!(format!("{:?}", offer("secret")), "Offer");
    }
}
