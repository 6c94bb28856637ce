//! Reads an answer's body, but never more of it than is allowed.

use reqwest::Response;

/// Why a body was not read to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// It is longer than the limit.
    TooLarge,
    /// The connection ended before the body did.
    CutOff,
}

/// The whole body, or nothing of it when it is longer than `limit` bytes. An announced length above the limit is not even begun.
pub(crate) async fn read_whole(response: Response, limit: usize) -> Result<Vec<u8>, BodyFault> {
    let announced = response.content_length().unwrap_or(0);
    // The announced length may be a lie: room for it is made as the bytes come.
    let mut body = Vec::with_capacity((announced as usize).min(limit).min(64 * 1024));
    read_pieces(response, limit, |piece| body.extend_from_slice(piece)).await?;
    Ok(body)
}

/// Each piece of the body as it comes. `each` has seen the beginning of a body that turns out too long or cut off.
pub(crate) async fn read_pieces(
    mut response: Response,
    limit: usize,
    mut each: impl FnMut(&[u8]),
) -> Result<(), BodyFault> {
    if response.content_length().unwrap_or(0) > limit as u64 {
        return Err(BodyFault::TooLarge);
    }
    let mut n_bytes = 0;
    while let Some(piece) = response.chunk().await.map_err(|_| BodyFault::CutOff)? {
        n_bytes += piece.len();
        if n_bytes > limit {
            return Err(BodyFault::TooLarge);
        }
        each(&piece);
    }
    Ok(())
}

/// As much of the body as comes within `limit` bytes: for refusals, where half a text is better than none.
pub(crate) async fn read_start(mut response: Response, limit: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == limit {
            break;
        }
    }
    body
}
