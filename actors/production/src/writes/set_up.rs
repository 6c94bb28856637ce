//! Setting a production up: what no key can do.

use super::approvals::{about_asset, about_order};
use super::desk::{Desk, subject};
use super::reach_names;
use crate::messages::{OfficeRefusal, PutDepartment, PutEngagement, PutEpisode, PutProduction, PutVendor, SetUpStep};
use crate::model::{
    Approval, ApprovalId, ApprovalStatus, Delivery, DeliveryKind, DeliveryStatus, Department, DraftId, Engagement,
    EngagementStatus, Episode, EpisodeStatus, Media, NodeId, OrderId, Production, ProductionStatus, ScriptAccess,
    Subject, SubjectType, Submission, SubmissionId, SubmissionStatus, Vendor, Verb,
};
use crate::office::Office;
use crate::reads::{is_frame_rate, is_time_zone};

const MOST_NAME_CHARS: usize = 200;

/// Does one step and answers the number of the thing.
pub(crate) fn set_up(desk: &mut Desk<'_>, step: SetUpStep) -> Result<u32, OfficeRefusal> {
    match step {
        SetUpStep::PutProduction(step) => put_production(desk, step),
        SetUpStep::PutEpisode(step) => put_episode(desk, step),
        SetUpStep::PutDepartment(step) => put_department(desk, step),
        SetUpStep::PutVendor(step) => put_vendor(desk, step),
        SetUpStep::PutEngagement(step) => put_engagement(desk, step),
        SetUpStep::SetEngagementStatus { code, status } => set_engagement_status(desk, &code, status),
        SetUpStep::SetProductionStatus { status } => set_production_status(desk, status),
        SetUpStep::SetDeliverySpec { code, spec } => {
            let delivery = delivery_coded(desk, &code)?;
            change_delivery(desk, Delivery { spec: Some(spec), ..delivery }, "specification changed")
        }
        SetUpStep::SetDeliveryStatus { code, status } => set_delivery_status(desk, &code, status),
        SetUpStep::AskApproval { subject_type, id, due_on } => {
            desk.open_production()?;
            let about = approvable(desk, subject_type, id)?;
            if let Some(pending) = desk.pending_about(&about) {
                return Ok(pending.id.0);
            }
            let summary = format!("{}: approval asked for", about.title);
            let approval = desk.ask_by_hand(about.clone(), due_on);
            desk.record(Verb::ApprovalAsked, about, summary);
            Ok(approval.id.0)
        }
        SetUpStep::PurgeMedia { sha256 } => purge(desk, &sha256),
        SetUpStep::WithdrawApproval { id } => withdraw(desk, id),
    }
}

fn put_production(desk: &mut Desk<'_>, step: PutProduction) -> Result<u32, OfficeRefusal> {
    check_name("title", &step.title)?;
    let is_code = (3..=4).contains(&step.code.len())
        && step.code.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    require(is_code, || format!("code must be 3 or 4 capital letters or digits, not '{}'.", step.code))?;
    let zone = &step.timezone;
    require(is_time_zone(zone), || format!("'{zone}' is no time zone; write a name such as Europe/London."))?;
    let is_currency = step.currency.len() == 3 && step.currency.bytes().all(|it| it.is_ascii_uppercase());
    require(is_currency, || format!("currency must be an ISO 4217 code such as GBP, not '{}'.", step.currency))?;
    let fps = &step.fps;
    require(is_frame_rate(fps), || format!("fps must be a number or a fraction such as 24000/1001, not '{fps}'."))?;
    let known = desk.office.production();
    if let Some(known) = known {
        desk.open_production()?;
        require_step(known.status.may_become(step.status), "production", known.status, step.status)?;
    }
    let production = Production {
        id: 1,
        title: step.title,
        code: step.code,
        kind: step.kind,
        status: step.status,
        timezone: step.timezone,
        currency: step.currency,
        fps: step.fps,
        start_date: step.start_date,
        wrap_date: step.wrap_date,
        four_eyes: step.four_eyes,
    };
    if known == Some(&production) {
        return Ok(1);
    }
    let summary = if known.is_none() { "production set up" } else { "production changed" };
    desk.record(Verb::ProductionUpdated, about_production(&production), summary.to_owned());
    desk.changes.put(production);
    Ok(1)
}

