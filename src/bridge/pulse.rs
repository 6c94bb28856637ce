//! Whether a TV is there, and whether it keeps up. No clock in here: the session says when an interval is over.
//!
//! The app sends nothing unasked and a TV that falls asleep leaves its socket half open, so silence has to be broken by asking. A
//! *probe* is a frame whose operation no version knows; every version answers it at once, in its turn. That proves two things: that the
//! TV is there, and that it has read all that was sent before the probe. The second bounds what can pile up on the way to a TV that
//! does not read: once [`MAX_UNPROVEN_BYTES`] are under way unproven, nothing more is written until a probe's answer is back. (It also
//! keeps the connection's write buffer below the size at which actix-http stops polling the session altogether.)

/// Bytes that may be under way to a TV without proof that it read them. Half of what actix-http buffers for a connection.
pub(super) const MAX_UNPROVEN_BYTES: usize = 16 * 1024;

/// Bytes under way after which a proof is asked for, so that a TV that keeps up never has to be waited for.
const PROVE_AFTER_BYTES: usize = 4 * 1024;

/// Intervals that a probe may stay unanswered.
const MAX_UNANSWERED_INTERVALS: u32 = 2;

/// What is known about one TV.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    heard_this_interval: bool,
    /// Probes sent since anything was heard.
    n_silent_probes: u32,
    unproven_bytes: usize,
    probe: Option<OpenProbe>,
}

/// A probe without an answer.
#[derive(Debug)]
struct OpenProbe {
    id: u64,
    /// What will still be unproven when its answer is there.
    bytes_after: usize,
    n_intervals: u32,
}

/// What the end of an interval asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing.
    Wait,
    /// Sending a probe.
    Probe,
    /// Closing: nothing was heard since two probes.
    GiveUpSilent,
    /// Closing: the TV talks, but does not get to what it was sent.
    GiveUpSlow,
}

impl Pulse {
    /// The TV sent a frame.
    pub(super) fn heard(&mut self) {
        self.heard_this_interval = true;
        self.n_silent_probes = 0;
    }

    /// The TV answered the probe `id`. Answers to other probes, also made-up ones, prove nothing.
    pub(super) fn answered(&mut self, id: u64) {
        if let Some(probe) = self.probe.take_if(|probe| probe.id == id) {
            self.unproven_bytes = probe.bytes_after;
        }
    }

    /// So many bytes were written to the TV.
    pub(super) fn sent(&mut self, n_bytes: usize) {
        self.unproven_bytes += n_bytes;
        if let Some(probe) = &mut self.probe {
            probe.bytes_after += n_bytes;
        }
    }

    /// The probe `id` is being sent. It has to be one that nobody can guess; call [`Pulse::sent`] for its bytes first.
    pub(super) fn probed(&mut self, id: u64) {
        // An earlier open probe stays the one that counts: replacing it would let a TV that reads nothing off for ever.
        self.probe.get_or_insert(OpenProbe { id, bytes_after: 0, n_intervals: 0 });
    }

    /// Whether more may be written.
    pub(super) fn has_room(&self) -> bool {
        self.unproven_bytes < MAX_UNPROVEN_BYTES
    }

    /// Whether it is time to ask for a proof, between two ends of intervals.
    pub(super) fn wants_proof(&self) -> bool {
        self.unproven_bytes >= PROVE_AFTER_BYTES && self.probe.is_none()
    }

    /// An interval is over.
    pub(super) fn interval_over(&mut self) -> Next {
        if let Some(probe) = &mut self.probe {
            probe.n_intervals += 1;
        }
        let is_slow = self.probe.as_ref().is_some_and(|probe| probe.n_intervals >= MAX_UNANSWERED_INTERVALS);
        if std::mem::take(&mut self.heard_this_interval) {
            return if is_slow { Next::GiveUpSlow } else { Next::Wait };
        }
        if self.n_silent_probes >= MAX_UNANSWERED_INTERVALS {
            return Next::GiveUpSilent;
        }
        self.n_silent_probes += 1;
        Next::Probe
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a probe of 60 bytes.
    fn probe(pulse: &mut Pulse, id: u64) {
        pulse.sent(60);
        pulse.probed(id);
    }

    #[test]
    fn a_tv_that_talks_is_not_asked() {
        let mut pulse = Pulse::default();
        for _ in 0..5 {
            pulse.heard();
            assert_eq!(pulse.interval_over(), Next::Wait);
        }
    }

    #[test]
    fn a_silent_tv_is_asked_twice_and_then_given_up() {
        let mut pulse = Pulse::default();
        assert_eq!(pulse.interval_over(), Next::Probe);
        probe(&mut pulse, 1);
        assert_eq!(pulse.interval_over(), Next::Probe);
        probe(&mut pulse, 2);
        assert_eq!(pulse.interval_over(), Next::GiveUpSilent);
    }

    #[test]
    fn any_frame_ends_the_silence() {
        let mut pulse = Pulse::default();
        for id in 0..10 {
            assert_eq!(pulse.interval_over(), Next::Probe);
            probe(&mut pulse, id);
            pulse.heard();
            pulse.answered(id);
            assert_eq!(pulse.interval_over(), Next::Wait);
        }
    }

    #[test]
    fn nothing_more_is_written_to_a_tv_that_does_not_read() {
        let mut pulse = Pulse::default();
        pulse.sent(PROVE_AFTER_BYTES);
        assert!(pulse.wants_proof() && pulse.has_room());
        probe(&mut pulse, 7);
        assert!(!pulse.wants_proof(), "one question at a time");
        pulse.sent(MAX_UNPROVEN_BYTES);
        assert!(!pulse.has_room());
        pulse.answered(8);
        assert!(!pulse.has_room(), "an answer that nobody asked for proves nothing");
        pulse.answered(7);
        assert_eq!(pulse.unproven_bytes, MAX_UNPROVEN_BYTES, "what was sent after the probe is still unproven");
    }

    #[test]
    fn a_tv_that_talks_without_reading_is_given_up() {
        let mut pulse = Pulse::default();
        pulse.sent(PROVE_AFTER_BYTES);
        probe(&mut pulse, 7);
        pulse.heard();
        assert_eq!(pulse.interval_over(), Next::Wait);
        pulse.heard();
        assert_eq!(pulse.interval_over(), Next::GiveUpSlow);
    }
}
