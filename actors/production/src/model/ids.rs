//! The numbers by which things are known. Each type counts for itself within a production, from 1; none is used twice.

use std::fmt;

pub use playhouse_house::EngagementId;
use serde::{Deserialize, Serialize};

/// Something that is known by a number of its own.
pub trait Id: Copy + Ord + fmt::Display {
    /// Which counter its numbers come from.
    const COUNTER: Counter;

    /// The id with this number.
    fn numbered(number: u32) -> Self;

    /// The number.
    fn number(self) -> u32;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident from $counter:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
            #[serde(transparent)]
            #[schemars(inline)]
            pub struct $name(pub u32);

            impl Id for $name {
                const COUNTER: Counter = Counter::$counter;

                fn numbered(number: u32) -> Self {
                    Self(number)
                }

                fn number(self) -> u32 {
                    self.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

ids! {
    /// A scene, a character or an asset: the three share one counter, because notes and bundles speak of any of them.
    NodeId from Node;
    /// An episode of a series.
    EpisodeId from Episode;
    /// A person.
    PersonId from Person;
    /// A vendor.
    VendorId from Vendor;
    /// A draft of the script.
    DraftId from Draft;
    /// A note on a node.
    NoteId from Note;
    /// A day of the schedule.
    DayId from Day;
    /// A milestone of the schedule.
    MilestoneId from Milestone;
    /// A delivery; a turnover's id is its delivery's.
    DeliveryId from Delivery;
    /// What a vendor sent back.
    SubmissionId from Submission;
    /// One file, as it was named when it came in.
    MediaId from Media;
    /// An approval that was asked for.
    ApprovalId from Approval;
    /// A purchase order.
    OrderId from Order;
    /// An entry of the activity list.
    ActivityId from Activity;
    /// A piece of background work.
    JobId from Job;
}

/// The house knows engagements too, as keys are bound to them; their numbers are the production's to give.
impl Id for EngagementId {
    const COUNTER: Counter = Counter::Engagement;

    fn numbered(number: u32) -> Self {
        Self(number)
    }

    fn number(self) -> u32 {
        self.0
    }
}

/// One counter of a production.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the counter of the id of its name")]
pub enum Counter {
    Node,
    Episode,
    Person,
    Vendor,
    Engagement,
    Draft,
    Note,
    Day,
    Milestone,
    Delivery,
    Submission,
    Media,
    Approval,
    Order,
    Activity,
    Job,
}

/// The last number each counter gave out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counters(Vec<u32>);

impl Counters {
    /// A number that was never given out before.
    pub fn next_id<I: Id>(&mut self) -> I {
        let place = I::COUNTER as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        // Four thousand million of one type are out of reach: a production's records fill the disk long before.
        self.0[place] = self.0[place].saturating_add(1);
        I::numbered(self.0[place])
    }

    /// The last number given out, 0 before the first.
    pub fn last(&self, counter: Counter) -> u32 {
        self.0.get(counter as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counter_counts_for_itself_from_one() {
        let mut counters = Counters::default();
        assert_eq!((counters.next_id::<NodeId>(), counters.next_id::<NodeId>()), (NodeId(1), NodeId(2)));
        assert_eq!(counters.next_id::<JobId>(), JobId(1));
        assert_eq!((counters.last(Counter::Node), counters.last(Counter::Order)), (2, 0));
    }
}
