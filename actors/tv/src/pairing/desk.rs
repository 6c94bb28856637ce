//! The codes that are out, in memory: which there are, which of them still poll, and which were claimed lately.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use jiff::Timestamp;
use playhouse_house::CredentialId;
use rand::Rng;
use subtle::ConstantTimeEq;

use super::record::PairingRecord;
use super::{ClaimError, PairingSettings, PairingStatus, Polled};
use crate::code::PairingCode;

/// How many claimed codes are remembered, so that a second claim hears that it came second.
const MAX_REMEMBERED: usize = 1_000;

/// How often the codes are looked through for those that ended.
const LOOK_THROUGH_EVERY: Duration = Duration::from_secs(20);

pub(super) struct Desk {
    settings: PairingSettings,
    /// By the public part of the TV's token.
    waiting: HashMap<CredentialId, Waiting>,
    by_code: HashMap<PairingCode, CredentialId>,
    claimed: VecDeque<PairingCode>,
    looked_through_at: Timestamp,
}

struct Waiting {
    record: PairingRecord,
    /// When it was begun, read from the store or last polled for.
    alive_at: Timestamp,
    has_polled: bool,
    /// A claim is at work on it.
    is_being_claimed: bool,
}

impl Desk {
    pub(super) fn new(settings: PairingSettings, now: Timestamp) -> Self {
        Self {
            settings,
            waiting: HashMap::new(),
            by_code: HashMap::new(),
            claimed: VecDeque::new(),
            looked_through_at: now,
        }
    }

    /// Puts a pairing on the desk.
    pub(super) fn put(&mut self, record: PairingRecord, now: Timestamp) {
        self.by_code.insert(record.code, record.bridge.id);
        let waiting = Waiting { record, alive_at: now, has_polled: false, is_being_claimed: false };
        self.waiting.insert(waiting.record.bridge.id, waiting);
    }

    /// Takes a pairing off the desk.
    pub(super) fn remove(&mut self, id: CredentialId) {
        if let Some(waiting) = self.waiting.remove(&id) {
            self.by_code.remove(&waiting.record.code);
        }
    }

    /// A code that no TV shows and that was not claimed lately.
    pub(super) fn free_code(&self, rng: &mut impl Rng) -> PairingCode {
        loop {
            let code = PairingCode::draw(rng);
            if !self.by_code.contains_key(&code) && !self.claimed.contains(&code) {
                return code;
            }
        }
    }

    /// Takes ended pairings off the desk, and makes room for one more by taking the oldest that never polled. Answers what was taken
    /// off; `None` when there is no room to be made.
    pub(super) fn make_room(&mut self, now: Timestamp) -> Option<Vec<CredentialId>> {
        let mut gone = self.take_ended(now);
        let unpolled = self.waiting.values().filter(|waiting| !waiting.has_polled && !waiting.is_being_claimed);
        if unpolled.clone().count() >= self.settings.max_unpolled
            && let Some(oldest) = unpolled.min_by_key(|waiting| waiting.alive_at)
        {
            gone.push(oldest.record.bridge.id);
            self.remove(oldest.record.bridge.id);
        }
        (self.waiting.len() < self.settings.max_codes).then_some(gone)
    }

    fn take_ended(&mut self, now: Timestamp) -> Vec<CredentialId> {
        let is_due = now.duration_since(self.looked_through_at).unsigned_abs() >= LOOK_THROUGH_EVERY;
        if !is_due && self.waiting.len() < self.settings.max_codes {
            return Vec::new();
        }
        self.looked_through_at = now;
        let ended = self
            .waiting
            .values()
            .filter(|waiting| self.has_ended(waiting, now))
            .map(|waiting| waiting.record.bridge.id);
        let ended: Vec<CredentialId> = ended.collect();
        ended.iter().for_each(|id| self.remove(*id));
        ended
    }

    fn has_ended(&self, waiting: &Waiting, now: Timestamp) -> bool {
        // A clock that was set back must not end a code.
        let unpolled_for = now.duration_since(waiting.alive_at);
        !waiting.is_being_claimed
            && unpolled_for.is_positive()
            && unpolled_for.unsigned_abs() >= self.settings.unpolled_for
    }

    /// Notes a poll with a token whose secret has that hash.
    pub(super) fn poll(&mut self, id: CredentialId, secret_hash: &[u8; 32], now: Timestamp) -> Polled {
        let is_its_token = |waiting: &&Waiting| bool::from(waiting.record.bridge.secret_hash.ct_eq(secret_hash));
        let is_out = self.waiting.get(&id).filter(is_its_token).is_some_and(|waiting| !self.has_ended(waiting, now));
        match self.waiting.get_mut(&id).filter(|_| is_out) {
            Some(waiting) => {
                waiting.alive_at = now;
                waiting.has_polled = true;
                Polled::Waiting
            }
            None => Polled::Unknown,
        }
    }

    /// Begins a claim: no other is let near the pairing until [`Desk::end_claim`].
    pub(super) fn begin_claim(&mut self, code: PairingCode, now: Timestamp) -> Result<PairingRecord, ClaimError> {
        let Some(id) = self.by_code.get(&code) else {
            return Err(if self.claimed.contains(&code) {
                ClaimError::AlreadyClaimed
            } else {
                ClaimError::UnknownCode
            });
        };
        let has_ended = self.waiting.get(id).is_none_or(|waiting| self.has_ended(waiting, now));
        match self.waiting.get_mut(id) {
            Some(waiting) if !has_ended && waiting.is_being_claimed => Err(ClaimError::AlreadyClaimed),
            Some(waiting) if !has_ended => {
                waiting.is_being_claimed = true;
                Ok(waiting.record.clone())
            }
            _ => Err(ClaimError::UnknownCode),
        }
    }

    /// Ends a claim that did not succeed: the code may be claimed again.
    pub(super) fn end_claim(&mut self, id: CredentialId) {
        if let Some(waiting) = self.waiting.get_mut(&id) {
            waiting.is_being_claimed = false;
        }
    }

    /// Notes the house that a claim is about to put the TV into.
    pub(super) fn note_claiming(&mut self, record: &PairingRecord) {
        if let Some(waiting) = self.waiting.get_mut(&record.bridge.id) {
            waiting.record.claiming = record.claiming;
        }
    }

    /// Ends a claim that succeeded.
    pub(super) fn claimed(&mut self, id: CredentialId) {
        if let Some(waiting) = self.waiting.get(&id) {
            self.remember_claimed(waiting.record.code);
        }
        self.remove(id);
    }

    /// Remembers that a code was claimed.
    pub(super) fn remember_claimed(&mut self, code: PairingCode) {
        if self.claimed.len() == MAX_REMEMBERED {
            self.claimed.pop_front();
        }
        self.claimed.push_back(code);
    }

    pub(super) fn status(&self) -> PairingStatus {
        let n_unpolled = self.waiting.values().filter(|waiting| !waiting.has_polled).count();
        PairingStatus { n_codes: self.waiting.len(), n_unpolled }
    }
}
