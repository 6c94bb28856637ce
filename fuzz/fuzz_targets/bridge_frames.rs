//! Any text that a TV sends: it is a reply or a fault, and a fault's words fit into a close frame.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse_tv::wire::{is_probe_answer, parse_frame};

fuzz_target!(|text: &str| {
    match parse_frame(text) {
        Ok(frame) => {
            let _ = is_probe_answer(&frame);
        }
        Err(fault) => assert!(fault.to_string().len() <= 123),
    }
});
