//! Every credential of the instance in memory, so that a call is checked without a look at the disk.
//!
//! The store is the truth; the ring is filled from it before the doors open and changed by the actor that committed a change, before
//! that actor answers. One look-up costs the same however many houses and keys there are.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use jiff::Timestamp;
use playhouse_bus::HouseId;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::account::Role;
use crate::credential::{Credential, CredentialKind};
use crate::engagement::EngagementStanding;
use crate::ids::{AccountId, CredentialId, EngagementId};
use crate::key_text::KeyText;
use crate::principal::Principal;
use crate::refusal::KeyRefusal;

/// At which kind of door a credential is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialUse {
    /// By an assistant or a script: access keys and assistants' TV tokens.
    Assistant,
    /// By a TV's bridge app: bridge tokens only.
    Bridge,
}

/// The door a credential was last used at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum UsedVia {
    /// `POST /mcp`.
    Mcp = 0,
    /// `/v1/…` and pairing.
    Rest = 1,
    /// `GET /bridge`.
    Bridge = 2,
}

impl UsedVia {
    fn from_u8(value: u8) -> Self {
        match value {
            0 => UsedVia::Mcp,
            1 => UsedVia::Rest,
            _ => UsedVia::Bridge,
        }
    }
}

struct Entry {
    principal: Arc<Principal>,
    door: CredentialUse,
    secret_hash: [u8; 32],
    expires_at: Option<Timestamp>,
    revoked: bool,
    used_at: AtomicI64,
    used_via: AtomicU8,
    /// Whether the id stands in `KeyRing::touched` already.
    noted: AtomicBool,
}

/// All credentials of the instance. Cheap to clone; all clones are one ring.
#[derive(Clone, Default)]
pub struct KeyRing {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    entries: DashMap<CredentialId, Entry>,
    /// The roles of people. A key of somebody who is not here any more opens nothing.
    roles: DashMap<(HouseId, AccountId), Role>,
    /// The engagements whose keys open doors.
    active: DashMap<(HouseId, EngagementId), ()>,
    /// Credentials used since the last time their use was written down. A key enters once a round, so the lock is off the hot path.
    touched: Mutex<Vec<CredentialId>>,
}

impl KeyRing {
    /// An empty ring.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what the presented `text` opens at a door of kind `door`, and notes the use.
    ///
    /// An unknown id costs what a wrong secret costs: the secret was hashed by then, and is compared with a hash nobody has.
    ///
    /// # Errors
    /// [`KeyRefusal::Invalid`], [`KeyRefusal::Revoked`], [`KeyRefusal::Expired`] or [`KeyRefusal::EngagementNotActive`], in that order of
    /// checks.
    pub fn check(
        &self,
        text: &str,
        door: CredentialUse,
        via: UsedVia,
        now: Timestamp,
    ) -> Result<Arc<Principal>, KeyRefusal> {
        const NOBODY: [u8; 32] = [0; 32];
        let presented = KeyText::parse(text).map_err(|_| KeyRefusal::Invalid)?;
        let entry = self.shared.entries.get(&presented.id);
        let kept = entry.as_ref().map_or(&NOBODY, |entry| &entry.secret_hash);
        let same = bool::from(kept.ct_eq(&presented.secret_hash));
        let entry = entry.filter(|entry| same && entry.door == door).ok_or(KeyRefusal::Invalid)?;
        let principal = self.stands(&entry, now)?;
        entry.used_at.store(now.as_second(), Ordering::Relaxed);
        entry.used_via.store(via as u8, Ordering::Relaxed);
        let first_use_this_round = !entry.noted.swap(true, Ordering::Relaxed);
        drop(entry);
        if first_use_this_round {
            self.touched().push(presented.id);
        }
        Ok(principal)
    }

    /// Puts a credential on the ring, or replaces what is there under its id. Call it after the commit and before the answer.
    pub fn put(&self, house: HouseId, credential: &Credential) {
        let door = match credential.kind {
            CredentialKind::Key { .. } | CredentialKind::TvAssistant { .. } => CredentialUse::Assistant,
            CredentialKind::TvBridge { .. } => CredentialUse::Bridge,
        };
        let known = self.shared.entries.get(&credential.id).map(|entry| entry.used_at.load(Ordering::Relaxed));
        let entry = Entry {
            principal: Arc::new(credential.principal(house)),
            door,
            secret_hash: credential.secret_hash,
            expires_at: credential.expires_at,
            revoked: credential.revoked_at.is_some(),
            used_at: AtomicI64::new(known.unwrap_or(NEVER)),
            used_via: AtomicU8::new(UsedVia::Mcp as u8),
            noted: AtomicBool::new(false),
        };
        self.shared.entries.insert(credential.id, entry);
    }

