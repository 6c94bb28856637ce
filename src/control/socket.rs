//! The socket in the data folder: one order a connection.
//!
//! The client sends one line of JSON, an order or a transfer, and for an import the file after it: one into a production in the length that the
//! line says. It gets one line back,
//! `{"ok": …}` or `{"error": "…"}`; an export gets its own lines first, an import into a production lines that say how far it is.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

use super::orders::{Order, OrderReply, perform};
use super::production::{ProductionOrder, ProductionReply, perform_production, read_file};
use super::transfer::{Transfer, TransferReply, transfer};
use crate::instance::Instance;

/// The socket's name in the data folder.
pub const SOCKET_NAME: &str = "control.sock";

/// The longest order, in bytes, with the end of its line.
pub(super) const MAX_ORDER_BYTES: usize = 64 * 1024;

/// What is said of a longer one.
pub(super) fn too_long() -> String {
    format!("the order is longer than {} KB; shorten what it says", MAX_ORDER_BYTES / 1024)
}

/// What a client asks for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Order(Order),
    Transfer(Transfer),
    Production {
        order: ProductionOrder,
        /// How many bytes the file has that follows: a part of a table would be a table too.
        n_bytes: u64,
    },
}

/// The last line of every connection.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Response {
    Ok(Box<Done>),
    Error(String),
}

/// What was done.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Done {
    Order(OrderReply),
    Transfer(TransferReply),
    Production(ProductionReply),
}

/// A line before the last one: how far an import is, from 0 to 1.
#[derive(Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) progress: f64,
}

/// The listening socket. Dropping it removes the file.
pub struct ControlSocket {
    path: PathBuf,
    listener: UnixListener,
}

impl ControlSocket {
    /// Listens in `folder`. Call it only while holding the store: a socket that is there already is then a dead process's.
    ///
    /// # Errors
    /// What the system says, as when the folder's path is too long for a socket (about 100 bytes).
    pub fn bind(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join(SOCKET_NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { path, listener })
    }

    /// Serves orders until it is dropped. Runs on the thread that calls it.
    pub async fn serve(self, instance: Instance) {
        let instance = Rc::new(instance);
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let instance = Rc::clone(&instance);
                    actix_web::rt::spawn(async move {
                        if let Err(error) = answer(&instance, stream).await {
                            tracing::warn!(%error, "an order's connection broke");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "could not accept an order");
                    // Out of file descriptors, most likely: leave the others time to give some back.
                    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                }
            }
        }
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // Nobody is left to tell, and the next start removes it.
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn answer(instance: &Instance, stream: UnixStream) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    (&mut reader).take(MAX_ORDER_BYTES as u64).read_until(b'\n', &mut line).await?;
    let response = match serde_json::from_slice(&line) {
        _ if line.len() == MAX_ORDER_BYTES && !line.ends_with(b"\n") => Err(too_long()),
        Ok(Request::Order(order)) => perform(instance, order).await.map(Done::Order),
        Ok(Request::Transfer(order)) => transfer(instance, order, &mut reader, &mut writer).await.map(Done::Transfer),
        Ok(Request::Production { order, n_bytes }) => match read_file(&mut reader, n_bytes).await {
            Ok(file) => production(instance, order, file, &mut writer).await.map(Done::Production),
            Err(sentence) => Err(sentence),
        },
        Err(error) => Err(format!("not an order that this version knows: {error}")),
    };
    let response = match response {
        Ok(done) => Response::Ok(Box::new(done)),
        Err(sentence) => Response::Error(sentence),
    };
    let mut line = serde_json::to_vec(&response)?;
    line.push(b'\n');
    writer.write_all(&line).await?;
    writer.shutdown().await
}

/// Carries out an order about a production, telling the client how far it is.
async fn production(
    instance: &Instance,
    order: ProductionOrder,
    file: Bytes,
    writer: &mut (impl AsyncWrite + Unpin),
) -> Result<ProductionReply, String> {
    let (steps_tx, mut steps) = tokio::sync::mpsc::unbounded_channel();
    // A handful of steps an import; who is gone misses them.
    let work = perform_production(instance, order, file, move |progress| _ = steps_tx.send(progress));
    let tell = async {
        while let Some(progress) = steps.recv().await {
            let mut line = serde_json::to_vec(&Progress { progress }).unwrap_or_default();
            line.push(b'\n');
            if writer.write_all(&line).await.is_err() {
                return;
            }
        }
    };
    futures_util::future::join(work, tell).await.0
}
