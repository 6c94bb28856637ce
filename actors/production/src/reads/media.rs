//! Files: what is known of them. Their bytes are the door's to send.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Moment;
use super::{View, id};
use crate::messages::{MediaFile, OfficeRefusal};
use crate::model::{Link, Media, MediaId, MediaKind, SubjectType};

/// A file as other answers show it.
#[derive(Serialize, JsonSchema)]
pub(super) struct MediaRow<'a> {
    id: MediaId,
    filename: &'a str,
    content_type: &'a str,
    size_bytes: u64,
    sha256: &'a str,
    kind: MediaKind,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
}

/// `GET /media/{id}`.
#[derive(Serialize, JsonSchema)]
pub(super) struct MediaAnswer<'a> {
    #[serde(flatten)]
    row: MediaRow<'a>,
    linked: Vec<Link>,
}

/// `GET /media/{id}`.
pub(super) fn get<'a>(view: &View<'a>, number: i64) -> Result<MediaAnswer<'a>, OfficeRefusal> {
    let media = seen(view, number)?;
    let linked = media.linked.iter().filter_map(|link| view.sight.link(*link)).collect();
    Ok(MediaAnswer { row: MediaRow::of(media), linked })
}

/// The file whose bytes are asked for.
pub(crate) fn find(view: &View<'_>, number: i64) -> Result<MediaFile, OfficeRefusal> {
    let media = seen(view, number)?;
    Ok(MediaFile {
        filename: media.filename.clone(),
        content_type: media.content_type.clone(),
        size_bytes: media.size_bytes,
        sha256: media.sha256.clone(),
    })
}

/// The files of one thing that the reader sees.
pub(super) fn of_subject<'a>(view: &View<'a>, subject_type: SubjectType, id: u32) -> Vec<MediaRow<'a>> {
    let media = view.office.by.media_of.of(&(subject_type, id)).filter_map(|id| view.office.media.get(&id));
    media.filter(|media| !media.purged).filter_map(|media| view.sight.media(media)).map(MediaRow::of).collect()
}

fn seen<'a>(view: &View<'a>, number: i64) -> Result<&'a Media, OfficeRefusal> {
    let media = id(number).and_then(|id: MediaId| view.office.media.get(&id));
    let media = media.and_then(|media| view.sight.media(media)).ok_or_else(|| OfficeRefusal::not_found("Media"))?;
    if media.purged { Err(OfficeRefusal::new(410, "This file was removed.")) } else { Ok(media) }
}

impl<'a> MediaRow<'a> {
    fn of(media: &'a Media) -> Self {
        Self {
            id: media.id,
            filename: &media.filename,
            content_type: &media.content_type,
            size_bytes: media.size_bytes,
            sha256: &media.sha256,
            kind: media.kind,
            created_at: media.created_at,
        }
    }
}
