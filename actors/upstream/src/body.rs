//! Reads an answer's body, but never more of it than is allowed.

use bytes::Bytes;
use reqwest::Response;

/// Why a body was not read to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// It is longer than the limit.
    TooLarge,
    /// The connection ended before the body did.
    CutOff,
}

/// What takes an answer piece by piece.
pub trait Sink: Send {
    /// Takes the next piece. The following one is not asked for before this is done.
    fn take(&mut self, piece: Bytes) -> impl Future<Output = ()> + Send;
}

/// The whole body, or nothing of it when it is longer than `limit` bytes. An announced length above the limit is not even begun.
pub(crate) async fn read_whole(response: Response, limit: usize) -> Result<Vec<u8>, BodyFault> {
    // The announced length may be a lie: most of the room is made as the bytes come.
    let announced = response.content_length().unwrap_or(0).min(64 * 1024);
    let mut body = Whole(Vec::with_capacity(announced as usize));
    read_pieces(response, limit, &mut body).await?;
    Ok(body.0)
}

struct Whole(Vec<u8>);

impl Sink for Whole {
    async fn take(&mut self, piece: Bytes) {
        self.0.extend_from_slice(&piece);
    }
}

/// Each piece of the body as it comes. `sink` has the beginning of a body that turns out too long or cut off.
pub(crate) async fn read_pieces(mut response: Response, limit: usize, sink: &mut impl Sink) -> Result<(), BodyFault> {
    if response.content_length().unwrap_or(0) > limit as u64 {
        return Err(BodyFault::TooLarge);
    }
    let mut n_bytes = 0;
    while let Some(piece) = response.chunk().await.map_err(|_| BodyFault::CutOff)? {
        n_bytes += piece.len();
        if n_bytes > limit {
            return Err(BodyFault::TooLarge);
        }
        sink.take(piece).await;
    }
    Ok(())
}

/// The beginning of a body.
#[derive(Debug, Default)]
pub(crate) struct Start {
    pub(crate) bytes: Vec<u8>,
    /// Whether it is all there is: the body ended there, in good order.
    pub(crate) is_whole: bool,
}

/// As much of the body as comes within `limit` bytes: for refusals, where half a text is better than none.
pub(crate) async fn read_start(mut response: Response, limit: usize) -> Start {
    let mut start = Start::default();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = limit - start.bytes.len();
                start.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    return start;
                }
            }
            Ok(None) => {
                start.is_whole = true;
                return start;
            }
            Err(_) => return start,
        }
    }
}
