//! Parking a change that was worked out, so that an admin can decide about it.

use playhouse_library::answer::Code;
use playhouse_library::settings::PreparedProfile;
use playhouse_store::{CommitError, encode};

use super::{MAX_PENDING, SUPERSEDED, expires_at};
use crate::clean::clean;
use crate::desk::Desk;
use crate::ledger::{Batch, Told};
use crate::records::{MAX_RECORD_BYTES, ProposalRecord};
use crate::who::Who;
use crate::{Previewed, Proposal, ProposalStatus, SettingsFailure};

/// Parks `prepared`. An older proposal for the same profile is replaced; one that is equal to the last detail is answered instead. Called while the
/// instance is locked, so nothing is approved meanwhile.
pub(crate) async fn park(
    desk: &Desk,
    who: &Who,
    profile_id: i64,
    prepared: PreparedProfile,
) -> Result<Previewed, SettingsFailure> {
    let turn = desk.turn().await.map_err(|error| unavailable(&error))?;
    turn.settle().await.map_err(|error| unavailable(&error))?;
    turn.expire().await.map_err(|error| unavailable(&error))?;
    let PreparedProfile { instance, profile_name, plan, diff, binding } = prepared;
    let older: Vec<ProposalRecord> = {
        let state = turn.state();
        let same_profile = state.open.values().filter(|kept| {
            let shown = &kept.record.shown;
            kept.record.is_pending() && shown.instance_id == instance.id && shown.profile_id == profile_id
        });
        same_profile.map(|kept| ProposalRecord::clone(&kept.record)).collect()
    };
    if let Some(equal) = older.iter().find(|record| record.binding == binding) {
        return Ok(Previewed::Parked { proposal: equal.shown.clone(), was_there: true });
    }
    if turn.state().n_pending() - older.len() >= MAX_PENDING {
        let words = format!(
            "Nothing was proposed: {MAX_PENDING} proposals of this house wait already. Have an admin decide about them first."
        );
        return Err(SettingsFailure::not_started(Code::Busy, words));
    }
    let now = desk.now();
    let id = turn.next_proposal();
    let shown_diff: Vec<String> = diff.iter().map(|line| clean(line)).collect();
    let record = ProposalRecord {
        worded: (shown_diff != diff).then_some(diff),
        shown: Proposal {
            id,
            status: ProposalStatus::Pending,
            service: instance.service,
            instance_id: instance.id,
            instance_name: clean(&instance.name),
            profile_id,
            profile_name: clean(&profile_name),
            proposed_by_name: who.name.clone(),
            source_client: who.source_client(),
            diff: shown_diff,
            created_at: now,
            expires_at: expires_at(now),
            decided_by_name: None,
            decided_at: None,
            reject_note: None,
            result_text: None,
            setting_change_id: None,
            current_status: None,
        },
        proposer: who.account,
        credential: who.credential,
        plan,
        binding,
        executing_at: None,
    };
    let n_bytes = encode(&record).map_err(|error| unavailable(&error))?.len();
    if n_bytes > MAX_RECORD_BYTES {
        let words = "Nothing was proposed: this changes too much at once to be shown to somebody. Split it into several changes.";
        return Err(SettingsFailure::not_started(Code::ChangeRefused, words));
    }
    let proposal = record.shown.clone();
    let superseded = older.iter().map(|old| old.ended(ProposalStatus::Superseded, now, Some(SUPERSEDED.to_owned())));
    let mut told: Vec<Told> = older.iter().map(|old| Told::Decided(old.shown.id)).collect();
    told.push(Told::Pending(id));
    let proposals = superseded.chain([record]).collect();
    turn.commit(Batch { proposals, told, ..Batch::default() }).await.map_err(|error| unparked(&error))?;
    Ok(Previewed::Parked { proposal, was_there: false })
}

/// That nothing can be parked now: an answer, so that a change that was asked for is not lost without a word.
fn unavailable(error: &dyn std::fmt::Display) -> SettingsFailure {
    let words = format!(
        "Proposals cannot be kept now, so nothing was proposed and nothing was written ({error}). Try again in a minute."
    );
    SettingsFailure::refused(Code::ProposalsUnavailable, words)
}

/// What is known of a proposal whose record the store did not confirm.
fn unparked(error: &CommitError) -> SettingsFailure {
    if *error != CommitError::Indeterminate {
        return unavailable(error);
    }
    let words = "Nothing was written at the library. Whether the proposal waits is not known: the store failed while it was recorded. Propose it again in a \
                 minute; the same one is not made twice.";
    SettingsFailure::refused(Code::ProposalsUnavailable, words)
}