fn set_production_status(desk: &mut Desk<'_>, status: ProductionStatus) -> Result<u32, OfficeRefusal> {
    let production = desk.open_production()?;
    if production.status == status {
        return Ok(production.id);
    }
    require_step(production.status.may_become(status), "production", production.status, status)?;
    desk.record(Verb::ProductionUpdated, about_production(production), format!("status is now {status}"));
    desk.changes.put(Production { status, ..production.clone() });
    Ok(production.id)
}

fn put_episode(desk: &mut Desk<'_>, step: PutEpisode) -> Result<u32, OfficeRefusal> {
    check_name("title", &step.title)?;
    let production = desk.open_production()?;
    let known = desk.office.episode_numbered(step.number);
    let status = step.status.or(known.map(|known| known.status)).unwrap_or(EpisodeStatus::Planned);
    let id = known.map_or_else(|| desk.changes.next_id(), |known| known.id);
    let episode = Episode { id, number: step.number, title: step.title, status };
    if known != Some(&episode) {
        let summary = format!("episode {} put", episode.number);
        desk.record(Verb::ProductionUpdated, about_production(production), summary);
        desk.changes.put(episode);
    }
    Ok(id.0)
}

fn put_department(desk: &mut Desk<'_>, step: PutDepartment) -> Result<u32, OfficeRefusal> {
    let is_slug = (1..=60).contains(&step.slug.len())
        && step.slug.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-');
    require(is_slug, || "slug must be lower case letters, digits and hyphens.".to_owned())?;
    let production = desk.open_production()?;
    let office = desk.office;
    let known = office.departments.get(&step.slug);
    let head = match step.head.as_deref() {
        None => known.and_then(|known| known.head),
        Some(name) => {
            let person = office.people.iter().find(|person| person.name == name);
            let person = person.ok_or_else(|| OfficeRefusal::invalid(format!("Nobody is called '{name}'.")))?;
            Some(person.id)
        }
    };
    let name = step.name.or_else(|| known.map(|known| known.name.clone()));
    let department = Department {
        name: name.unwrap_or_else(|| titled(&step.slug)),
        slug: step.slug,
        colour: step.colour.or_else(|| known.and_then(|known| known.colour.clone())),
        head,
    };
    check_name("name", &department.name)?;
    if known != Some(&department) {
        let summary = format!("department {} put", department.slug);
        desk.record(Verb::ProductionUpdated, about_production(production), summary);
        desk.changes.put(department);
    }
    Ok(0)
}

fn put_vendor(desk: &mut Desk<'_>, step: PutVendor) -> Result<u32, OfficeRefusal> {
    check_name("name", &step.name)?;
    check_name("code", &step.code)?;
    let production = desk.open_production()?;
    let known = desk.office.vendor_coded(&step.code);
    let id = known.map_or_else(|| desk.changes.next_id(), |known| known.id);
    let vendor = Vendor { id, code: step.code, name: step.name };
    if known != Some(&vendor) {
        let summary = format!("vendor {} put", vendor.code);
        desk.record(Verb::ProductionUpdated, about_production(production), summary);
        desk.changes.put(vendor);
    }
    Ok(id.0)
}

fn put_engagement(desk: &mut Desk<'_>, step: PutEngagement) -> Result<u32, OfficeRefusal> {
    check_name("title", &step.title)?;
    check_name("code", &step.code)?;
    let office = desk.office;
    let vendor = office.vendor_coded(&step.vendor);
    let vendor = vendor.ok_or_else(|| OfficeRefusal::invalid(format!("Unknown vendor '{}'.", step.vendor)))?;
    if let Some(slug) = &step.department {
        office.departments.get(slug).ok_or_else(|| OfficeRefusal::unknown_department(slug))?;
    }
    desk.open_production()?;
    let known = office.engagement_coded(&step.code);
    if let Some(known) = known {
        require_step(known.status.may_become(step.status), "engagement", known.status, step.status)?;
    }
    let assigned = match &step.reach {
        Some(names) => reach_names::assigned(office, names)?,
        None => known.map(|known| known.assigned.clone()).unwrap_or_default(),
    };
    let access = step.script_access.or(known.map(|known| known.script_access)).unwrap_or(ScriptAccess::Text);
    let id = known.map_or_else(|| desk.changes.next_id(), |known| known.id);
    let engagement = Engagement {
        id,
        code: step.code,
        title: step.title,
        vendor: vendor.id,
        status: step.status,
        department: step.department,
        starts_on: step.starts_on,
        ends_on: step.ends_on,
        script_access: access,
        assigned,
    };
    if known != Some(&engagement) {
        let summary =
            format!("{}: {}, {} things assigned", engagement.code, engagement.status, engagement.assigned.len());
        desk.record(Verb::EngagementUpdated, about_engagement(&engagement), summary);
        desk.changes.put(engagement);
    }
    Ok(id.0)
}

