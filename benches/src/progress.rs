//! A line on the terminal that says how far the work is.

use std::{
    io::{IsTerminal, Write, stderr},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Progress of so many equal steps. Silent where standard error is no terminal.
pub(crate) struct Progress {
    what: &'static str,
    n_steps: usize,
    n_done: AtomicUsize,
    visible: bool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, n_steps: usize) -> Self {
        Self { what, n_steps, n_done: AtomicUsize::new(0), visible: stderr().is_terminal() }
    }

    pub(crate) fn step(&self) {
        let n_done = self.n_done.fetch_add(1, Ordering::Relaxed) + 1;
        // A hundred lines at most: drawing must not become the work.
        if self.visible && (n_done.is_multiple_of(self.n_steps.div_ceil(100)) || n_done == self.n_steps) {
            let bar = "#".repeat(n_done * 30 / self.n_steps);
            let _ = write!(stderr(), "\r{}: [{bar:30}] {n_done} of {}", self.what, self.n_steps);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.visible {
            // Wiped, so that only results stay on the terminal.
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}
