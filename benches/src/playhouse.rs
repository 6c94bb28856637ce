//! One Playhouse under measurement: its folder, its configuration, its process.

use std::{net::SocketAddr, path::Path};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use url::Url;

use crate::process::{Server, free_address, n_cores};

/// A Playhouse with a folder of its own, which goes away with it.
pub(crate) struct Playhouse {
    program: std::path::PathBuf,
    folder: TempDir,
    pub(crate) server: Server,
}

impl Playhouse {
    /// Starts one with an empty store.
    pub(crate) async fn start(program: &Path) -> Result<Self> {
        Self::start_with(program, "").await
    }

    /// Starts one with an empty store and further sections in its configuration.
    pub(crate) async fn start_with(program: &Path, sections: &str) -> Result<Self> {
        Self::start_in(program, tempfile::tempdir().context("make a folder for the server")?, sections).await
    }

    /// Starts one in a folder whose data folder or [`store_folder`] may have been filled.
    pub(crate) async fn start_in(program: &Path, folder: TempDir, sections: &str) -> Result<Self> {
        let address = free_address()?;
        let configuration = configuration(address, folder.path()) + sections;
        std::fs::write(folder.path().join("playhouse.toml"), configuration)?;
        let server = serve(program, folder.path(), address).await?;
        Ok(Self { program: program.to_owned(), folder, server })
    }

    /// The folder that goes away with it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Kills the process and starts it again on the same port and store. Answers when it listens.
    pub(crate) async fn kill_and_restart(self) -> Result<Self> {
        let Self { program, folder, server } = self;
        let address = server.address;
        server.kill().await?;
        let server = serve(&program, folder.path(), address).await?;
        Ok(Self { program, folder, server })
    }

    /// Has its command line carry out an order; answers what it prints as JSON.
    pub(crate) async fn order(&self, arguments: &[&str]) -> Result<Value> {
        let config = self.folder.path().join("playhouse.toml");
        let output = tokio::process::Command::new(&self.program)
            .arg("--config")
            .arg(config)
            .arg("--json")
            .args(arguments)
            .output()
            .await
            .context("run the command line")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`playhouse {}` failed: {said}", arguments.join(" "));
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("`playhouse {}` printed no JSON", arguments.join(" ")))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    pub(crate) fn url(&self) -> Result<Url> {
        Ok(format!("http://{}", self.address()).parse()?)
    }
}

/// Where a Playhouse in `folder` keeps its store.
pub(crate) fn store_folder(folder: &Path) -> std::path::PathBuf {
    folder.join("data").join("store")
}

async fn serve(program: &Path, folder: &Path, address: SocketAddr) -> Result<Server> {
    let config = folder.join("playhouse.toml");
    let arguments = [Path::new("serve"), Path::new("--config"), &config];
    Server::start(program, arguments, address, &folder.join("log")).await
}

/// The shipped defaults, but for addresses, for what lets TVs in without waiting, and for room for all of them.
fn configuration(address: SocketAddr, folder: &Path) -> String {
    let data = folder.join("data");
    let workers = n_cores();
    format!(
        r#"[server]
listen = "{address}"
workers = {workers}
max_connections = 18000

[data]
folder = {data:?}

[metrics]
listen = "127.0.0.1:0"

[pairing]
open_pairing = true
max_unpolled_codes = 100000
max_pending_codes = 100000

[limits]
pair_init_per_minute = 60000
pair_init_burst = 60000
pair_claim_per_minute = 60000
pair_claim_burst = 60000
failed_claims_per_hour = 1000000
failed_claims_per_hour_per_address = 1000000
"#
    )
}
