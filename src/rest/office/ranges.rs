//! Which part of a file is asked for, after RFC 9110.

use std::ops::Range;

use actix_web::http::header::{HeaderMap, IF_RANGE, RANGE};

/// What is to be sent of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// These bytes.
    Bytes(Range<u64>),
    /// Nothing: what is asked for is behind the end.
    BehindTheEnd,
}

/// Reads the part asked for, of a file of `n_bytes` under `etag`.
///
/// Several ranges at once, and what is no range of bytes, get the whole file, as the standard allows. So does a client whose `If-Range`
/// names another version than ours.
pub(super) fn wanted(headers: &HeaderMap, n_bytes: u64, etag: &str) -> Part {
    let Some(range) = headers.get(RANGE).and_then(|range| range.to_str().ok()) else { return Part::Whole };
    if headers.get(IF_RANGE).is_some_and(|version| version.as_bytes() != etag.as_bytes()) {
        return Part::Whole;
    }
    let Some(spec) = range.trim().strip_prefix("bytes=").filter(|spec| !spec.contains(',')) else { return Part::Whole };
    let Some((first, last)) = spec.trim().split_once('-') else { return Part::Whole };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first > last => Part::Whole,
        (Some(first), _) if first >= n_bytes => Part::BehindTheEnd,
        (Some(first), Some(last)) => Part::Bytes(first..last.saturating_add(1).min(n_bytes)),
        (Some(first), None) if last.is_empty() => Part::Bytes(first..n_bytes),
        // The last so many bytes.
        (None, Some(n_last)) if first.is_empty() && n_last.min(n_bytes) == 0 => Part::BehindTheEnd,
        (None, Some(n_last)) if first.is_empty() => Part::Bytes(n_bytes.saturating_sub(n_last)..n_bytes),
        _ => Part::Whole,
    }
}

/// Digits only: a sign or a blank makes it no number.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn of_ten(range: &str) -> Part {
        let mut headers = HeaderMap::new();
        headers.insert(RANGE, HeaderValue::from_str(range).unwrap());
        wanted(&headers, 10, "\"x\"")
    }

    #[test]
    fn one_range_of_bytes_is_answered() {
        for (range, expected) in [
            ("bytes=0-0", 0..1),
            ("bytes=2-4", 2..5),
            ("bytes=2-", 2..10),
            ("bytes=2-99", 2..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
        ] {
            assert_eq!(of_ten(range), Part::Bytes(expected), "{range}");
        }
        for range in ["bytes=10-", "bytes=999999-", "bytes=10-11", "bytes=-0"] {
            assert_eq!(of_ten(range), Part::BehindTheEnd, "{range}");
        }
    }

    #[test]
    fn what_is_no_single_range_gets_the_whole_file() {
        for range in ["bytes=0-1,3-4", "lines=1-2", "bytes=4-2", "bytes=x-", "bytes=+1-2", "bytes=", "bytes=-", "0-1"] {
            assert_eq!(of_ten(range), Part::Whole, "{range}");
        }
        assert_eq!(wanted(&HeaderMap::new(), 10, "\"x\""), Part::Whole);
    }

    #[test]
    fn a_client_with_another_version_gets_the_whole_file() {
        let with = |version| {
            let mut headers = HeaderMap::new();
            headers.insert(RANGE, HeaderValue::from_static("bytes=0-0"));
            headers.insert(IF_RANGE, HeaderValue::from_static(version));
            wanted(&headers, 10, "\"x\"")
        };
        assert_eq!(with("\"x\""), Part::Bytes(0..1));
        assert_eq!(with("\"y\""), Part::Whole);
    }

    proptest! {
        #[test]
        fn no_range_leads_out_of_the_file(range in "bytes=[0-9]{0,25}-[0-9]{0,25}", n_bytes in 0_u64..50) {
            let mut headers = HeaderMap::new();
            headers.insert(RANGE, HeaderValue::from_str(&range).unwrap());
            if let Part::Bytes(part) = wanted(&headers, n_bytes, "\"x\"") {
                prop_assert!(part.start < part.end && part.end <= n_bytes, "{range}: {part:?}");
            }
        }
    }
}
