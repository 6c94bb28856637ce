//! Cells that hold more than a word.

use jiff::civil::Date;

use super::super::heading::normal_number;
use super::super::limits::MAX_SCENE_NUMBER_CHARS;

/// A scene as a table names it: `4A`, or `101/4A` where several episodes have such a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneRef {
    /// The episode's number, if it is named.
    pub episode: Option<u32>,
    /// The scene's number.
    pub number: String,
}

/// A scene in a list such as `2;4pt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneCell {
    /// Which.
    pub scene: SceneRef,
    /// Whether only part of it is meant.
    pub part: bool,
}

impl SceneCell {
    /// Reads a list: scenes parted by `;` or `,`, each with `pt` behind it where it is shot in part.
    ///
    /// # Errors
    /// What is wrong, as it follows `Row 4: `.
    pub fn list(text: &str) -> Result<Vec<SceneCell>, String> {
        text.split([';', ',', '\n']).map(str::trim).filter(|part| !part.is_empty()).map(SceneCell::one).collect()
    }

    fn one(text: &str) -> Result<SceneCell, String> {
        let normal = normal_number(text);
        let (scene, part) = match normal.strip_suffix("PT") {
            // A letter before it would make `4APT`, which is scene 4A in part; nothing before it is no scene.
            Some(scene) if !scene.is_empty() => (scene, true),
            _ => (normal.as_str(), false),
        };
        let (episode, number) = match scene.split_once('/') {
            Some((episode, number)) => (Some(episode.parse().map_err(|_| unknown(text))?), number),
            None => (None, scene),
        };
        let sound = !number.is_empty()
            && number.chars().count() <= MAX_SCENE_NUMBER_CHARS
            && number.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.'));
        if !sound {
            return Err(unknown(text));
        }
        Ok(SceneCell { scene: SceneRef { episode, number: number.to_owned() }, part })
    }
}

impl std::fmt::Display for SceneRef {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.episode {
            Some(episode) => write!(formatter, "{episode}/{}", self.number),
            None => formatter.write_str(&self.number),
        }
    }
}

fn unknown(text: &str) -> String {
    let shown: String = text.chars().take(40).collect();
    format!("'{shown}' is no scene number")
}

/// Reads a date such as `2026-10-05`.
///
/// # Errors
/// What is wrong, as it follows `Row 4: `.
pub(in crate::import) fn date(text: &str) -> Result<Date, String> {
    let is_plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let parsed = is_plain.then(|| text.parse::<Date>().ok()).flatten();
    parsed.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("'{shown}' is no date; write it as 2026-10-05")
    })
}

/// Reads a time of day such as `05:30` or `5:30`; answers it as `05:30`.
///
/// # Errors
/// What is wrong, as it follows `Row 4: `.
pub(in crate::import) fn time(text: &str) -> Result<String, String> {
    let parsed = || {
        let (hour, minute) = text.split_once(':')?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let sound = digits(hour) && digits(minute) && minute.len() == 2 && (1..=2).contains(&hour.len());
        let (hour, minute): (u8, u8) = (hour.parse().ok()?, minute.parse().ok()?);
        (sound && hour < 24 && minute < 60).then(|| format!("{hour:02}:{minute:02}"))
    };
    parsed().ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("'{shown}' is no time; write it as 05:30")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> String {
        let cells = SceneCell::list(text).unwrap();
        cells
            .iter()
            .map(|cell| format!("{}{}", cell.scene, if cell.part { "+" } else { "" }))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn scenes_are_listed_with_their_parts() {
        assert_eq!(listed("2;4pt"), "2 4+");
        assert_eq!(listed(" 2 ; 4a PT ;; 101/5"), "2 4A+ 101/5");
        assert_eq!(listed("1,2"), "1 2");
        assert_eq!(listed("pt"), "PT");
        assert_eq!(SceneCell::list("2;#"), Err("'#' is no scene number".to_owned()));
        assert!(SceneCell::list("x/4").is_err() && SceneCell::list("101/").is_err());
    }

    #[test]
    fn dates_and_times_have_one_spelling() {
        assert_eq!(date("2026-10-05").unwrap().to_string(), "2026-10-05");
        for other in ["5/10/2026", "2026-13-01", "2026-10-5", "20261005", "2026-10-05T10:00"] {
            assert!(date(other).is_err(), "{other}");
        }
        assert_eq!(time("5:30").as_deref(), Ok("05:30"));
        for other in ["24:00", "05:60", "5.30", "0530", "+5:30", "005:30"] {
            assert!(time(other).is_err(), "{other}");
        }
    }
}
