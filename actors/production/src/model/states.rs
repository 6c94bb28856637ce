//! The states of things, their names, and what may follow what.

use serde::{Deserialize, Serialize};

/// A closed set of words: what a field may say, in the spelling of the API.
pub trait Words: Copy + Eq + Sized + 'static {
    /// All of them, in the order in which they are listed to callers.
    const ALL: &'static [Self];

    /// The word.
    fn as_str(self) -> &'static str;

    /// The one that is spelt so.
    fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }

    /// All words with commas between: `planned, in_progress, …`.
    fn list() -> String {
        Self::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ")
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
            pub enum $name {
                $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
            }

            impl Words for $name {
                const ALL: &'static [Self] = &[$($name::$variant),*];

                fn as_str(self) -> &'static str {
                    match self {
                        $($name::$variant => $word,)*
                    }
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        )*
    };
}
pub(crate) use words;

words! {
    /// How far a production is.
    ProductionStatus {
        /// Being written and financed.
        Development = "development",
        /// Being prepared.
        Prep = "prep",
        /// Being shot.
        Shooting = "shooting",
        /// Being finished.
        Post = "post",
        /// Handed over.
        Delivered = "delivered",
        /// Closed: it takes no more writes.
        Archived = "archived",
    }
    /// How far an episode is.
    EpisodeStatus {
        /// Not begun.
        Planned = "planned",
        /// Being prepared.
        Prep = "prep",
        /// Being shot.
        Shooting = "shooting",
        /// Being finished.
        Post = "post",
        /// Handed over.
        Delivered = "delivered",
    }
    /// How far an asset is.
    AssetStatus {
        /// Not begun.
        Planned = "planned",
        /// Being made.
        InProgress = "in_progress",
        /// Shown for approval.
        InReview = "in_review",
        /// Approved.
        Approved = "approved",
        /// Done, and not to be reopened.
        Final = "final",
        /// Set aside for now.
        OnHold = "on_hold",
        /// Not needed any more.
        Omitted = "omitted",
    }
    /// Whether a vendor is hired at present.
    EngagementStatus {
        /// Not agreed yet.
        Draft = "draft",
        /// Agreed and running: its keys work.
        Active = "active",
        /// Stopped for now.
        Suspended = "suspended",
        /// Over.
        Ended = "ended",
    }
    /// How far a delivery is.
    DeliveryStatus {
        /// Not handed out yet.
        Planned = "planned",
        /// Handed out; the return is awaited.
        Open = "open",
        /// Something came back.
        Submitted = "submitted",
        /// What came back has to be changed.
        ChangesRequested = "changes_requested",
        /// Done.
        Accepted = "accepted",
        /// Not needed any more.
        Cancelled = "cancelled",
    }
    /// What became of a submission.
    SubmissionStatus {
        /// Here, and not judged yet.
        Received = "received",
        /// Good.
        Accepted = "accepted",
        /// To be changed.
        ChangesRequested = "changes_requested",
        /// Not wanted.
        Rejected = "rejected",
        /// A later one came while this one was not judged yet.
        Superseded = "superseded",
        /// Taken back by staff.
        Withdrawn = "withdrawn",
    }
    /// What became of an approval.
    ApprovalStatus {
        /// Not decided.
        Pending = "pending",
        /// Yes.
        Approved = "approved",
        /// Change this.
        ChangesRequested = "changes_requested",
        /// No.
        Rejected = "rejected",
        /// A later one took its place.
        Superseded = "superseded",
        /// Not asked any more.
        Withdrawn = "withdrawn",
    }
    /// How far a purchase order is.
    OrderStatus {
        /// Being written.
        Draft = "draft",
        /// Waits for a signature.
        PendingApproval = "pending_approval",
        /// Signed: the money is committed.
        Approved = "approved",
        /// Part of it has come.
        PartReceived = "part_received",
        /// All of it has come and is paid.
        Closed = "closed",
        /// Not valid any more.
        Void = "void",
    }
    /// How far a job is.
    JobStatus {
        /// Waits for its turn.
        Queued = "queued",
        /// Under way.
        Running = "running",
        /// Done.
        Done = "done",
        /// Ended without having done what it should.
        Failed = "failed",
    }
}

