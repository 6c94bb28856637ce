//! Fills a Playhouse through its own doors: each TV asks for a code and is claimed into a house of its own.

use std::{net::SocketAddr, sync::Arc};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, de::DeserializeOwned};
use tokio::task::JoinSet;

use crate::{
    http1::{Connection, post},
    progress::Progress,
};

/// A TV in a house of its own.
#[derive(Debug, Clone)]
pub(crate) struct PairedTv {
    /// With which its bridge app dials in.
    pub(crate) bridge_token: String,
    /// With which an assistant controls it.
    pub(crate) assistant_token: String,
}

/// Claims at once: enough for the store to commit them in groups.
const N_AT_ONCE: usize = 64;

/// Opens so many houses with one TV each.
pub(crate) async fn open_houses(server: SocketAddr, n_houses: usize) -> Result<Vec<PairedTv>> {
    let progress = Arc::new(Progress::new("pairing TVs", n_houses));
    let mut workers = JoinSet::new();
    for worker in 0..N_AT_ONCE.min(n_houses) {
        let progress = Arc::clone(&progress);
        let share = (worker..n_houses).step_by(N_AT_ONCE).len();
        workers.spawn(async move {
            let mut connection = Connection::open(server).await?;
            let mut paired = Vec::with_capacity(share);
            for _ in 0..share {
                paired.push(open_house(&mut connection, server).await?);
                progress.step();
            }
            anyhow::Ok(paired)
        });
    }
    let mut paired = Vec::with_capacity(n_houses);
    while let Some(share) = workers.join_next().await {
        paired.extend(share??);
    }
    Ok(paired)
}

async fn open_house(connection: &mut Connection, server: SocketAddr) -> Result<PairedTv> {
    #[derive(Deserialize)]
    struct Init {
        code: String,
        token: String,
    }
    #[derive(Deserialize)]
    struct Claimed {
        token: String,
    }
    let init: Init = ask(connection, server, "/pair/init", "{}").await?;
    let body = format!(r#"{{"code":"{}","device_id":"living-room"}}"#, init.code);
    let claimed: Claimed = ask(connection, server, "/pair/claim", &body).await?;
    ensure!(claimed.token != init.token, "the assistant was given the bridge's own token");
    Ok(PairedTv { bridge_token: init.token, assistant_token: claimed.token })
}

async fn ask<T: DeserializeOwned>(
    connection: &mut Connection,
    server: SocketAddr,
    path: &str,
    body: &str,
) -> Result<T> {
    let response = connection.exchange(&post(path, &server.to_string(), "", body)).await?;
    let text = String::from_utf8_lossy(response.body);
    if !(200..300).contains(&response.status) {
        bail!("POST {path} was answered {} {text}", response.status);
    }
    serde_json::from_str(&text).with_context(|| format!("POST {path} was answered {text}"))
}