fn set_engagement_status(desk: &mut Desk<'_>, code: &str, status: EngagementStatus) -> Result<u32, OfficeRefusal> {
    let engagement = desk.office.engagement_coded(code).ok_or_else(|| OfficeRefusal::not_found("Engagement"))?;
    desk.open_production()?;
    if engagement.status == status {
        return Ok(engagement.id.0);
    }
    require_step(engagement.status.may_become(status), "engagement", engagement.status, status)?;
    desk.record(Verb::EngagementUpdated, about_engagement(engagement), format!("{code}: now {status}"));
    desk.changes.put(Engagement { status, ..engagement.clone() });
    Ok(engagement.id.0)
}

fn set_delivery_status(desk: &mut Desk<'_>, code: &str, status: DeliveryStatus) -> Result<u32, OfficeRefusal> {
    let delivery = delivery_coded(desk, code)?;
    // Staff may reopen what was accepted: the one way back.
    let reopens = delivery.status == DeliveryStatus::Accepted && status == DeliveryStatus::Open;
    require_step(reopens || delivery.status.may_become(status), "delivery", delivery.status, status)?;
    let is_accepted = status == DeliveryStatus::Accepted;
    let accepted_submission_id = delivery.accepted_submission_id.filter(|_| is_accepted);
    let changed = Delivery { status, accepted_submission_id, ..delivery.clone() };
    if delivery.status != status && status == DeliveryStatus::Open && delivery.kind == DeliveryKind::Turnover {
        desk.open_production()?;
        let id = delivery.id.0;
        desk.record(Verb::TurnoverOpened, about_delivery(&delivery), format!("{code} is open"));
        desk.changes.put(changed);
        return Ok(id);
    }
    change_delivery(desk, changed, &format!("{code} is now {status}"))
}

fn change_delivery(desk: &mut Desk<'_>, delivery: Delivery, summary: &str) -> Result<u32, OfficeRefusal> {
    desk.open_production()?;
    let id = delivery.id;
    if desk.office.deliveries.get(&id) != Some(&delivery) {
        desk.record(Verb::DeliveryUpdated, about_delivery(&delivery), summary.to_owned());
        desk.changes.put(delivery);
    }
    Ok(id.0)
}

fn purge(desk: &mut Desk<'_>, sha256: &str) -> Result<u32, OfficeRefusal> {
    let office = desk.office;
    let found: Vec<_> = office.by.media_hashed.of(&sha256.to_owned()).filter_map(|id| office.media.get(&id)).collect();
    if found.is_empty() {
        return Err(OfficeRefusal::not_found("Media"));
    }
    desk.open_production()?;
    for media in found.iter().filter(|media| !media.purged) {
        let about = subject(SubjectType::Media, media.id.0, &media.filename);
        desk.record(Verb::MediaPurged, about, format!("{} was removed", media.filename));
        desk.changes.put(Media { purged: true, ..(*media).clone() });
    }
    Ok(u32::try_from(found.len()).unwrap_or(u32::MAX))
}

fn withdraw(desk: &mut Desk<'_>, id: ApprovalId) -> Result<u32, OfficeRefusal> {
    let approval: &Approval = desk.office.approvals.get(&id).ok_or_else(|| OfficeRefusal::not_found("Approval"))?;
    desk.open_production()?;
    match approval.status {
        ApprovalStatus::Withdrawn => {}
        ApprovalStatus::Pending => {
            desk.close(approval, ApprovalStatus::Withdrawn);
            let summary = format!("{}: approval withdrawn", approval.subject.title);
            desk.record(Verb::ApprovalDecided, approval.subject.clone(), summary);
            if approval.subject.subject_type == SubjectType::Submission {
                take_back(desk, SubmissionId(approval.subject.id));
            }
        }
        other => return Err(OfficeRefusal::conflict(format!("Approval {id} is {other} already."))),
    }
    Ok(id.0)
}