impl ProductionStatus {
    /// Whether `next` may follow: step by step, the end by archiving, and steps back while not archived.
    pub fn may_become(self, next: Self) -> bool {
        self == next || self != Self::Archived
    }
}

impl AssetStatus {
    /// Whether `next` may follow: anything, but nothing follows final.
    pub fn may_become(self, next: Self) -> bool {
        self == next || self != Self::Final
    }

    /// Whether work on it is outstanding.
    pub fn is_outstanding(self) -> bool {
        matches!(self, Self::Planned | Self::InProgress | Self::InReview | Self::OnHold)
    }
}

impl EngagementStatus {
    /// Whether `next` may follow: draft → active ⇄ suspended → ended.
    pub fn may_become(self, next: Self) -> bool {
        match self {
            _ if self == next => true,
            Self::Draft => true,
            Self::Active => matches!(next, Self::Suspended | Self::Ended),
            Self::Suspended => matches!(next, Self::Active | Self::Ended),
            Self::Ended => false,
        }
    }
}

impl DeliveryStatus {
    /// Whether `next` may follow: planned → open → submitted ⇄ changes requested → accepted, cancelled from any but accepted.
    pub fn may_become(self, next: Self) -> bool {
        match self {
            _ if self == next => true,
            Self::Planned => matches!(next, Self::Open | Self::Cancelled),
            Self::Open => matches!(next, Self::Planned | Self::Submitted | Self::Cancelled),
            Self::Submitted => matches!(next, Self::ChangesRequested | Self::Accepted | Self::Cancelled),
            Self::ChangesRequested => matches!(next, Self::Submitted | Self::Cancelled),
            Self::Accepted | Self::Cancelled => false,
        }
    }

    /// Whether something is owed: what is outstanding may become overdue.
    pub fn is_outstanding(self) -> bool {
        matches!(self, Self::Open | Self::ChangesRequested)
    }
}

impl OrderStatus {
    /// Whether `next` may follow: forwards only, and void before closed.
    pub fn may_become(self, next: Self) -> bool {
        match self {
            _ if self == next => true,
            Self::Draft => true,
            Self::PendingApproval => next != Self::Draft,
            Self::Approved => matches!(next, Self::PartReceived | Self::Closed | Self::Void),
            Self::PartReceived => matches!(next, Self::Closed | Self::Void),
            Self::Closed | Self::Void => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow<W: Words>(from: W, may: impl Fn(W, W) -> bool) -> Vec<&'static str> {
        W::ALL.iter().filter(|next| **next != from && may(from, **next)).map(|next| next.as_str()).collect()
    }

    #[test]
    fn what_may_follow_a_state() {
        assert_eq!(follow(ProductionStatus::Archived, ProductionStatus::may_become), Vec::<&str>::new());
        assert_eq!(follow(AssetStatus::Final, AssetStatus::may_become), Vec::<&str>::new());
        assert_eq!(follow(EngagementStatus::Active, EngagementStatus::may_become), ["suspended", "ended"]);
        assert_eq!(follow(EngagementStatus::Ended, EngagementStatus::may_become), Vec::<&str>::new());
        assert_eq!(follow(DeliveryStatus::Planned, DeliveryStatus::may_become), ["open", "cancelled"]);
        assert_eq!(follow(DeliveryStatus::ChangesRequested, DeliveryStatus::may_become), ["submitted", "cancelled"]);
        assert_eq!(follow(DeliveryStatus::Accepted, DeliveryStatus::may_become), Vec::<&str>::new());
        assert_eq!(follow(OrderStatus::PartReceived, OrderStatus::may_become), ["closed", "void"]);
    }

    #[test]
    fn a_word_is_found_by_its_spelling_only() {
        assert_eq!(AssetStatus::named("in_review"), Some(AssetStatus::InReview));
        assert_eq!(AssetStatus::named("done"), None);
        assert_eq!(serde_json::to_string(&AssetStatus::OnHold).unwrap(), "\"on_hold\"");
    }
}
