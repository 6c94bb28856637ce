//! Reads `Retry-After`.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// No service silences us longer by one answer: a slip of its clock must not switch it off for a day.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// What `Retry-After` asks for: a number of seconds or a date. A date is read against the answer's own `Date`, so that neither
/// clock needs to be right.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = text(headers, RETRY_AFTER)?;
    let asked = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let (then, now) = (date(text)?, date(self::text(headers, DATE)?)?);
            Duration::try_from(then - now).unwrap_or(Duration::ZERO)
        }
    };
    Some(asked.min(LONGEST))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn date(text: &str) -> Option<jiff::Timestamp> {
    const PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(retry: &str, date: Option<&str>, expected: Option<u64>) {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, retry.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        assert_eq!(retry_after(&headers), expected.map(Duration::from_secs), "{retry} at {date:?}");
    }

    #[test]
    fn seconds_and_dates_are_understood_and_nonsense_is_not() {
        let now = Some("Wed, 21 Oct 2026 07:28:00 GMT");
        check("30", None, Some(30));
        check(" 0 ", None, Some(0));
        check("Wed, 21 Oct 2026 07:28:40 GMT", now, Some(40));
        check("Wed, 21 Oct 2026 07:27:00 GMT", now, Some(0));
        check("Wed, 21 Oct 2026 07:28:40 GMT", None, None);
        check("soon", now, None);
        check("-5", now, None);
    }

    #[test]
    fn no_answer_silences_us_for_longer_than_a_quarter_of_an_hour() {
        check("86400", None, Some(900));
        check("Thu, 22 Oct 2026 07:28:00 GMT", Some("Wed, 21 Oct 2026 07:28:00 GMT"), Some(900));
        check("99999999999999999999999", None, None);
    }

    #[test]
    fn no_header_asks_for_nothing() {
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
