//! A large submission: how fast it comes in beside `cp` and `sha256sum` of the same file, and what it takes of memory.

use std::{
    fs::File,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::Plan;
use crate::{
    playhouse::Playhouse,
    report::{Report, median},
    turnover::{OpenTurnover, prepare},
};

/// The part of the rate of `cp`, `sync` and `sha256sum` that an upload must reach.
const LEAST_RATE: f64 = 0.8;
/// What an upload may take of memory over the idle server.
const MOST_MEMORY_MIB: f64 = 50.0;
/// How often the server's memory is looked at while an upload comes in.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const BOUNDARY: &str = "playhouse-bench-boundary";

/// One round.
struct Round {
    upload: Duration,
    copy: Duration,
    sync: Duration,
    sum: Duration,
    most_memory_bytes: u64,
}

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir().context("make a folder for the server")?;
    let turnover = prepare(&folder.path().join("data")).await.context("open a turnover")?;
    let playhouse = Playhouse::start_in(program, folder, "").await?;
    let folder = tempfile::tempdir_in(playhouse.folder()).context("make a folder on the server's disk")?;
    let source = folder.path().join("source.mov");
    write_source(&source, plan.upload_bytes)?;
    let idle_bytes = playhouse.server.resident_bytes()?;
    let mut rounds = Vec::new();
    for round in 0..plan.n_rounds {
        rounds.push(measure(&playhouse, &turnover, &source, round).await?);
    }

    let mib = plan.upload_bytes >> 20;
    let rate = |part: fn(&Round) -> Duration| median(rounds.iter().map(|it| part(it).as_secs_f64()));
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 MiB")]
    let mib_per_second = |seconds: f64| mib as f64 / seconds;
    report.title(&format!("(f) an upload of {mib} MiB beside cp, sync and sha256sum of the same file"));
    report.line(&format!("{:>14} {:>9} {:>9} {:>9} {:>12}", "upload MiB/s", "cp", "sync", "sha256sum", "all three"));
    let by_hand = |it: &Round| it.copy + it.sync + it.sum;
    report.line(&format!(
        "{:>14.0} {:>9.0} {:>9.0} {:>9.0} {:>12.0}",
        mib_per_second(rate(|it| it.upload)),
        mib_per_second(rate(|it| it.copy)),
        mib_per_second(rate(|it| it.sync)),
        mib_per_second(rate(|it| it.sum)),
        mib_per_second(rate(by_hand)),
    ));
    let part = median(rounds.iter().map(|it| by_hand(it).as_secs_f64() / it.upload.as_secs_f64()));
    let unsynced = median(rounds.iter().map(|it| (it.copy + it.sum).as_secs_f64() / it.upload.as_secs_f64()));
    report.line(&format!(
        "An upload is on the disk when it is answered. Beside cp and sha256sum without sync: {unsynced:.2}"
    ));
    let most = rounds.iter().map(|it| it.most_memory_bytes).max().unwrap_or_default().saturating_sub(idle_bytes);
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 bytes")]
    let most_mib = most as f64 / f64::from(1 << 20);
    report.at_least("(f) rate of an upload, part of that of cp, sync and sha256sum", LEAST_RATE, part);
    report.below(&format!("(f) memory over idle during an upload of {mib} MiB"), MOST_MEMORY_MIB, most_mib, " MiB");
    Ok(())
}

async fn measure(playhouse: &Playhouse, turnover: &OpenTurnover, source: &Path, round: usize) -> Result<Round> {
    let (address, key, id) = (playhouse.address(), turnover.key.clone(), turnover.id);
    let file = source.to_owned();
    let began = Instant::now();
    let upload = tokio::task::spawn_blocking(move || upload(address, &key, id, &file, round));
    tokio::pin!(upload);
    let mut most_memory_bytes = 0;
    let mut look = tokio::time::interval(LOOK_EVERY);
    let status = loop {
        tokio::select! {
            status = &mut upload => break status??,
            _ = look.tick() => most_memory_bytes = most_memory_bytes.max(playhouse.server.resident_bytes()?),
        }
    };
    let upload = began.elapsed();
    ensure!(status == 201, "the submission was answered {status}");
    let copy_path = source.with_extension("copy");
    let copy = timed(Command::new("cp").args([source, copy_path.as_path()]))?;
    let sync = timed(Command::new("sync").arg(&copy_path))?;
    let sum = timed(Command::new("sha256sum").arg(&copy_path))?;
    std::fs::remove_file(copy_path)?;
    Ok(Round { upload, copy, sync, sum, most_memory_bytes })
}

fn timed(command: &mut Command) -> Result<Duration> {
    let began = Instant::now();
    let output = command.output().with_context(|| format!("run {command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(began.elapsed())
}

/// Sends the file as a form, as `curl -F` would; answers the status.
fn upload(address: SocketAddr, key: &str, turnover: u32, source: &Path, round: usize) -> Result<u16> {
    let mut file = File::open(source)?;
    let length = file.metadata()?.len();
    // The first bytes differ from round to round: the same files again would be answered with the first submission.
    let mark = format!("{round:08}");
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"take.mov\"\r\n\
         Content-Type: video/quicktime\r\n\r\n{mark}"
    );
    let tail = format!("\r\n--{BOUNDARY}--\r\n");
    let body_length = head.len() as u64 + length + tail.len() as u64;
    let mut socket = TcpStream::connect(address)?;
    write!(
        socket,
        "POST /v1/turnovers/{turnover}/submissions HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {body_length}\r\nConnection: close\r\n\r\n{head}"
    )?;
    let mut chunk = vec![0; 1 << 20];
    loop {
        let n_read = file.read(&mut chunk)?;
        if n_read == 0 {
            break;
        }
        socket.write_all(&chunk[..n_read])?;
    }
    socket.write_all(tail.as_bytes())?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.with_context(|| format!("no status in {answer}"))
}

/// Bytes that do not compress and hold every value, so that the form's boundary is looked for in earnest.
fn write_source(path: &Path, n_bytes: u64) -> Result<()> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut file = std::io::BufWriter::with_capacity(1 << 20, File::create(path)?);
    for _ in 0..n_bytes / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        file.write_all(&state.to_le_bytes())?;
    }
    file.flush()?;
    Ok(())
}
