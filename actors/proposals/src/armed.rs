//! Changes that can be applied in the turn of the app's own chat in which they were previewed. They are kept in memory only: a restart forgets them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use playhouse_bus::HouseId;
use playhouse_house::{AccountId, CredentialId, Principal};
use playhouse_library::client::redact_text;
use playhouse_library::settings::{Binding, ProfilePlan};
use playhouse_library::{InstanceId, InstanceLabel};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::ChatTurn;

/// How long a reference is taken. At the boundary it is not.
const LIFE: SignedDuration = SignedDuration::from_mins(15);

/// How many references there are in all houses together. The oldest gives way.
const MAX_ARMED: usize = 512;

/// What every reference begins with; 43 characters of base64url follow.
const PREFIX: &str = "profile_change_";

/// Who may use a reference: who asked for it, in the turn in which they asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    house: HouseId,
    credential: CredentialId,
    account: Option<AccountId>,
    turn: String,
}

impl Bound {
    pub(crate) fn of(principal: &Principal, turn: &ChatTurn) -> Self {
        let Principal { house, credential, .. } = *principal;
        Self { house, credential, account: principal.account(), turn: turn.id.clone() }
    }
}

/// The change behind a reference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) instance: InstanceLabel,
    pub(crate) profile_id: i64,
    pub(crate) plan: ProfilePlan,
    pub(crate) diff: Vec<String>,
    pub(crate) binding: Binding,
}

/// The references of all houses. Cheap to clone; all clones are one.
#[derive(Clone, Default)]
pub struct ArmedBook(Arc<Mutex<Book>>);

#[derive(Default)]
struct Book {
    armed: HashMap<String, Entry>,
    /// The one reference of each holder and profile.
    of_target: HashMap<Target, String>,
    /// In the order in which they were made.
    by_age: BTreeMap<u64, String>,
    n_made: u64,
}

struct Entry {
    bound: Bound,
    change: Change,
    expires_at: Timestamp,
    age: u64,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Target {
    house: HouseId,
    credential: CredentialId,
    account: Option<AccountId>,
    instance: InstanceId,
    profile_id: i64,
}

/// The system gave no random bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoRandomness;

impl ArmedBook {
    /// Keeps a change, and answers its reference and until when it is taken. The holder's earlier one for the same profile is void from then on.
    pub(crate) fn arm(
        &self,
        bound: Bound,
        change: Change,
        now: Timestamp,
    ) -> Result<(String, Timestamp), NoRandomness> {
        self.arm_drawn(bound, change, now, || {
            let mut bytes = [0; 32];
            SysRng.try_fill_bytes(&mut bytes).map_err(|_| NoRandomness)?;
            Ok(bytes)
        })
    }

    fn arm_drawn(
        &self,
        bound: Bound,
        change: Change,
        now: Timestamp,
        mut draw: impl FnMut() -> Result<[u8; 32], NoRandomness>,
    ) -> Result<(String, Timestamp), NoRandomness> {
        // Before anything is touched: without randomness the earlier reference stays good.
        let reference = loop {
            let reference = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(draw()?));
            // What is said passes through the screen for secrets, which must not take it for one.
            if redact_text(&reference) == reference {
                break reference;
            }
        };
        let expires_at = now.checked_add(LIFE).unwrap_or(Timestamp::MAX);
        let target = Target::of(&bound, &change);
        let mut book = self.0.lock();
        if let Some(earlier) = book.of_target.get(&target).cloned() {
            book.remove(&earlier);
        }
        while book.armed.len() >= MAX_ARMED {
            let Some(oldest) = book.by_age.values().next().cloned() else { break };
            book.remove(&oldest);
        }
        let age = book.n_made;
        book.n_made += 1;
        book.by_age.insert(age, reference.clone());
        book.of_target.insert(target, reference.clone());
        book.armed.insert(reference.clone(), Entry { bound, change, expires_at, age });
        Ok((reference, expires_at))
    }

    /// Takes a reference, once: of all who claim it at the same time one gets the change. Somebody else's claim leaves it as it is.
    pub(crate) fn claim(&self, reference: &str, by: &Bound, now: Timestamp) -> Option<Change> {
        let mut book = self.0.lock();
        let entry = book.armed.get(reference)?;
        if entry.expires_at <= now {
            book.remove(reference);
            return None;
        }
        if entry.bound != *by {
            return None;
        }
        book.remove(reference).map(|entry| entry.change)
    }

    /// How many of a house's changes could be applied now.
    pub(crate) fn n_armed(&self, house: HouseId, now: Timestamp) -> usize {
        let book = self.0.lock();
        book.armed.values().filter(|entry| entry.bound.house == house && entry.expires_at > now).count()
    }
}

impl Book {
    fn remove(&mut self, reference: &str) -> Option<Entry> {
        let entry = self.armed.remove(reference)?;
        self.by_age.remove(&entry.age);
        self.of_target.remove(&Target::of(&entry.bound, &entry.change));
        Some(entry)
    }
}

impl Target {
    fn of(bound: &Bound, change: &Change) -> Self {
        Self {
            house: bound.house,
            credential: bound.credential,
            account: bound.account,
            instance: change.instance.id,
            profile_id: change.profile_id,
        }
    }
}

#[cfg(test)]
mod tests {
    use playhouse_library::Service;
    use playhouse_library::settings::Digest;

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn holder(turn: &str) -> Bound {
        let credential = "0123456789".parse().unwrap();
        Bound { house: HouseId::INSTANCE, credential, account: None, turn: turn.to_owned() }
    }

