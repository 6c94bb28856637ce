//! A client for tests.

use std::sync::LazyLock;

/// One client for all tests: making one reads the system's certificates, which takes longer than a test.
///
/// It follows no redirect, so that a test sees them. It keeps no connection, since a connection belongs to the runtime of the test that opened it.
pub(crate) fn http() -> &'static reqwest::Client {
    static HTTP: LazyLock<reqwest::Client> = LazyLock::new(|| {
        let none = reqwest::redirect::Policy::none();
        reqwest::Client::builder().pool_max_idle_per_host(0).redirect(none).build().unwrap()
    });
    &HTTP
}
