//! Request bodies, read up to a cap and no further.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{Bytes, BytesMut, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;

use super::detail;

/// Why a body was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the cap, by its own account or as it streamed.
    #[error("Request body is larger than {}.", Size(*.cap))]
    TooLarge {
        /// The cap in bytes.
        cap: usize,
    },
    /// The connection broke while it came in.
    #[error("The request body did not arrive whole.")]
    Broken,
}

impl BodyError {
    /// The answer that goes out for it.
    pub fn response(&self) -> HttpResponse {
        let status = match self {
            BodyError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            BodyError::Broken => StatusCode::BAD_REQUEST,
        };
        let mut response = detail(status, &self.to_string());
        // What is left of an oversized body is not worth reading for the sake of the connection.
        response.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
        response
    }
}

/// Whole gigabytes, megabytes and kilobytes are said as such.
struct Size(usize);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const KIB: usize = 1024;
        match self.0 {
            bytes if bytes % (KIB * KIB * KIB) == 0 => write!(f, "{} GB", bytes / (KIB * KIB * KIB)),
            bytes if bytes % (KIB * KIB) == 0 => write!(f, "{} MB", bytes / (KIB * KIB)),
            bytes if bytes % KIB == 0 => write!(f, "{} KB", bytes / KIB),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// Refuses a body that says itself that it is larger than `cap`, before a byte of it is read.
///
/// # Errors
/// [`BodyError::TooLarge`].
pub fn check_announced_size(request: &HttpRequest, cap: usize) -> Result<(), BodyError> {
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > cap as u64) { Err(BodyError::TooLarge { cap }) } else { Ok(()) }
}

/// Reads a body of at most `cap` bytes.
///
/// # Errors
/// [`BodyError::TooLarge`] as soon as that is known, also where the length was not announced; [`BodyError::Broken`].
pub async fn read_body(request: &HttpRequest, mut payload: Payload, cap: usize) -> Result<Bytes, BodyError> {
    check_announced_size(request, cap)?;
    let Some(first) = payload.next().await else { return Ok(Bytes::new()) };
    let first = first.map_err(|_| BodyError::Broken)?;
    if first.len() > cap {
        return Err(BodyError::TooLarge { cap });
    }
    // Nearly every body is one chunk, which then is not copied.
    let Some(second) = payload.next().await else { return Ok(first) };
    let mut body = BytesMut::from(&first[..]);
    let mut next = Some(second);
    while let Some(chunk) = next {
        let chunk = chunk.map_err(|_| BodyError::Broken)?;
        if body.len() + chunk.len() > cap {
            return Err(BodyError::TooLarge { cap });
        }
        body.extend_from_slice(&chunk);
        next = payload.next().await;
    }
    Ok(body.freeze())
}

/// Whether the request says that its body is JSON. Parameters such as a charset are fine.
pub fn is_json(request: &HttpRequest) -> bool {
    let Some(media_type) = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_charset_does_not_make_json_something_else() {
        for (media_type, json) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("text/json", false),
            ("application/json-rpc", false),
            ("text/plain", false),
        ] {
            let request = TestRequest::default().insert_header((CONTENT_TYPE, media_type)).to_http_request();
            assert_eq!(is_json(&request), json, "{media_type}");
        }
        assert!(!is_json(&TestRequest::default().to_http_request()));
    }

    #[test]
    fn a_size_is_said_in_the_units_people_use() {
        let said = |cap| BodyError::TooLarge { cap }.to_string();
        assert_eq!(said(100 * 1024 * 1024 * 1024), "Request body is larger than 100 GB.");
        assert_eq!(said(12 * 1024 * 1024), "Request body is larger than 12 MB.");
        assert_eq!(said(4 * 1024), "Request body is larger than 4 KB.");
        assert_eq!(said(100), "Request body is larger than 100 bytes.");
    }
}