    fn change_of(profile_id: i64) -> Change {
        let nothing = Digest([0; 32]);
        let id = "radarr-00000001".parse().unwrap();
        Change {
            instance: InstanceLabel { id, service: Service::Radarr, name: "Films".to_owned() },
            profile_id,
            plan: ProfilePlan::default(),
            diff: Vec::new(),
            binding: Binding {
                connection: nothing,
                profile: nothing,
                formats: nothing,
                languages: None,
                desired: nothing,
            },
        }
    }

    #[test]
    fn a_reference_has_58_characters_and_is_taken_once() {
        let book = ArmedBook::default();
        let (reference, expires_at) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        assert_eq!((reference.len(), expires_at), (58, NOW + LIFE));
        assert_eq!(book.n_armed(HouseId::INSTANCE, NOW), 1);
        assert_eq!(book.claim(&reference, &holder("a"), NOW), Some(change_of(1)));
        assert_eq!(book.claim(&reference, &holder("a"), NOW), None);
    }

    #[test]
    fn case_61_and_62_another_turn_key_account_or_house_is_refused_and_consumes_nothing() {
        let book = ArmedBook::default();
        let (reference, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        let own = holder("a");
        for other in [
            holder("b"),
            Bound { credential: "9876543210".parse().unwrap(), ..own.clone() },
            Bound { account: Some(AccountId::new()), ..own.clone() },
            Bound { house: HouseId::from_uuid(uuid_of(7)), ..own.clone() },
        ] {
            assert_eq!(book.claim(&reference, &other, NOW), None);
        }
        assert!(book.claim(&reference, &own, NOW).is_some());
    }

    fn uuid_of(number: u128) -> uuid::Uuid {
        uuid::Uuid::from_u128(number)
    }

    #[test]
    fn case_63_a_newer_preview_of_the_same_profile_voids_the_older_one_only() {
        let book = ArmedBook::default();
        let (first, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        let (other, _) = book.arm(holder("a"), change_of(2), NOW).unwrap();
        let (second, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        let claimed = [first, other, second].map(|reference| book.claim(&reference, &holder("a"), NOW).is_some());
        assert_eq!(claimed, [false, true, true]);
    }

    #[test]
    fn case_64_of_64_claims_at_once_exactly_one_proceeds() {
        let book = ArmedBook::default();
        let (reference, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        let claims: Vec<_> = (0..64)
            .map(|_| {
                let (book, reference) = (book.clone(), reference.clone());
                std::thread::spawn(move || book.claim(&reference, &holder("a"), NOW).is_some())
            })
            .collect();
        let n_won = claims.into_iter().map(|claim| claim.join().unwrap()).filter(|won| *won).count();
        assert_eq!(n_won, 1);
    }

    #[test]
    fn case_65_at_the_boundary_it_is_not_taken_and_right_before_it_is() {
        let book = ArmedBook::default();
        let claim_at = |now| {
            let (reference, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
            book.claim(&reference, &holder("a"), now).is_some()
        };
        assert!(!claim_at(NOW + LIFE));
        assert!(claim_at(NOW + LIFE - SignedDuration::from_nanos(1)));
    }

    #[test]
    fn case_66_a_restart_forgets_what_was_armed() {
        let (reference, _) = ArmedBook::default().arm(holder("a"), change_of(1), NOW).unwrap();
        assert_eq!(ArmedBook::default().claim(&reference, &holder("a"), NOW), None);
    }

    #[test]
    fn case_67_the_513th_puts_the_oldest_out() {
        let book = ArmedBook::default();
        let armed: Vec<String> =
            (0..=512).map(|profile| book.arm(holder("a"), change_of(profile), NOW).unwrap().0).collect();
        assert_eq!(book.claim(&armed[0], &holder("a"), NOW), None);
        assert!(book.claim(&armed[1], &holder("a"), NOW).is_some());
        assert!(book.claim(&armed[512], &holder("a"), NOW).is_some());
    }

    #[test]
    fn case_82_only_the_very_text_is_taken() {
        let book = ArmedBook::default();
        let (reference, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        for other in [
            format!("{reference} "),
            format!("{reference}="),
            reference.replace(PREFIX, "profile_changes"),
            reference.to_uppercase(),
            String::new(),
        ] {
            assert_eq!(book.claim(&other, &holder("a"), NOW), None, "{other}");
        }
        assert!(book.claim(&reference, &holder("a"), NOW).is_some());
    }

    #[test]
    fn without_randomness_the_earlier_reference_stays_good() {
        let book = ArmedBook::default();
        let (reference, _) = book.arm(holder("a"), change_of(1), NOW).unwrap();
        assert_eq!(book.arm_drawn(holder("a"), change_of(1), NOW, || Err(NoRandomness)), Err(NoRandomness));
        assert!(book.claim(&reference, &holder("a"), NOW).is_some());
    }

    #[test]
    fn a_reference_that_looks_like_a_secret_is_drawn_again() {
        let book = ArmedBook::default();
        // As text: "sk-AAAA…", which the screen for secrets would take for a provider's key.
        let mut looks_secret = [0; 32];
        looks_secret[..3].copy_from_slice(&URL_SAFE_NO_PAD.decode("-sk-").unwrap());
        let mut draws = [looks_secret, [1; 32]].into_iter();
        let (reference, _) =
            book.arm_drawn(holder("a"), change_of(1), NOW, || draws.next().ok_or(NoRandomness)).unwrap();
        assert_eq!(redact_text(&reference), reference);
    }
}