/// Takes a submission back that nobody judged yet: its turnover is open again.
fn take_back(desk: &mut Desk<'_>, id: SubmissionId) {
    let office = desk.office;
    let submission = office.submissions.get(&id).filter(|it| it.status == SubmissionStatus::Received);
    let Some(submission) = submission else { return };
    desk.changes.put(Submission { status: SubmissionStatus::Withdrawn, ..submission.clone() });
    let delivery = office.deliveries.get(&submission.delivery_id);
    let delivery =
        delivery.filter(|it| it.status == DeliveryStatus::Submitted && office.later_than(submission).is_none());
    if let Some(delivery) = delivery {
        let summary = format!("v{:03} was withdrawn, {} is open again", submission.version, delivery.code);
        desk.record(Verb::TurnoverOpened, about_delivery(delivery), summary);
        desk.changes.put(Delivery { status: DeliveryStatus::Open, ..delivery.clone() });
    }
}

/// What an approval may be asked about.
fn approvable(desk: &Desk<'_>, subject_type: SubjectType, id: u32) -> Result<Subject, OfficeRefusal> {
    let office = desk.office;
    let (what, found) = match subject_type {
        SubjectType::Asset => ("Asset", office.assets.get(&NodeId(id)).map(about_asset)),
        SubjectType::PurchaseOrder => ("Order", office.orders.get(&OrderId(id)).map(about_order)),
        SubjectType::Draft => {
            let draft = office.drafts.get(&DraftId(id));
            ("Draft", draft.map(|draft| subject(SubjectType::Draft, id, format!("{} draft", draft.colour))))
        }
        SubjectType::Submission => {
            let submission = office.submissions.get(&SubmissionId(id));
            if let Some(submission) = submission {
                check_newest(office, submission)?;
            }
            ("Submission", submission.map(|it| subject(SubjectType::Submission, id, &it.title)))
        }
        other => return Err(OfficeRefusal::invalid(format!("No approval can be asked about a {other}."))),
    };
    found.ok_or_else(|| OfficeRefusal::not_found(what))
}

/// Only the newest submission to a delivery can be decided, and not once it was taken back.
fn check_newest(office: &Office, submission: &Submission) -> Result<(), OfficeRefusal> {
    let version = submission.version;
    if let Some(later) = office.later_than(submission) {
        let later = later.version;
        return Err(OfficeRefusal::conflict(format!("v{later:03} came in after v{version:03}; ask about that one.")));
    }
    if submission.status == SubmissionStatus::Withdrawn {
        return Err(OfficeRefusal::conflict(format!("v{version:03} was withdrawn.")));
    }
    Ok(())
}

fn delivery_coded(desk: &Desk<'_>, code: &str) -> Result<Delivery, OfficeRefusal> {
    desk.office.delivery_coded(code).cloned().ok_or_else(|| OfficeRefusal::not_found("Delivery"))
}

fn about_production(production: &Production) -> Subject {
    subject(SubjectType::Production, production.id, &production.title)
}

fn about_engagement(engagement: &Engagement) -> Subject {
    subject(SubjectType::Engagement, engagement.id.0, &engagement.title)
}

fn about_delivery(delivery: &Delivery) -> Subject {
    subject(SubjectType::Delivery, delivery.id.0, &delivery.title)
}

fn check_name(what: &str, name: &str) -> Result<(), OfficeRefusal> {
    let fits =
        !name.trim().is_empty() && name.chars().count() <= MOST_NAME_CHARS && !name.chars().any(char::is_control);
    require(fits, || format!("{what} must be 1 to {MOST_NAME_CHARS} characters on one line."))
}

fn require(holds: bool, sentence: impl FnOnce() -> String) -> Result<(), OfficeRefusal> {
    if holds { Ok(()) } else { Err(OfficeRefusal::invalid(sentence())) }
}

fn require_step<S: std::fmt::Display>(may: bool, what: &str, from: S, to: S) -> Result<(), OfficeRefusal> {
    if may { Ok(()) } else { Err(OfficeRefusal::conflict(format!("This {what} is {from} and cannot become {to}."))) }
}

/// A name made from a slug: `set-dressing` is Set dressing, and three letters are an abbreviation.
fn titled(slug: &str) -> String {
    if slug.len() <= 3 && slug != "art" {
        return slug.to_ascii_uppercase();
    }
    let mut name = slug.replace('-', " ");
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    name
}
