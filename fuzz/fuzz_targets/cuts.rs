//! Any file that is sent as a cut: it is read or refused in words, and every picture in it has a name and a length.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse_production::import::cut::{ShotPattern, read_edl, read_otio};

fuzz_target!(|bytes: &[u8]| {
    let Ok(rate) = "25".parse() else { return };
    for cut in [read_edl(bytes, rate), read_otio(bytes, rate)].into_iter().flatten() {
        for event in &cut.events {
            assert!(event.n_frames > 0 && !event.name.is_empty());
            let _ = ShotPattern::default().read(&event.name);
        }
    }
});
