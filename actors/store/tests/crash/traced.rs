//! Watching a process's system calls, where that is allowed.

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Whether `strace` is here and may trace. If not, says so where nobody can miss it: outside the captured output.
pub(crate) fn may_trace(test: &str) -> bool {
    let tried = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let may = tried.is_ok_and(|status| status.success());
    if !may {
        let notice = format!("\n*** SKIPPED: {test} needs strace and the right to trace; nothing was tested ***\n");
        std::io::stderr().write_all(notice.as_bytes()).unwrap();
    }
    may
}

/// `strace` with `options` in front of the command.
pub(crate) fn traced(options: &[&str], command: Vec<String>) -> Vec<String> {
    let strace = ["strace", "-f"].into_iter().chain(options.iter().copied()).map(str::to_owned);
    strace.chain(command).collect()
}
