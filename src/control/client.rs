//! The command line's end: asks the running server, or opens the data folder itself.

use std::io::ErrorKind;

use bytes::Bytes;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use super::orders::{Order, OrderReply, perform};
use super::production::{ProductionOrder, ProductionReply, perform_production};
use super::socket::{Done, MAX_ORDER_BYTES, Progress, Request, Response, SOCKET_NAME, too_long};
use super::transfer::{Transfer, TransferReply, transfer};
use crate::config::Config;
use crate::instance::{Instance, OpenError};

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// It was refused; the sentence says why.
    #[error("{0}")]
    Refused(String),
    /// The data folder could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The running server went away, or answers what this version does not know.
    #[error("the running server did not answer as expected ({0}); is it of the same version as this program?")]
    Connection(String),
}

impl From<std::io::Error> for ControlError {
    fn from(error: std::io::Error) -> Self {
        ControlError::Connection(error.to_string())
    }
}

/// Carries out orders wherever the data folder is held.
pub enum Controller {
    /// By the server that has the folder open.
    Running(std::path::PathBuf),
    /// By this process.
    Here(Box<Instance>),
}

impl Controller {
    /// Looks for a running server, and opens the folder if there is none.
    ///
    /// # Errors
    /// [`ControlError::Open`].
    pub async fn of(config: Config) -> Result<Self, ControlError> {
        let socket = config.data.folder.join(SOCKET_NAME);
        match UnixStream::connect(&socket).await {
            Ok(_) => Ok(Controller::Running(socket)),
            // A socket that nobody listens to was left behind by a process that was killed.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                Ok(Controller::Here(Box::new(Instance::open(config).await?)))
            }
            Err(error) => {
                Err(ControlError::Refused(format!("cannot reach the running server at {}: {error}", socket.display())))
            }
        }
    }

    /// Carries out one order.
    ///
    /// # Errors
    /// As [`ControlError`] says.
    pub async fn order(&self, order: Order) -> Result<OrderReply, ControlError> {
        let done = match self {
            Controller::Here(instance) => Done::Order(perform(instance, order).await.map_err(ControlError::Refused)?),
            Controller::Running(socket) => {
                let mut stream = send(socket, &Request::Order(order)).await?;
                last_line(&mut stream).await?
            }
        };
        match done {
            Done::Order(reply) => Ok(reply),
            Done::Transfer(_) | Done::Production(_) => Err(other_answer()),
        }
    }

    /// Exports to `output`, or imports from `input`.
    ///
    /// # Errors
    /// As [`ControlError`] says.
    pub async fn transfer(
        &self,
        order: Transfer,
        input: &mut (impl AsyncRead + Unpin + Send),
        output: &mut (impl AsyncWrite + Unpin + Send),
    ) -> Result<TransferReply, ControlError> {
        match self {
            Controller::Here(instance) => {
                transfer(instance, order, &mut BufReader::new(input), output).await.map_err(ControlError::Refused)
            }
            Controller::Running(socket) => {
                let mut stream = send(socket, &Request::Transfer(order)).await?;
                tokio::io::copy(input, stream.get_mut()).await?;
                stream.get_mut().shutdown().await?;
                match lines(&mut stream, output).await? {
                    Done::Transfer(reply) => Ok(reply),
                    Done::Order(_) | Done::Production(_) => Err(other_answer()),
                }
            }
        }
    }

    /// Carries out an order about a production with the file it is about. `progress` is told how far it is, from 0 to 1.
    ///
    /// # Errors
    /// As [`ControlError`] says.
    pub async fn production(
        &self,
        order: ProductionOrder,
        file: Bytes,
        progress: impl Fn(f64) + 'static,
    ) -> Result<ProductionReply, ControlError> {
        match self {
            Controller::Here(instance) => {
                perform_production(instance, order, file, progress).await.map_err(ControlError::Refused)
            }
            Controller::Running(socket) => {
                let n_bytes = u64::try_from(file.len()).unwrap_or(u64::MAX);
                let mut stream = send(socket, &Request::Production { order, n_bytes }).await?;
                stream.get_mut().write_all(&file).await?;
                stream.get_mut().shutdown().await?;
                loop {
                    let mut line = Vec::new();
                    stream.read_until(b'\n', &mut line).await?;
                    match serde_json::from_slice(&line) {
                        Ok(Progress { progress: done }) => progress(done),
                        Err(_) => {
                            return match response(&line)? {
                                Done::Production(reply) => Ok(reply),
                                Done::Order(_) | Done::Transfer(_) => Err(other_answer()),
                            };
                        }
                    }
                }
            }
        }
    }

    /// Lets go of the data folder. Does nothing to a running server.
    ///
    /// # Errors
    /// What the store says.
    pub async fn close(self) -> Result<(), ControlError> {
        match self {
            Controller::Here(instance) => instance.close().await.map_err(ControlError::Refused),
            Controller::Running(_) => Ok(()),
        }
    }
}

fn other_answer() -> ControlError {
    ControlError::Connection("it answered something else than was asked".to_owned())
}

async fn send(socket: &std::path::Path, request: &Request) -> Result<BufReader<UnixStream>, ControlError> {
    let mut line = serde_json::to_vec(request).map_err(|error| ControlError::Connection(error.to_string()))?;
    line.push(b'\n');
    // Not sent: the server would hang up in the middle of it, and its words would be lost.
    if line.len() > MAX_ORDER_BYTES {
        return Err(ControlError::Refused(too_long()));
    }
    let mut stream = UnixStream::connect(socket).await?;
    stream.write_all(&line).await?;
    Ok(BufReader::new(stream))
}

async fn last_line(stream: &mut BufReader<UnixStream>) -> Result<Done, ControlError> {
    let mut line = Vec::new();
    stream.read_to_end(&mut line).await?;
    response(&line)
}

/// Copies lines to `output` until the last one, which is the response.
async fn lines(
    stream: &mut BufReader<UnixStream>,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<Done, ControlError> {
    let mut held: Vec<u8> = Vec::new();
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            output.flush().await?;
            return response(&held);
        }
        output.write_all(&held).await?;
        held = line;
    }
}

fn response(line: &[u8]) -> Result<Done, ControlError> {
    match serde_json::from_slice(line) {
        Ok(Response::Ok(done)) => Ok(*done),
        Ok(Response::Error(sentence)) => Err(ControlError::Refused(sentence)),
        Err(error) => Err(ControlError::Connection(error.to_string())),
    }
}
