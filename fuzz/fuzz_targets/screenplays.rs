//! Any file that is sent as a screenplay: it is read or refused in words, and what was read has scenes with a length and no stray characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse_production::import::{read_fdx, read_fountain};

fuzz_target!(|bytes: &[u8]| {
    for read in [read_fountain(bytes), read_fdx(bytes)] {
        match read {
            Ok(script) => {
                assert!(!script.scenes.is_empty());
                for scene in &script.scenes {
                    assert!(scene.omitted || scene.page_eighths >= 1);
                    assert!(!scene.heading.contains(char::is_control));
                    assert!(!scene.text().contains('\r'));
                }
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
});
