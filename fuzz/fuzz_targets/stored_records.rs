//! Any bytes that lie where a record should: they are an envelope or an error, and an envelope seals to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse_store::Envelope;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(envelope) = Envelope::open(bytes) {
        assert_eq!(envelope.seal().as_deref(), Some(bytes));
    }
});
