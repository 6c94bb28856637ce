//! What a reader sees of each record: one function a record, used by every answer on every door.
//!
//! A production-wide reader sees everything. A reader that is bound to an engagement sees the records in its reach, and some of those with
//! fields taken out. Answers filter with these functions first and count, sort and limit afterwards, so no number speaks of what is hidden.

use std::borrow::Cow;
use std::sync::LazyLock;

use playhouse_house::Scope;

use crate::messages::{OfficeRefusal, Reader};
use crate::model::{
    Actor, ActorKind, Approval, Asset, Character, Delivery, EngagementId, EngagementStatus, Job, Link, Media, Note,
    PurchaseOrder, Scene, ScriptAccess, ShootDay, SubjectType, Submission, Visibility,
};
use crate::office::{Office, Reach};

/// How far a reader sees into an office.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    office: &'a Office,
    /// `None` sees everything.
    reach: Option<&'a Reach>,
    sees_money: bool,
}

/// Who acted for the production, as engagements are told: people's names are none of theirs.
static PRODUCTION: LazyLock<Actor> =
    LazyLock::new(|| Actor { kind: ActorKind::Person, label: "Production".to_owned() });

/// What keys without the scope for money are told instead of an error that may quote an amount.
const ABOUT_MONEY: &str = "It came to nothing; keys with the scope 'read:money' see why.";

impl<'a> Sight<'a> {
    /// What `reader` sees of `office`.
    ///
    /// # Errors
    /// 403 when the reader is bound to an engagement that this office does not have, or that is not active.
    pub(crate) fn of(office: &'a Office, reader: &Reader) -> Result<Self, OfficeRefusal> {
        let reach = match reader.engagement {
            None => None,
            Some(engagement) => {
                let known = office.engagements.get(&engagement);
                let is_active = known.is_some_and(|known| known.status == EngagementStatus::Active);
                let reach = office.reach_of(engagement).filter(|_| is_active);
                Some(reach.ok_or_else(OfficeRefusal::engagement_not_active)?)
            }
        };
        Ok(Self { office, reach, sees_money: reader.scopes.contains(Scope::ReadMoney) })
    }

    /// The sight of somebody who sees everything.
    pub(crate) fn wide(office: &'a Office) -> Self {
        Self { office, reach: None, sees_money: true }
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

    /// An approval: for engagements only of their submissions. Who asked and who decided is "Production", unless the engagement's own key
    /// asked.
    pub(crate) fn approval<'r>(self, approval: &'r Approval) -> Option<SeenApproval<'r>> {
        if self.reach.is_some() {
            let about = approval.subject.subject_type == SubjectType::Submission;
            let submission =
                about.then(|| self.office.submissions.get(&crate::model::SubmissionId(approval.subject.id)));
            self.submission(submission.flatten()?)?;
        }
        let decided_by = approval.decided_by.as_ref();
        Some(SeenApproval {
            approval,
            asked_by: if self.is_own_asking(approval) { &approval.asked_by } else { &PRODUCTION },
            decided_by: decided_by.map(|by| if self.reach.is_none() { by } else { &*PRODUCTION }),
        })
    }

    /// Who sent a submission that is seen: the name of a key that is not the engagement's own is the production's.
    pub(crate) fn submitter(self, submission: &Submission) -> &Actor {
        // The key that submits is the one that asks for the approval.
        let asked = self.office.approvals.get(&submission.approval_id);
        let is_own = self.reach.is_none() || asked.is_some_and(|approval| self.is_own_asking(approval));
        if is_own { &submission.submitted_by } else { &PRODUCTION }
    }

    fn is_own_asking(self, approval: &Approval) -> bool {
        self.reach.is_none_or(|reach| approval.asked_by_engagement == Some(reach.engagement))
    }

    /// A piece of background work. Why an import of orders failed may quote amounts.
    pub(crate) fn job<'r>(self, job: &'r Job) -> Cow<'r, Job> {
        if self.sees_money || !job.is_money() || job.error.is_none() {
            return Cow::Borrowed(job);
        }
        Cow::Owned(Job { error: Some(ABOUT_MONEY.to_owned()), ..job.clone() })
    }

    /// A note on a node that is seen: for engagements only what was written for them.
    pub(crate) fn note(self, note: &Note) -> Option<&Note> {
        let seen =
            self.reach.is_none_or(|reach| note.visibility == Visibility::Engagement && reach.holds(note.node_id));
        seen.then_some(note)
    }

    /// Who wrote a note that is seen. Only the production writes notes.
    pub(crate) fn author(self, note: &Note) -> &str {
        if self.reach.is_none() { &note.author } else { &PRODUCTION.label }
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

/// An approval as a reader sees it.
pub(crate) struct SeenApproval<'a> {
    /// What everybody sees alike of it.
    pub(crate) approval: &'a Approval,
    pub(crate) asked_by: &'a Actor,
    pub(crate) decided_by: Option<&'a Actor>,
}

/// Something that only some readers are shown. Hidden fields are missing from the JSON, not `null`: `null` says that there is nothing.
#[derive(Clone, Copy)]
pub(crate) struct Shown<T>(Option<T>);

impl<T> Shown<T> {
    pub(crate) fn map<U>(self, field: impl FnOnce(T) -> U) -> Option<U> {
        self.0.map(field)
    }
}
