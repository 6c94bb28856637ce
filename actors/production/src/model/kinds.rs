//! The words for what sort of thing something is.

use serde::{Deserialize, Serialize};

use super::states::{Words, words};

words! {
    /// What is being made.
    ProductionKind {
        /// One film.
        Film = "film",
        /// Several episodes.
        Series = "series",
        /// A short film.
        Short = "short",
        /// A commercial.
        Commercial = "commercial",
    }
    /// What an asset is, after the categories of a breakdown.
    AssetKind {
        /// A character that has to be made: a creature, a double.
        Character = "character",
        /// Handled by an actor.
        Prop = "prop",
        /// Built.
        Set = "set",
        /// Stands in a set.
        SetDressing = "set_dressing",
        /// Worn.
        Costume = "costume",
        /// Make-up and hair.
        Makeup = "makeup",
        /// Driven.
        Vehicle = "vehicle",
        /// An animal.
        Animal = "animal",
        /// A weapon.
        Weapon = "weapon",
        /// An effect on the set.
        Sfx = "sfx",
        /// An effect made afterwards.
        Vfx = "vfx",
        /// A stunt.
        Stunt = "stunt",
        /// Music.
        Music = "music",
        /// Something drawn or printed.
        Graphic = "graphic",
        /// A place that has to be found.
        Location = "location",
        /// People in the background.
        Extra = "extra",
        /// Anything else.
        Other = "other",
    }
    /// Where a scene plays.
    IntExt {
        /// Inside.
        Interior = "INT",
        /// Outside.
        Exterior = "EXT",
        /// Both, as in a car.
        Both = "INT/EXT",
    }
    /// How much of the script an engagement may read.
    ScriptAccess {
        /// Nothing of it.
        None = "none",
        /// The headings.
        Heading = "heading",
        /// The text of the scenes in its reach.
        Text = "text",
    }
    /// Who may read a note.
    Visibility {
        /// The production's own people.
        Production = "production",
        /// Also the engagements that hold the node.
        Engagement = "engagement",
    }
    /// What a draft was read from.
    DraftSource {
        /// A Fountain file.
        Fountain = "fountain",
        /// A Final Draft file.
        Fdx = "fdx",
    }
    /// What a draft did to a scene.
    SceneChange {
        /// It is new.
        Added = "added",
        /// It was removed; its number stays.
        Omitted = "omitted",
        /// It had been removed and is back.
        Restored = "restored",
        /// Its action or dialogue is another.
        Revised = "revised",
        /// Its heading is another.
        HeadingChanged = "heading_changed",
    }
    /// What happens on a day of the schedule.
    DayKind {
        /// The camera runs.
        Shoot = "shoot",
        /// Preparation.
        Prep = "prep",
        /// Travel.
        Travel = "travel",
        /// Nothing.
        Off = "off",
        /// A holiday.
        Holiday = "holiday",
        /// The last day.
        Wrap = "wrap",
    }
    /// What a milestone is about.
    MilestoneKind {
        /// Something is fixed.
        Lock = "lock",
        /// Something goes out.
        Turnover = "turnover",
        /// Something is handed over.
        Delivery = "delivery",
        /// Anything else.
        Other = "other",
    }
    /// What is handed over.
    DeliveryKind {
        /// Part of the cut, to a vendor who sends work back.
        Turnover = "turnover",
        /// A cut.
        Cut = "cut",
        /// A master.
        Master = "master",
        /// The day's pictures.
        Dailies = "dailies",
        /// Papers.
        Legal = "legal",
        /// Material for advertising.
        Marketing = "marketing",
    }
    /// What a file is for.
    MediaKind {
        /// Sent by a vendor.
        Submission = "submission",
        /// Sent to a vendor.
        Package = "package",
        /// To look at.
        Reference = "reference",
        /// A script file.
        Script = "script",
    }
    /// Through which door a submission came.
    Via {
        /// REST.
        Rest = "rest",
        /// MCP.
        Mcp = "mcp",
    }
    /// What sort of one acted.
    ActorKind {
        /// An access key.
        Key = "key",
        /// A signed-in person or the operator at the command line.
        Person = "person",
        /// This service itself.
        System = "system",
    }
    /// What an approval, an activity entry or a link is about.
    SubjectType {
        /// The production as a whole.
        Production = "production",
        /// A draft of the script.
        Draft = "draft",
        /// A scene.
        Scene = "scene",
        /// A character.
        Character = "character",
        /// An asset.
        Asset = "asset",
        /// The schedule.
        Schedule = "schedule",
        /// A delivery.
        Delivery = "delivery",
        /// A submission.
        Submission = "submission",
        /// An approval.
        Approval = "approval",
        /// A purchase order.
        PurchaseOrder = "purchase_order",
        /// An engagement.
        Engagement = "engagement",
        /// A person.
        Person = "person",
        /// An access key.
        Key = "key",
        /// A file.
        Media = "media",
    }
    /// What can be imported: the last part of `POST /imports/{kind}`.
    ImportKind {
        /// A screenplay.
        Script = "script",
        /// The breakdown's assets.
        Assets = "assets",
        /// The stripboard.
        Schedule = "schedule",
        /// The crew list.
        People = "people",
        /// What is owed by when.
        Deliveries = "deliveries",
        /// Purchase orders; needs `read:money` too.
        PurchaseOrders = "purchase-orders",
        /// A cut, which fills a turnover's shots.
        Cut = "cut",
    }
    /// What happened, in the activity list.
    Verb {
        /// The production's own fields changed.
        ProductionUpdated = "production.updated",
        /// A draft came in.
        DraftImported = "draft.imported",
        /// A scene is new.
        SceneAdded = "scene.added",
        /// A scene was removed.
        SceneOmitted = "scene.omitted",
        /// A scene was rewritten.
        SceneRevised = "scene.revised",
        /// An asset is new.
        AssetCreated = "asset.created",
        /// An asset changed, or many did.
        AssetUpdated = "asset.updated",
        /// A note was written.
        AssetNoted = "asset.noted",
        /// The schedule was replaced.
        ScheduleImported = "schedule.imported",
        /// A delivery is new, or many are.
        DeliveryCreated = "delivery.created",
        /// A delivery changed, or many did.
        DeliveryUpdated = "delivery.updated",
        /// A turnover was handed out.
        TurnoverOpened = "turnover.opened",
        /// A submission came in.
        SubmissionReceived = "submission.received",
        /// A submission was overtaken by a later one.
        SubmissionSuperseded = "submission.superseded",
        /// An approval was asked for.
        ApprovalAsked = "approval.asked",
        /// An approval was decided.
        ApprovalDecided = "approval.decided",
        /// Orders came in.
        OrderImported = "order.imported",
        /// An order changed.
        OrderUpdated = "order.updated",
        /// An engagement or its reach changed.
        EngagementUpdated = "engagement.updated",
        /// A key was made.
        KeyCreated = "key.created",
        /// A key was revoked.
        KeyRevoked = "key.revoked",
        /// A file was removed.
        MediaPurged = "media.purged",
    }
}

impl Verb {
    /// Whether the entry is about money: shown only to keys with `read:money`.
    pub fn is_money(self) -> bool {
        matches!(self, Verb::OrderImported | Verb::OrderUpdated)
    }
}
