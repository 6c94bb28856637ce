//! What a reader sees of each record: one function a record, used by every answer on every door.
//!
//! A production-wide reader sees everything. A reader that is bound to an engagement sees the records in its reach, and some of those with
//! fields taken out. Answers filter with these functions first and count, sort and limit afterwards, so no number speaks of what is hidden.

use crate::messages::{OfficeRefusal, Reader};
use crate::model::{
    Actor, ActorKind, Approval, Asset, Character, Delivery, EngagementId, Link, Media, Note, PurchaseOrder, Scene,
    ScriptAccess, ShootDay, SubjectType, Submission, Visibility,
};
use crate::office::{Office, Reach};

/// How far a reader sees into an office.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    office: &'a Office,
    /// `None` sees everything.
    reach: Option<&'a Reach>,
}

impl<'a> Sight<'a> {
    /// What `reader` sees of `office`.
    ///
    /// # Errors
    /// 403 when the reader is bound to an engagement that this office does not have.
    pub(crate) fn of(office: &'a Office, reader: &Reader) -> Result<Self, OfficeRefusal> {
        let reach = match reader.engagement {
            None => None,
            Some(engagement) => Some(office.reach_of(engagement).ok_or_else(OfficeRefusal::engagement_not_active)?),
        };
        Ok(Self { office, reach })
    }

    /// The sight of somebody who sees everything.
    pub(crate) fn wide(office: &'a Office) -> Self {
        Self { office, reach: None }
    }

