//! Over which connection an instance is called: a digest that shows nothing and changes with the address and the key.

use playhouse_bus::{Answer, CallInfo, Handle};
use secrecy::ExposeSecret;
use sha2::{Digest as _, Sha256};

use super::{Connection, Digest, GetConnection};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::client::{ArrKey, BaseUrl};
use crate::instance::InstanceId;

/// The digest of a connection: SHA-256 over service, id, address and key. What the house calls the instance, and which is the default, is not in
/// it: a rename makes no change stale.
///
/// An actor computes it once, from the record that it was started with. That is the present one: an edit of the record has the actor put
/// away before it is answered.
pub(crate) fn digest_of(id: InstanceId, base: &BaseUrl, key: &ArrKey) -> Digest {
    let mut hasher = Sha256::new();
    // Each with its length, so that no two connections run together to the same bytes.
    for part in [id.service().key(), &id.to_string(), base.as_str(), key.secret().expose_secret()] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    Digest(hasher.finalize().into())
}

/// That the instance is still called over the connection that was read from.
///
/// # Errors
/// [`Code::InstanceChanged`], not started.
pub(super) fn check_connection(hands: &Hands, connection: Digest) -> Result<(), Unfinished> {
    if connection == hands.connection {
        return Ok(());
    }
    let words = format!(
        "Nothing was sent: the address or API key of {} was changed while the change was prepared. Prepare it again.",
        hands.instance.title()
    );
    Err(Unfinished::not_started(Code::InstanceChanged, words))
}

impl Handle<GetConnection> for ArrActor {
    fn handle(&mut self, _: GetConnection, _: CallInfo) -> Answer<Self, Connection> {
        Answer::now(Connection { instance: self.label().clone(), digest: self.connection() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_key_and_instance_make_a_connection_and_its_name_does_not() {
        let digest = |id: &str, base: &str, key: &str| {
            digest_of(id.parse().unwrap(), &BaseUrl::parse(base).unwrap(), &ArrKey::parse(key).unwrap())
        };
        let one = digest("radarr-00000001", "http://radarr:7878", "0123");
        assert_eq!(digest("radarr-00000001", "http://radarr:7878/", " 0123 "), one);
        for other in [
            digest("radarr-00000002", "http://radarr:7878", "0123"),
            digest("sonarr-00000001", "http://radarr:7878", "0123"),
            digest("radarr-00000001", "http://radarr:7879", "0123"),
            digest("radarr-00000001", "http://radarr:787", "80123"),
            digest("radarr-00000001", "http://radarr:7878", "0124"),
        ] {
            assert_ne!(other, one);
        }
    }
}
