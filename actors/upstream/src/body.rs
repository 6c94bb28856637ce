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
pub(crate) async fn read_whole(mut response: Response, limit: usize) -> Result<Vec<u8>, BodyFault> {
    let announced = response.content_length().unwrap_or(0);
    if announced > limit as u64 {
        return Err(BodyFault::TooLarge);
    }
    let mut body = Vec::with_capacity(announced as usize);
    while let Some(chunk) = response.chunk().await.map_err(|_| BodyFault::CutOff)? {
        if body.len() + chunk.len() > limit {
            return Err(BodyFault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
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
