//! The binary: reads the command line and does what it says.

use std::process::ExitCode;

use clap::Parser;
use playhouse::cli::{Cli, run};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match actix_web::rt::System::new().block_on(run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("playhouse: {error:#}");
            ExitCode::FAILURE
        }
    }
}
