//! Pairing codes: what the TV shows and a person types.

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Eight decimal digits. Shown as `6126 3208`; on the wire and in links the bare digits, so that a leading zero survives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PairingCode(u32);

const N_CODES: u32 = 100_000_000;

impl PairingCode {
    /// Digits in a code.
    pub const N_DIGITS: usize = 8;

    /// Draws a code. Every code is equally likely: a draw from the incomplete last round of 32 bits is thrown away
    /// instead of being folded onto the low codes.
    pub fn draw(rng: &mut impl Rng) -> Self {
        const WHOLE_ROUNDS: u32 = u32::MAX / N_CODES * N_CODES;
        loop {
            let drawn = rng.next_u32();
            if drawn < WHOLE_ROUNDS {
                return PairingCode(drawn % N_CODES);
            }
        }
    }

    /// The bare digits, as the bridge app and `/claim?code=` take them.
    pub fn digits(self) -> String {
        format!("{:08}", self.0)
    }
}

/// Grouped for reading aloud: `6126 3208`.
impl fmt::Display for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04} {:04}", self.0 / 10_000, self.0 % 10_000)
    }
}

/// Prints the type's name only: whoever knows a code can claim the TV that shows it.
impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingCode")
    }
}

/// The text does not hold eight digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pairing code is the eight digits that the TV shows, for example 6126 3208")]
pub struct MalformedPairingCode;

impl FromStr for PairingCode {
    type Err = MalformedPairingCode;

    /// Spaces and dashes, also the typographic ones that phones insert, may stand anywhere.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut value = 0_u32;
        let mut n_digits = 0;
        for character in text.chars() {
            if let Some(digit) = character.to_digit(10) {
                n_digits += 1;
                if n_digits > Self::N_DIGITS {
                    return Err(MalformedPairingCode);
                }
                value = value * 10 + digit;
            } else if !character.is_whitespace() && !matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}') {
                return Err(MalformedPairingCode);
            }
        }
        if n_digits == Self::N_DIGITS { Ok(PairingCode(value)) } else { Err(MalformedPairingCode) }
    }
}

impl Serialize for PairingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.digits())
    }
}

impl<'de> Deserialize<'de> for PairingCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;
    use rand::TryRng;

    use super::*;

    /// Answers the given draws in order, then zeros.
    struct Draws(Vec<u32>);

    impl TryRng for Draws {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(if self.0.is_empty() { 0 } else { self.0.remove(0) })
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            self.try_next_u32().map(u64::from)
        }

        fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Infallible> {
            destination.fill(0);
            Ok(())
        }
    }

    #[test]
    fn a_leading_zero_survives() {
        let code = PairingCode::draw(&mut Draws(vec![1_234_567]));
        assert_eq!(code.digits(), "01234567");
        assert_eq!(code.to_string(), "0123 4567");
        assert_eq!("0123 4567".parse(), Ok(code));
    }

    #[test]
    fn draws_from_the_incomplete_last_round_are_thrown_away() {
        let code = PairingCode::draw(&mut Draws(vec![4_200_000_000, u32::MAX, 4_199_999_999]));
        assert_eq!(code.digits(), "99999999");
    }

    #[test]
    fn spaces_and_dashes_may_stand_anywhere() {
        for text in ["61263208", "6126 3208", "6126-3208", " 61-26 32-08\n", "6126\u{a0}3208", "6126–3208"] {
            assert_eq!(text.parse::<PairingCode>().unwrap().digits(), "61263208", "{text}");
        }
    }

    #[test]
    fn anything_but_eight_digits_is_refused() {
        for text in
            ["", "612632", "612632081", "6126320a", "+61263208", "6126.3208", "٦١٢٦٣٢٠٨", "99999999999999999999"]
        {
            assert_eq!(text.parse::<PairingCode>(), Err(MalformedPairingCode), "{text}");
        }
    }

    #[test]
    fn debug_does_not_print_a_code() {
        assert_eq!(format!("{:?}", PairingCode(61_263_208)), "PairingCode");
    }

    proptest! {
        #[test]
        fn every_code_survives_its_own_text(value in 0..N_CODES) {
            let code = PairingCode(value);
            prop_assert_eq!(code.digits().parse(), Ok(code));
            prop_assert_eq!(code.to_string().parse(), Ok(code));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            let _ = text.parse::<PairingCode>();
        }
    }
}
