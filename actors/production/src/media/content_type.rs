//! What a file says it is. Nothing depends on it being true: downloads are attachments that browsers may not sniff.

use super::name::FileName;

/// The media type of bytes nobody knows anything about.
const UNKNOWN: &str = "application/octet-stream";

/// The formats of the trade by extension. Browsers and `curl` know few of them and send [`UNKNOWN`].
const BY_EXTENSION: [(&str, &str); 30] = [
    ("aaf", "application/octet-stream"),
    ("aif", "audio/aiff"),
    ("ale", "text/plain"),
    ("cdl", "application/xml"),
    ("csv", "text/csv"),
    ("dpx", "image/x-dpx"),
    ("edl", "text/plain"),
    ("exr", "image/x-exr"),
    ("fdx", "application/xml"),
    ("fountain", "text/plain"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("m4v", "video/x-m4v"),
    ("mkv", "video/x-matroska"),
    ("mov", "video/quicktime"),
    ("mp4", "video/mp4"),
    ("mxf", "application/mxf"),
    ("otio", "application/json"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("srt", "application/x-subrip"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("txt", "text/plain"),
    ("usd", "application/octet-stream"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

/// The media type of a file: what its sender declared, else what its extension says.
pub fn content_type(declared: Option<&str>, name: &FileName) -> String {
    let declared = declared.map(str::trim).filter(|declared| is_media_type(declared) && *declared != UNKNOWN);
    if let Some(declared) = declared {
        return declared.to_ascii_lowercase();
    }
    let extension = name.extension();
    let found = BY_EXTENSION.iter().find(|(own, _)| *own == extension);
    found.map_or(UNKNOWN, |(_, media_type)| media_type).to_owned()
}

/// `type/subtype` without parameters, short, of the characters that RFC 9110 gives tokens.
fn is_media_type(text: &str) -> bool {
    const MAX_BYTES: usize = 100;
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    text.len() <= MAX_BYTES && text.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_senders_word_counts_before_the_extension_and_nonsense_does_not() {
        for (declared, name, expected) in [
            (Some("Video/MP4"), "a.mov", "video/mp4"),
            (None, "a.MOV", "video/quicktime"),
            (Some("application/octet-stream"), "a.exr", "image/x-exr"),
            (Some("text/html\r\nX-Evil: 1"), "a.wav", "audio/wav"),
            (Some("nonsense"), "noextension", UNKNOWN),
        ] {
            assert_eq!(content_type(declared, &FileName::parse(name).unwrap()), expected, "{declared:?} {name}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_has_each_extension_once() {
        assert!(BY_EXTENSION.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