    /// Takes off the ring what `houses` have and `ids` does not name, as when an import replaced these houses.
    pub fn keep_only(&self, houses: &HashSet<HouseId>, ids: &HashSet<CredentialId>) {
        self.shared.entries.retain(|id, entry| !houses.contains(&entry.principal.house) || ids.contains(id));
    }

    /// Sets when `id` was last used, as read from the store at the start.
    pub fn set_last_used(&self, id: CredentialId, at: Timestamp) {
        if let Some(entry) = self.shared.entries.get(&id) {
            entry.used_at.store(at.as_second(), Ordering::Relaxed);
        }
    }

    /// When `id` last opened a door, to the second.
    pub fn last_used(&self, id: CredentialId) -> Option<Timestamp> {
        let seconds = self.shared.entries.get(&id)?.used_at.load(Ordering::Relaxed);
        if seconds == NEVER { None } else { Timestamp::from_second(seconds).ok() }
    }

    /// Whether the credential a principal came from still opens doors. Long work asks again before it commits.
    pub fn still_good(&self, id: CredentialId, now: Timestamp) -> bool {
        self.standing(id, now).is_ok()
    }

    /// As [`KeyRing::still_good`], saying why not in the words of every door.
    ///
    /// # Errors
    /// As [`KeyRing::current`].
    pub fn standing(&self, id: CredentialId, now: Timestamp) -> Result<(), KeyRefusal> {
        self.current(id, now).map(drop)
    }

    /// What a credential that was presented earlier opens now: its scopes, and the role that its person has at this moment. Whoever has waited
    /// asks again before something is done that cannot be taken back. The use is not noted.
    ///
    /// # Errors
    /// [`KeyRefusal::Invalid`] where the credential is gone, [`KeyRefusal::Revoked`], [`KeyRefusal::Expired`] or
    /// [`KeyRefusal::EngagementNotActive`].
    pub fn current(&self, id: CredentialId, now: Timestamp) -> Result<Arc<Principal>, KeyRefusal> {
        let entry = self.shared.entries.get(&id).ok_or(KeyRefusal::Invalid)?;
        self.stands(&entry, now)
    }

    /// What an entry opens now, with the role of its person as it is now.
    fn stands(&self, entry: &Entry, now: Timestamp) -> Result<Arc<Principal>, KeyRefusal> {
        if entry.revoked {
            return Err(KeyRefusal::Revoked);
        }
        if entry.expires_at.is_some_and(|end| end <= now) {
            return Err(KeyRefusal::Expired);
        }
        let role = self.role_of(&entry.principal)?;
        self.engagement_stands(&entry.principal)?;
        // Most keys act in the role they were put on the ring with, and then nothing is copied.
        Ok(match entry.principal.role == role {
            true => Arc::clone(&entry.principal),
            false => Arc::new(Principal { role, ..(*entry.principal).clone() }),
        })
    }

    /// The role that a principal acts in now.
    fn role_of(&self, principal: &Principal) -> Result<Role, KeyRefusal> {
        match principal.account() {
            None => Ok(principal.role),
            Some(account) => {
                let role = self.shared.roles.get(&(principal.house, account)).map(|role| *role);
                role.ok_or(KeyRefusal::Revoked)
            }
        }
    }

    fn engagement_stands(&self, principal: &Principal) -> Result<(), KeyRefusal> {
        match principal.engagement() {
            Some(engagement) if !self.shared.active.contains_key(&(principal.house, engagement)) => {
                Err(KeyRefusal::EngagementNotActive)
            }
            _ => Ok(()),
        }
    }

    /// Sets the role of a person. Call it after the commit and before the answer.
    pub fn set_role(&self, house: HouseId, account: AccountId, role: Role) {
        self.shared.roles.insert((house, account), role);
    }

    /// Takes a person off the ring: from the next check on none of their keys opens a door.
    pub fn remove_account(&self, house: HouseId, account: AccountId) {
        self.shared.roles.remove(&(house, account));
    }

    /// Sets whether the keys of an engagement open doors. Call it after the commit and before the answer.
    pub fn set_engagement(&self, house: HouseId, standing: EngagementStanding) {
        if standing.active {
            self.shared.active.insert((house, standing.id), ());
        } else {
            self.shared.active.remove(&(house, standing.id));
        }
    }

