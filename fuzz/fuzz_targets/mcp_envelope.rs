//! Any body that reaches `POST /mcp`: it is read or refused, and what is read is answerable under its id.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse::mcp::{Envelope, Incoming, read_incoming};

fuzz_target!(|body: &[u8]| {
    let Ok(incoming) = read_incoming(body) else { return };
    let messages = match incoming {
        Incoming::One(message) => vec![message],
        Incoming::Batch(messages) => messages,
    };
    for message in messages {
        if let Ok(Envelope::Request { id, params, .. }) = message {
            // An id goes back as it came, so it must be a value that JSON takes.
            assert!(id.get().starts_with(['"', '-']) || id.get().as_bytes()[0].is_ascii_digit());
            assert!(params.is_none_or(|params| params.get().starts_with('{')));
        }
    }
});
