//! A client for tests.

use std::sync::LazyLock;

/// One client for all tests: making one reads the system's certificates, which takes longer than a test.
///
/// It keeps no connection, since a connection belongs to the runtime of the test that opened it.
pub(crate) fn http() -> &'static reqwest::Client {
    static HTTP: LazyLock<reqwest::Client> =
        LazyLock::new(|| reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap());
    &HTTP
}
