//! Measures a release build of Playhouse from outside: requests a second, latencies, memory, recovery.
//!
//! Every figure stands beside a bare actix-web server that was measured in the same run on the same machine, in turn with it, so that a
//! slow machine or a noisy neighbour shows in both. The load generator shares the cores with the servers: read ratios first.

mod calls;
mod echo;
mod http1;
mod library_house;
mod load;
mod measure;
mod office;
mod playhouse;
mod prepare;
mod process;
mod progress;
mod report;
mod turnover;

use std::{net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use crate::{measure::Plan, report::Report};

#[derive(Parser)]
#[command(about, version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: Run,
}

#[derive(Args)]
struct Run {
    /// The server to measure; built with --release.
    #[arg(long, default_value = "target/release/playhouse")]
    server: PathBuf,
    /// Short rounds and a tenth of the houses and TVs: to see whether it works, not for figures.
    #[arg(long)]
    quick: bool,
    /// Measure only these parts; all of them unless given.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
}

/// A part of the run.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Requests a second and latencies of each call.
    Calls,
    /// The same call with more and more houses in the store.
    Houses,
    /// What finding a title that is known adds to opening its link.
    Titles,
    /// Memory of connected idle TVs, and how fast they are back after a kill.
    Tvs,
    /// A large library, a long queue, a library that hangs, and memory of idle ones.
    Library,
    /// A house with many proposals, and what an approval takes.
    Proposals,
    /// Reads of a large production, and how soon it answers after a restart.
    Production,
    /// A large submission beside `cp` and `sha256sum`, and its memory.
    Upload,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the bare JSON echo that everything is compared with.
    #[command(hide = true)]
    Echo {
        #[arg(long)]
        listen: SocketAddr,
        #[arg(long)]
        workers: usize,
    },
}

fn main() -> ExitCode {
    match measure_or_serve(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("playhouse-benches: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_or_serve(cli: &Cli) -> Result<()> {
    // Ten thousand sockets need as many descriptors, here and in the server, which inherits the limit.
    let n_descriptors = rlimit::increase_nofile_limit(u64::MAX).context("raise the limit of open files")?;
    match cli.command {
        Some(Command::Echo { listen, workers }) => echo::serve(listen, workers),
        None => {
            let runtime = tokio::runtime::Runtime::new()?;
            runtime.block_on(run(&cli.run, n_descriptors))
        }
    }
}

async fn run(run: &Run, n_descriptors: u64) -> Result<()> {
    let plan = if run.quick { Plan::quick() } else { Plan::full() };
    plan.check_descriptors(n_descriptors)?;
    let server = std::fs::canonicalize(&run.server).with_context(|| {
        format!("there is no server at {}; build it with `cargo build --release`", run.server.display())
    })?;
    let wants = |part| run.only.is_empty() || run.only.contains(&part);
    let mut report = Report::begin(&plan);
    if wants(Part::Calls) {
        measure::calls::run(&server, &plan, &mut report).await.context("measuring the calls")?;
    }
    if wants(Part::Houses) {
        measure::houses::run(&server, &plan, &mut report).await.context("measuring with more and more houses")?;
    }
    if wants(Part::Titles) {
        measure::titles::run(&server, &plan, &mut report).await.context("measuring titles")?;
    }
    if wants(Part::Tvs) {
        measure::tvs::run(&server, &plan, &mut report).await.context("measuring connected TVs")?;
    }
    if wants(Part::Library) {
        measure::library::run(&server, &plan, &mut report).await.context("measuring media libraries")?;
    }
    if wants(Part::Proposals) {
        measure::proposals::run(&server, &plan, &mut report).await.context("measuring proposals")?;
    }
    if wants(Part::Production) {
        measure::production::run(&server, &plan, &mut report).await.context("measuring a large production")?;
    }
    if wants(Part::Upload) {
        measure::uploads::run(&server, &plan, &mut report).await.context("measuring uploads")?;
    }
    report.end();
    Ok(())
}

/// How long a server may take to open its door.
const START_LIMIT: Duration = Duration::from_secs(60);
