//! `playhouse demo`: a working house for newcomers and a production office beside it, in a folder of their own.
//!
//! It is the real server with real doors; only the televisions, the media libraries, TMDB and JustWatch are simulated. The TVs pair through `POST /pair/init` and
//! `POST /pair/claim` and dial in over a WebSocket as the bridge app does. What was made at the first run is kept beside the store, so
//! that the second run finds the same house, keys and TVs.

mod household;
mod libraries;
mod next_steps;
mod private_file;
mod production;
mod ready;
mod screens;
mod services;

use std::path::Path;

use anyhow::Context;

use crate::boot::{self, Running};
use crate::cli::DemoOptions;
use crate::config::Config;
use crate::telemetry;

/// The folder of the store within the demo's folder.
const DATA_FOLDER: &str = "data";

/// Runs the demo until Ctrl-C.
///
/// # Errors
/// Why it could not start, in words for the newcomer.
pub async fn run(options: DemoOptions) -> anyhow::Result<()> {
    let services = services::Services::start();
    let config = configuration(&options, &services)?;
    let exposition = telemetry::install(&config)?;
    let running = Running::start(config, exposition)
        .await
        .context("the demo could not start; `--listen 127.0.0.1:0` takes a free port, `--data DIR` another folder")?;
    let household = household::open(&running, &options.data).await?;
    let libraries = libraries::open(&running, &household).await?;
    let studio = production::open(&running, &options.data).await?;
    let screens = screens::switch_on(&running, &options.data, household).await?;

    if let Some(path) = &options.ready_file {
        let ready = ready::content(&running, &screens.household, &studio);
        private_file::write(path, &ready).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("{}", next_steps::text(&running, &screens.household, &studio));
    boot::stop_signal().await?;
    println!("\nswitching the TVs off and closing the house; run the demo again and it is still there");
    drop(screens);
    running.stop().await?;
    drop((services, libraries));
    Ok(())
}

/// The demo's own configuration: loopback, open pairing, every call shown. Nothing from the environment disturbs it.
fn configuration(options: &DemoOptions, services: &services::Services) -> anyhow::Result<Config> {
    let mut config = Config::default();
    config.resolver = services.configuration();
    config.server.listen = options.listen;
    config.data.folder = absolute(&options.data)?.join(DATA_FOLDER);
    // A free port, so that a second demo can run beside the first.
    config.metrics.listen = ([127, 0, 0, 1], 0).into();
    config.pairing.open_pairing = true;
    config.logging.filter = "warn,playhouse::calls=debug".to_owned();
    Ok(config)
}

fn absolute(folder: &Path) -> anyhow::Result<std::path::PathBuf> {
    std::path::absolute(folder).with_context(|| format!("cannot find the folder {}", folder.display()))
}
