//! The id of an arr instance, and the address of its actor.

use std::fmt;
use std::str::FromStr;

use playhouse_bus::ActorId;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::service::Service;

/// Names one arr instance of a house, as in `radarr-1a2b3c4d`. Assistants pass it as `instance_id` and should not look into it.
///
/// Ids are drawn at random, so that the id of a removed instance does not come to mean another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InstanceId {
    service: Service,
    number: u32,
}

/// A text that is no instance's id in any house.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an instance id is a service, a hyphen and eight digits of 0-9 and a-f, such as radarr-1a2b3c4d")]
pub struct NotAnInstanceId;

impl InstanceId {
    /// A new id for an instance of `service`.
    pub fn draw(service: Service, randomness: &mut impl Rng) -> Self {
        Self { service, number: randomness.random() }
    }

    /// Whose instance it is.
    pub const fn service(self) -> Service {
        self.service
    }

    /// The id of its actor: the number, behind the service counted from 1.
    pub const fn actor_id(self) -> ActorId {
        ActorId::from_uuid(Uuid::from_u64_pair(self.service as u64 + 1, self.number as u64))
    }

    /// The instance whose actor has this id; `None` for an id that none has.
    pub fn from_actor_id(id: ActorId) -> Option<Self> {
        let (service, number) = id.as_uuid().as_u64_pair();
        let service = Service::ALL.into_iter().find(|known| *known as u64 + 1 == service)?;
        Some(Self { service, number: u32::try_from(number).ok()? })
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.service.key(), self.number)
    }
}

impl FromStr for InstanceId {
    type Err = NotAnInstanceId;

    fn from_str(text: &str) -> Result<Self, NotAnInstanceId> {
        let (service, number) = text.split_once('-').ok_or(NotAnInstanceId)?;
        let service = Service::of_key(service).ok_or(NotAnInstanceId)?;
        let is_number = number.len() == 8 && number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match u32::from_str_radix(number, 16) {
            Ok(number) if is_number => Ok(Self { service, number }),
            _ => Err(NotAnInstanceId),
        }
    }
}

impl TryFrom<String> for InstanceId {
    type Error = NotAnInstanceId;

    fn try_from(text: String) -> Result<Self, NotAnInstanceId> {
        text.parse()
    }
}

impl From<InstanceId> for String {
    fn from(id: InstanceId) -> String {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_is_its_service_and_eight_lower_case_digits() {
        let id: InstanceId = "sonarr-00c0ffee".parse().unwrap();
        assert_eq!((id.service(), id.to_string().as_str()), (Service::Sonarr, "sonarr-00c0ffee"));
        for text in
            ["sonarr-00C0FFEE", "sonarr-c0ffee", "sonarr-+0c0ffee", "prowlarr-00c0ffee", "sonarr00c0ffee", "", "-"]
        {
            assert_eq!(text.parse::<InstanceId>(), Err(NotAnInstanceId), "{text}");
        }
    }

    #[test]
    fn the_only_actor_of_a_house_is_no_instance() {
        assert_eq!(InstanceId::from_actor_id(ActorId::ONLY), None);
    }

    proptest! {
        #[test]
        fn an_instance_is_found_by_its_actor_and_by_its_text(number in any::<u32>(), service in 0usize..4) {
            let id = InstanceId { service: Service::ALL[service], number };
            prop_assert_eq!(InstanceId::from_actor_id(id.actor_id()), Some(id));
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }
}
