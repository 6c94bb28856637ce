//! The connections that all instances of all houses share.

use playhouse_upstream::{AddressPolicy, HttpClient, HttpFault, HttpSettings};

/// The connections that all instances of all houses share, and the guard over where they may lead. Built once for the whole server; cheap to
/// clone.
#[derive(Debug, Clone)]
pub struct ArrHttp(pub(crate) HttpClient);

impl ArrHttp {
    /// Makes ready to connect. `extra_authorities` (PEM) are trusted beside the system's; verification is never off.
    pub fn new(policy: AddressPolicy, extra_authorities: Option<Vec<u8>>) -> Result<Self, HttpFault> {
        HttpClient::new(HttpSettings { extra_authorities, ..HttpSettings::guarded(policy) }).map(Self)
    }
}