    /// What answers say of themselves: `production` or `engagement`, which tells a model that it reads a part.
    pub(crate) fn view(self) -> &'static str {
        if self.reach.is_none() { "production" } else { "engagement" }
    }

    fn sees_engagement(self, engagement: Option<EngagementId>) -> bool {
        self.reach.is_none_or(|reach| engagement == Some(reach.engagement))
    }

    /// A scene: in reach.
    pub(crate) fn scene(self, scene: &Scene) -> Option<&Scene> {
        self.reach.is_none_or(|reach| reach.scenes.contains(&scene.node_id)).then_some(scene)
    }

    /// A scene's heading: part of the script, so it goes by the engagement's access to it.
    pub(crate) fn heading(self, scene: &Scene) -> Option<&str> {
        self.reach.is_none_or(|reach| reach.script_access != ScriptAccess::None).then_some(scene.heading.as_str())
    }

    /// How much of the words of a scene in reach is shown.
    pub(crate) fn script_access(self) -> ScriptAccess {
        self.reach.map_or(ScriptAccess::Text, |reach| reach.script_access)
    }

    /// A character: of a reached scene, or assigned.
    pub(crate) fn character(self, character: &Character) -> Option<&Character> {
        self.reach.is_none_or(|reach| reach.characters.contains(&character.node_id)).then_some(character)
    }

    /// Who plays a character: not for engagements.
    pub(crate) fn actor(self, character: &Character) -> Shown<Option<&str>> {
        Shown(self.reach.is_none().then_some(character.actor.as_deref()))
    }

    /// An asset: assigned, or naming the engagement.
    pub(crate) fn asset(self, asset: &Asset) -> Option<&Asset> {
        self.reach.is_none_or(|reach| reach.assets.contains(&asset.node_id)).then_some(asset)
    }

    /// The engagement that makes an asset in reach: named only where it is the reader's own.
    pub(crate) fn asset_engagement(self, asset: &Asset) -> Option<EngagementId> {
        asset.engagement_id.filter(|engagement| self.sees_engagement(Some(*engagement)))
    }

    /// Unit, number and place of a day: engagements learn its date alone.
    pub(crate) fn day(self, day: &ShootDay) -> Shown<&ShootDay> {
        Shown(self.reach.is_none().then_some(day))
    }

    /// A delivery: of the engagement itself.
    pub(crate) fn delivery(self, delivery: &Delivery) -> Option<&Delivery> {
        self.sees_engagement(delivery.engagement_id).then_some(delivery)
    }

    /// A submission: to a delivery that is seen.
    pub(crate) fn submission(self, submission: &Submission) -> Option<&Submission> {
        let delivery = self.office.deliveries.get(&submission.delivery_id)?;
        self.delivery(delivery).map(|_| submission)
    }

    /// An approval: for engagements only of their submissions, and who decided is "Production".
    pub(crate) fn approval(self, approval: &Approval) -> Option<Approval> {
        if self.reach.is_none() {
            return Some(approval.clone());
        }
        if approval.subject.subject_type != SubjectType::Submission {
            return None;
        }
        let submission = self.office.submissions.get(&crate::model::SubmissionId(approval.subject.id))?;
        self.submission(submission)?;
        let mut shown = approval.clone();
        let production = || Actor { kind: ActorKind::Person, label: "Production".to_owned() };
        shown.decided_by = shown.decided_by.map(|_| production());
        shown.history.clear();
        Some(shown)
    }

    /// A note on a node that is seen: for engagements only what was written for them.
    pub(crate) fn note(self, note: &Note) -> Option<&Note> {
        let seen =
            self.reach.is_none_or(|reach| note.visibility == Visibility::Engagement && reach.holds(note.node_id));
        seen.then_some(note)
    }

    /// A file: for engagements those of their packages and submissions, and those shared with them.
    pub(crate) fn media(self, media: &Media) -> Option<&Media> {
        let seen = self.reach.is_none_or(|reach| {
            media.shared_with.contains(&reach.engagement)
                || media.linked.iter().any(|link| self.is_own_parcel(*link))
                || self.packed_in(media)
        });
        seen.then_some(media)
    }

    /// What a file that is seen belongs to, as far as that is seen.
    pub(crate) fn link(self, link: Link) -> Option<Link> {
        let seen = self.reach.is_none_or(|reach| match link.subject_type {
            SubjectType::Submission | SubjectType::Delivery => self.is_own_parcel(link),
            SubjectType::Scene | SubjectType::Character | SubjectType::Asset => {
                reach.holds(crate::model::NodeId(link.id))
            }
            _ => false,
        });
        seen.then_some(link)
    }

    /// An order: of the engagement itself, without account, signature and the production's own words.
    pub(crate) fn order(self, order: &PurchaseOrder) -> Option<(&PurchaseOrder, Shown<&PurchaseOrder>)> {
        self.sees_engagement(order.engagement_id).then_some((order, Shown(self.reach.is_none().then_some(order))))
    }

    /// Whether a file belongs to a delivery or submission of the reader's own.
    fn is_own_parcel(self, link: Link) -> bool {
        match link.subject_type {
            SubjectType::Delivery => {
                let delivery = self.office.deliveries.get(&crate::model::DeliveryId(link.id));
                delivery.is_some_and(|delivery| self.delivery(delivery).is_some())
            }
            SubjectType::Submission => {
                let submission = self.office.submissions.get(&crate::model::SubmissionId(link.id));
                submission.is_some_and(|submission| self.submission(submission).is_some())
            }
            _ => false,
        }
    }

    /// Whether one of the reader's own deliveries has the file in its package.
    fn packed_in(self, media: &Media) -> bool {
        let Some(reach) = self.reach else { return true };
        let mut own = self.office.by.deliveries_of_engagement.of(&reach.engagement);
        own.any(|id| self.office.deliveries.get(&id).is_some_and(|delivery| delivery.package.contains(&media.id)))
    }
}

/// Something that only some readers are shown. Hidden fields are missing from the JSON, not `null`: `null` says that there is nothing.
#[derive(Clone, Copy)]
pub(crate) struct Shown<T>(Option<T>);

impl<T> Shown<T> {
    pub(crate) fn map<U>(self, field: impl FnOnce(T) -> U) -> Option<U> {
        self.0.map(field)
    }
}
