//! Numbers by their value, computed on their text.

/// A number as digits without zeros at either end, times a power of ten. Zero has no digits.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// The value of a JSON number; `None` where its exponent is beyond all measure.
    fn of(text: &str) -> Option<Self> {
        let (text, is_negative) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits: String::new(), exponent: 0 });
        }
        let n_zeros_behind = all.len() - all.trim_end_matches('0').len();
        let shift = i64::try_from(n_zeros_behind).ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        Some(Self { is_negative, digits: digits.to_owned(), exponent: exponent.checked_add(shift)? })
    }
}

/// Whether two JSON numbers have the same value: `1`, `1.0` and `10e-1` have.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    matches!((Decimal::of(one), Decimal::of(other)), (Some(one), Some(other)) if one == other)
}

/// Whether a JSON number is zero.
pub(super) fn is_zero(text: &str) -> bool {
    Decimal::of(text).is_some_and(|decimal| decimal.digits.is_empty())
}

/// Whether reading it as a 64-bit integer or a double changes nothing.
pub(super) fn survives_doubles(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok_and(|number| is_same(text, &number.to_string()))
}

/// One text for all numbers of the same value.
pub(super) fn normal(text: &str) -> String {
    match Decimal::of(text) {
        Some(Decimal { is_negative, digits, exponent }) if !digits.is_empty() => {
            format!("{}{digits}e{exponent}", if is_negative { "-" } else { "" })
        }
        Some(_) => "0".to_owned(),
        None => text.to_owned(),
    }
}

/// The value of a JSON number, where it is a whole one of 64 bits.
pub(super) fn integer(text: &str) -> Option<i64> {
    let Decimal { is_negative, digits, exponent } = Decimal::of(text)?;
    if digits.is_empty() {
        return Some(0);
    }
    /// An `i64` has no more.
    const MAX_DIGITS: usize = 19;
    let n_zeros = usize::try_from(exponent).ok().filter(|n| digits.len().saturating_add(*n) <= MAX_DIGITS)?;
    format!("{}{digits}{}", if is_negative { "-" } else { "" }, "0".repeat(n_zeros)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_double_would_round_or_not_hold_is_told_apart() {
        for text in ["0", "-0", "1.0", "0.10", "1E+2", "95.6", "9223372036854775807", "18446744073709551615"] {
            assert!(survives_doubles(text), "{text}");
        }
        for text in ["18446744073709551617", "0.12345678901234567890", "1e400", "9007199254740993.0"] {
            assert!(!survives_doubles(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value_to_the_last_digit() {
        for (one, other, same) in [
            ("1", "1.0", true),
            ("10", "1e1", true),
            ("0.10", "1E-1", true),
            ("0", "-0.000e7", true),
            ("100", "1e2", true),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "9007199254740993.000", true),
            ("1", "-1", false),
            ("1e99999999999999999999", "1e99999999999999999999", true),
            ("1e99999999999999999999", "2e99999999999999999999", false),
            ("1e9223372036854775807", "10e9223372036854775807", false),
        ] {
            assert_eq!(is_same(one, other), same, "{one} {other}");
            assert_eq!(normal(one) == normal(other), same, "{one} {other}");
        }
    }
}