    /// Takes the people and the engagements of `houses` off the ring, as when an import replaced these houses.
    pub fn forget_holders(&self, houses: &HashSet<HouseId>) {
        self.shared.roles.retain(|(house, _), _| !houses.contains(house));
        self.shared.active.retain(|(house, _), ()| !houses.contains(house));
    }

    /// How many credentials are on the ring.
    pub fn len(&self) -> usize {
        self.shared.entries.len()
    }

    /// Whether the ring is empty.
    pub fn is_empty(&self) -> bool {
        self.shared.entries.is_empty()
    }

    /// The uses noted since the last call: house, credential, when, where.
    pub(crate) fn take_touched(&self) -> Vec<(HouseId, CredentialId, Timestamp, UsedVia)> {
        let ids = std::mem::take(&mut *self.touched());
        ids.into_iter()
            .filter_map(|id| {
                let entry = self.shared.entries.get(&id)?;
                // Cleared before the time is read: a use in between is noted again rather than missed.
                entry.noted.store(false, Ordering::Relaxed);
                let at = Timestamp::from_second(entry.used_at.load(Ordering::Relaxed)).ok()?;
                Some((entry.principal.house, id, at, UsedVia::from_u8(entry.used_via.load(Ordering::Relaxed))))
            })
            .collect()
    }

    /// Notes `id` for the next round once more, after its use could not be written.
    pub(crate) fn touch_again(&self, id: CredentialId) {
        let first = self.shared.entries.get(&id).is_some_and(|entry| !entry.noted.swap(true, Ordering::Relaxed));
        if first {
            self.touched().push(id);
        }
    }

    fn touched(&self) -> std::sync::MutexGuard<'_, Vec<CredentialId>> {
        // A list of ids cannot be left half-changed by a panic.
        self.shared.touched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const NEVER: i64 = i64::MIN;

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use uuid::Uuid;

    use super::*;
    use crate::credential::{Minted, mint};
    use crate::ids::TvId;
    use crate::key_text::PlainKey;
    use crate::principal::TvGrant;
    use crate::scope::{Scope, Scopes};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn access_key() -> Minted {
        mint(CredentialKind::key(TvGrant::All), "k".into(), Scopes::of(&[Scope::Tv]), NOW, &mut rand::rng())
    }

    fn ring_with(credential: &Credential) -> KeyRing {
        let ring = KeyRing::new();
        ring.put(HouseId::INSTANCE, credential);
        ring
    }

    fn check(ring: &KeyRing, key: &PlainKey) -> Result<Arc<Principal>, KeyRefusal> {
        ring.check(key.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW)
    }

    #[test]
    fn a_key_opens_its_own_house() {
        let Minted { credential, plain } = access_key();
        let principal = check(&ring_with(&credential), &plain).unwrap();
        assert_eq!((principal.house, principal.credential), (HouseId::INSTANCE, credential.id));
    }

    #[test]
    fn an_unknown_id_and_a_wrong_secret_answer_alike() {
        let known = access_key();
        let ring = ring_with(&known.credential);
        let unknown = access_key();
        let (wrong_secret, _) =
            PlainKey::draw(crate::key_text::KeyPrefix::Access, known.credential.id, &mut rand::rng());

        assert_eq!(check(&ring, &unknown.plain), Err(KeyRefusal::Invalid));
        assert_eq!(check(&ring, &wrong_secret), Err(KeyRefusal::Invalid));
    }

    #[test]
    fn a_revocation_bites_on_the_next_check_and_only_the_right_secret_learns_of_it() {
        let Minted { mut credential, plain } = access_key();
        let ring = ring_with(&credential);
        assert!(check(&ring, &plain).is_ok());

        credential.revoked_at = Some(NOW);
        ring.put(HouseId::INSTANCE, &credential);

        assert_eq!(check(&ring, &plain), Err(KeyRefusal::Revoked));
        let (guess, _) = PlainKey::draw(crate::key_text::KeyPrefix::Access, credential.id, &mut rand::rng());
        assert_eq!(check(&ring, &guess), Err(KeyRefusal::Invalid));
    }

