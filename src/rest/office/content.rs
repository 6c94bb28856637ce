//! `GET /media/{id}/content`: a file's bytes, whole or in part.

use std::io::SeekFrom;

use actix_web::body::SizedStream;
use actix_web::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_TYPE, Charset, ContentDisposition,
    DispositionParam, DispositionType, ETAG, ExtendedValue, HeaderValue,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use futures_util::Stream;
use playhouse_production::OfficeRefusal;
use playhouse_production::media::{ContentHash, MediaStore};
use playhouse_production::messages::MediaFile;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::answers;
use super::ranges::{Part, wanted};

/// How much is read at once. Each read is handed to a thread that may block, so small ones would cost more than they read.
const CHUNK_BYTES: usize = 256 * 1024;

/// Sends what was asked for of a file.
pub(super) async fn send(
    request: &HttpRequest,
    media: &MediaStore,
    file: MediaFile,
) -> Result<HttpResponse, OfficeRefusal> {
    let MediaFile { filename, content_type, size_bytes, sha256 } = file;
    let etag = format!("\"{sha256}\"");
    if answers::is_known(request.headers(), &etag) {
        return Ok(HttpResponse::NotModified().insert_header((ETAG, etag)).finish());
    }
    let part = match wanted(request.headers(), size_bytes, &etag) {
        Part::BehindTheEnd => {
            let mut response = answers::refusal(&OfficeRefusal::new(416, "The range is behind the end of the file."));
            if let Ok(size) = HeaderValue::from_str(&format!("bytes */{size_bytes}")) {
                response.headers_mut().insert(CONTENT_RANGE, size);
            }
            return Ok(response);
        }
        Part::Whole => None,
        Part::Bytes(range) => Some(range),
    };
    let hash: ContentHash = sha256.parse().map_err(|_| missing(&sha256))?;
    let store = media.clone();
    let opened = tokio::task::spawn_blocking(move || store.read(hash)).await;
    let opened = opened.ok().and_then(Result::ok).ok_or_else(|| missing(&sha256))?;

    let status = if part.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let mut response = HttpResponse::build(status);
    describe(&mut response, &filename, &content_type, &etag);
    let range = part.unwrap_or(0..size_bytes);
    if status == StatusCode::PARTIAL_CONTENT {
        let last = range.end.saturating_sub(1);
        response.insert_header((CONTENT_RANGE, format!("bytes {}-{last}/{size_bytes}", range.start)));
    }
    let length = range.end - range.start;
    if request.method() == Method::HEAD {
        // Only the length of this body goes out.
        return Ok(
            response.body(SizedStream::new(length, futures_util::stream::empty::<Result<Bytes, std::io::Error>>()))
        );
    }
    let bytes = read(File::from_std(opened), range.start, length);
    Ok(response.body(SizedStream::new(length, Box::pin(bytes))))
}

/// What any answer with a file's bytes says of them. They are an attachment whatever they claim to be: nothing that a vendor sent is to
/// run in somebody's browser.
fn describe(response: &mut HttpResponseBuilder, filename: &str, content_type: &str, etag: &str) {
    response
        .insert_header((
            CONTENT_TYPE,
            HeaderValue::from_str(content_type).unwrap_or(HeaderValue::from_static("application/octet-stream")),
        ))
        .insert_header((CONTENT_DISPOSITION, attachment(filename)))
        .insert_header(("X-Content-Type-Options", "nosniff"))
        .insert_header((ACCEPT_RANGES, "bytes"))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .insert_header((ETAG, etag));
}

/// The name to save a file under. What is not ASCII stands in the extended form (RFC 6266), beside a plain name for who does not read that.
fn attachment(filename: &str) -> ContentDisposition {
    let plain = filename.chars().map(|character| if character.is_ascii() { character } else { '_' }).collect();
    let mut parameters = vec![DispositionParam::Filename(plain)];
    if !filename.is_ascii() {
        parameters.push(DispositionParam::FilenameExt(ExtendedValue {
            charset: Charset::Ext("UTF-8".to_owned()),
            language_tag: None,
            value: filename.as_bytes().to_vec(),
        }));
    }
    ContentDisposition { disposition: DispositionType::Attachment, parameters }
}

/// A record names bytes that are not on the disk: someone removed them behind our back.
fn missing(sha256: &str) -> OfficeRefusal {
    tracing::error!(sha256, "a file that a record names is not in the media folder");
    OfficeRefusal::unavailable()
}

/// `n_bytes` of the file from `start` on, chunk by chunk as the client takes them.
fn read(file: File, start: u64, n_bytes: u64) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    struct Reading {
        file: File,
        seek_to: Option<u64>,
        n_left: u64,
    }
    let reading = Reading { file, seek_to: Some(start), n_left: n_bytes };
    futures_util::stream::try_unfold(reading, |mut reading| async move {
        if reading.n_left == 0 {
            return Ok(None);
        }
        if let Some(start) = reading.seek_to.take() {
            reading.file.seek(SeekFrom::Start(start)).await?;
        }
        let n_wanted = usize::try_from(reading.n_left).unwrap_or(usize::MAX).min(CHUNK_BYTES);
        let mut chunk = vec![0; n_wanted];
        reading.file.read_exact(&mut chunk).await?;
        reading.n_left -= n_wanted as u64;
        Ok(Some((Bytes::from(chunk), reading)))
    })
}
