//! Amounts of money: decimals on paper, whole numbers of the smallest unit in here.

/// How many digits follow the point in amounts of that currency, by ISO 4217: 2 for most.
#[must_use]
pub fn currency_digits(code: &str) -> u32 {
    match code {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "VND" | "VUV"
        | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}

/// Reads an amount such as `48500.00` as a number of the smallest unit.
///
/// # Errors
/// What is wrong, as it follows `Row 4: `. An amount with more digits than the currency has is refused, never rounded.
pub fn parse_amount(text: &str, currency: &str) -> Result<i64, String> {
    let shown: String = text.chars().take(40).collect();
    let digits = currency_digits(currency);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = !whole.is_empty()
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
        && !text.ends_with('.');
    if !is_number {
        return Err(format!("'{shown}' is no amount; write it as 48500 or 48500.00"));
    }
    let width = usize::try_from(digits).unwrap_or(0);
    if fraction.len() > width {
        return Err(format!("'{shown}' has more than the {digits} decimals of {currency}"));
    }
    let minor = format!("{whole}{fraction:0<width$}").parse();
    minor.map_err(|_| format!("'{shown}' is too large an amount"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_at_most_the_digits_of_its_currency() {
        let cases = [
            ("48500.00", "GBP", Ok(4_850_000)),
            ("48500", "GBP", Ok(4_850_000)),
            ("0.5", "GBP", Ok(50)),
            ("1200", "JPY", Ok(1_200)),
            ("1.234", "KWD", Ok(1_234)),
            ("1.2", "JPY", Err("'1.2' has more than the 0 decimals of JPY")),
            ("1.005", "GBP", Err("'1.005' has more than the 2 decimals of GBP")),
            ("-5", "GBP", Err("'-5' is no amount; write it as 48500 or 48500.00")),
            ("48,500.00", "GBP", Err("'48,500.00' is no amount; write it as 48500 or 48500.00")),
            ("1.", "GBP", Err("'1.' is no amount; write it as 48500 or 48500.00")),
            (".5", "GBP", Err("'.5' is no amount; write it as 48500 or 48500.00")),
            ("99999999999999999999", "GBP", Err("'99999999999999999999' is too large an amount")),
        ];
        for (text, currency, expected) in cases {
            assert_eq!(parse_amount(text, currency), expected.map_err(str::to_owned), "{text} {currency}");
        }
    }
}
