//! Sizes as people read them.

use std::fmt;

/// A number of bytes, shown in steps of 1024 with one decimal: `1.5 GB`. Nothing, or less than nothing, is `0 B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub i64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["B", "KB", "MB", "GB", "TB", "PB"];
        if self.0 <= 0 {
            return f.write_str("0 B");
        }
        #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
        let mut left = self.0 as f64;
        let mut unit = 0;
        // What would be shown as 1024.0 is shown in the next unit.
        while left >= 1023.95 && unit + 1 < UNITS.len() {
            left /= 1024.0;
            unit += 1;
        }
        match unit {
            0 => write!(f, "{} B", self.0),
            _ => write!(f, "{left:.1} {}", UNITS[unit]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_go_up_in_steps_of_1024_with_one_decimal() {
        for (bytes, shown) in [
            (-5, "0 B"),
            (0, "0 B"),
            (1, "1 B"),
            (1_023, "1023 B"),
            (1_024, "1.0 KB"),
            (1_536, "1.5 KB"),
            (1_048_575, "1.0 MB"),
            (66_000_000_000, "61.5 GB"),
            (4_000_000_000_000, "3.6 TB"),
            (i64::MAX, "8192.0 PB"),
        ] {
            assert_eq!(Size(bytes).to_string(), shown);
        }
    }
}