    #[test]
    fn a_key_expires_at_its_very_second() {
        let Minted { mut credential, plain } = access_key();
        credential.expires_at = Some(NOW + 10.seconds());
        let ring = ring_with(&credential);
        let at = |now| ring.check(plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, now).map(|_| ());

        assert_eq!(at(NOW + 9.seconds()), Ok(()));
        assert_eq!(at(NOW + 10.seconds()), Err(KeyRefusal::Expired));
    }

    #[test]
    fn a_bridge_token_is_no_assistants_token_and_the_other_way_round() {
        let tv = TvId::from_uuid(Uuid::nil());
        for (kind, right, wrong) in [
            (CredentialKind::TvBridge { tv }, CredentialUse::Bridge, CredentialUse::Assistant),
            (CredentialKind::TvAssistant { tv }, CredentialUse::Assistant, CredentialUse::Bridge),
        ] {
            let Minted { credential, plain } = mint(kind, "t".into(), Scopes::NONE, NOW, &mut rand::rng());
            let ring = ring_with(&credential);
            assert!(ring.check(plain.reveal(), right, UsedVia::Mcp, NOW).is_ok());
            assert_eq!(ring.check(plain.reveal(), wrong, UsedVia::Mcp, NOW), Err(KeyRefusal::Invalid));
        }
    }

    #[test]
    fn a_key_acts_in_the_role_its_person_has_at_that_call() {
        let account = AccountId::from_uuid(Uuid::nil());
        let kind = CredentialKind::Key { tvs: TvGrant::All, account: Some(account), engagement: None };
        let Minted { credential, plain } =
            mint(kind, "k".into(), Scopes::of(&[Scope::MediaAdmin]), NOW, &mut rand::rng());
        let ring = ring_with(&credential);

        assert_eq!(check(&ring, &plain), Err(KeyRefusal::Revoked), "a key of nobody");
        for role in [Role::User, Role::Admin, Role::User] {
            ring.set_role(HouseId::INSTANCE, account, role);
            assert_eq!(check(&ring, &plain).unwrap().role, role);
            assert_eq!(ring.current(credential.id, NOW).unwrap().role, role);
        }
        ring.set_role(HouseId::from_uuid(Uuid::max()), account, Role::Admin);
        assert_eq!(check(&ring, &plain).unwrap().role, Role::User, "another house's account of that id");
        ring.remove_account(HouseId::INSTANCE, account);
        assert_eq!(check(&ring, &plain), Err(KeyRefusal::Revoked));
        assert!(!ring.still_good(credential.id, NOW));
    }

    #[test]
    fn a_key_of_an_engagement_opens_doors_while_that_is_active() {
        let engagement = EngagementId(41);
        let kind = CredentialKind::Key { tvs: TvGrant::All, account: None, engagement: Some(engagement) };
        let Minted { credential, plain } = mint(kind, "k".into(), Scopes::of(&[Scope::Read]), NOW, &mut rand::rng());
        let ring = ring_with(&credential);
        let stand = |house, active| ring.set_engagement(house, EngagementStanding { id: engagement, active });

        assert_eq!(check(&ring, &plain), Err(KeyRefusal::EngagementNotActive));
        stand(HouseId::from_uuid(Uuid::max()), true);
        assert_eq!(check(&ring, &plain), Err(KeyRefusal::EngagementNotActive), "another house's engagement 41");
        stand(HouseId::INSTANCE, true);
        assert_eq!(check(&ring, &plain).unwrap().engagement(), Some(engagement));
        stand(HouseId::INSTANCE, false);
        assert_eq!(check(&ring, &plain), Err(KeyRefusal::EngagementNotActive));
        assert!(!ring.still_good(credential.id, NOW));
    }

    #[test]
    fn a_use_is_noted_once_a_round() {
        let Minted { credential, plain } = access_key();
        let ring = ring_with(&credential);
        assert_eq!(ring.last_used(credential.id), None);
        for _ in 0..3 {
            check(&ring, &plain).unwrap();
        }
        assert_eq!(ring.last_used(credential.id), Some(NOW));
        assert_eq!(ring.take_touched(), [(HouseId::INSTANCE, credential.id, NOW, UsedVia::Mcp)]);
        assert_eq!(ring.take_touched(), []);
        check(&ring, &plain).unwrap();
        assert_eq!(ring.take_touched().len(), 1);
    }

    #[test]
    fn a_refused_key_is_not_noted_as_used() {
        let Minted { mut credential, plain } = access_key();
        credential.revoked_at = Some(NOW);
        let ring = ring_with(&credential);
        let _ = check(&ring, &plain);
        assert_eq!(ring.take_touched(), []);
    }
}
