//! Server processes and what the kernel knows about them.

use std::{
    ffi::OsStr,
    fs::File,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::sleep,
};

use crate::START_LIMIT;

/// A running server; killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    log: PathBuf,
}

impl Server {
    /// Starts a program that will listen on `address`, and waits until it does. What it prints goes to the file `log`.
    pub(crate) async fn start<A: AsRef<OsStr>>(
        program: &Path,
        arguments: impl IntoIterator<Item = A>,
        address: SocketAddr,
        log: &Path,
    ) -> Result<Self> {
        let printed = File::options().create(true).append(true).open(log).context("open the server's log")?;
        let child = Command::new(program)
            .args(arguments)
            .stdout(printed.try_clone()?)
            .stderr(printed)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("start {}", program.display()))?;
        let mut server = Self { child, address, log: log.to_owned() };
        let began = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("{} ended at once ({status}):\n{}", program.display(), server.end_of_log());
            }
            if began.elapsed() > START_LIMIT {
                bail!(
                    "{} did not listen on {address} within {START_LIMIT:?}:\n{}",
                    program.display(),
                    server.end_of_log()
                );
            }
            sleep(Duration::from_millis(5)).await;
        }
        Ok(server)
    }

    fn end_of_log(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// Ends it as a power cut would: SIGKILL, no farewell.
    pub(crate) async fn kill(mut self) -> Result<()> {
        self.child.kill().await.context("kill the server")
    }

    /// Resident memory.
    pub(crate) fn resident_bytes(&self) -> Result<u64> {
        self.memory("VmRSS")
    }

    /// The most resident memory since the process started.
    pub(crate) fn peak_bytes(&self) -> Result<u64> {
        self.memory("VmHWM")
    }

    fn memory(&self, name: &str) -> Result<u64> {
        let status = self.proc_file("status")?;
        let mut lines = status.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let line = lines.next().with_context(|| format!("no {name} in /proc"))?;
        let kib: u64 =
            line.trim().trim_end_matches(" kB").parse().with_context(|| format!("{name} is not a number"))?;
        Ok(kib * 1024)
    }

    /// Processor time used so far, of all threads, in user and kernel.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        let stat = self.proc_file("stat")?;
        // The program's name stands in brackets and may hold anything; the numbers follow the last bracket.
        let numbers: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| numbers.get(at).and_then(|text| text.parse::<u64>().ok());
        let (user, kernel) = ticks(11).zip(ticks(12)).context("no times in /proc")?;
        // Linux tells them in hundredths of a second on every architecture we build for.
        Ok(Duration::from_millis((user + kernel) * 10))
    }

    fn proc_file(&self, name: &str) -> Result<String> {
        let id = self.child.id().context("the server is gone")?;
        std::fs::read_to_string(format!("/proc/{id}/{name}")).with_context(|| format!("read /proc/{id}/{name}"))
    }
}

/// A loopback port that was free a moment ago.
pub(crate) fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// How many threads each server gets for HTTP.
pub(crate) fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_process_that_ends_at_once_is_told_with_what_it_printed() {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address().unwrap();
        let outcome =
            Server::start(Path::new("/bin/sh"), ["-c", "echo no such key"], address, &folder.path().join("log")).await;
        let error = outcome.err().unwrap().to_string();
        assert!(error.contains("no such key"), "{error}");
    }
}
