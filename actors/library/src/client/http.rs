//! The connections that all instances of all houses share.

use playhouse_upstream::{AddressPolicy, HttpClient, HttpFault, HttpSettings};

/// The connections that all instances of all houses share, and the guard over where they may lead. Built once for the whole server; cheap to
/// clone.
#[derive(Debug, Clone)]
pub struct ArrHttp(pub(crate) HttpClient);

impl ArrHttp {
    /// Makes ready to connect. `extra_authorities` (PEM) are trusted beside the system's; verification is never off.
    pub fn new(policy: AddressPolicy, extra_authorities: Option<Vec<u8>>) -> Result<Self, HttpFault> {
        // A library of ten thousand films is 46 MB of JSON, and a tenth of that compressed.
        let settings = HttpSettings { extra_authorities, compressed: true, ..HttpSettings::guarded(policy) };
        HttpClient::new(settings).map(Self)
    }
}
