//! Names of shots: `KST_101_003_0010` is show, episode, scene and shot.

use std::str::FromStr;

use super::super::ImportFault;
use super::super::heading::normal_number;

/// How a production names its shots, such as `{show}_{episode}_{scene}_{shot}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShotPattern {
    /// What stands before the first part; then each part with what follows it.
    opening: String,
    parts: Vec<(Part, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Show,
    Episode,
    Scene,
    Shot,
}

/// A shot's name taken apart; a part that the pattern does not have is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShotName {
    /// The whole name, without an ending such as `.mov`.
    pub code: String,
    /// The production's code.
    pub show: Option<String>,
    /// The episode's number.
    pub episode: Option<String>,
    /// The scene's number without the noughts before it: `003` is `3`, `004A` is `4A`.
    pub scene: Option<String>,
    /// The shot within its scene.
    pub shot: Option<String>,
}

impl Default for ShotPattern {
    /// `{show}_{episode}_{scene}_{shot}`.
    fn default() -> Self {
        let parts = [(Part::Show, "_"), (Part::Episode, "_"), (Part::Scene, "_"), (Part::Shot, "")];
        Self { opening: String::new(), parts: parts.map(|(part, end)| (part, end.to_owned())).into() }
    }
}

impl ShotPattern {
    /// `{show}_{scene}_{shot}`, for a production without episodes.
    #[must_use]
    pub fn of_a_film() -> Self {
        let parts = [(Part::Show, "_"), (Part::Scene, "_"), (Part::Shot, "")];
        Self { opening: String::new(), parts: parts.map(|(part, end)| (part, end.to_owned())).into() }
    }

    /// Takes a clip's name apart; none when it is not named so. An ending such as `.mov` does not count.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<ShotName> {
        self.read_code(name).or_else(|| self.read_code(without_ending(name)?))
    }

    fn read_code(&self, code: &str) -> Option<ShotName> {
        let mut rest = code.strip_prefix(self.opening.as_str())?;
        let mut found = ShotName { code: code.to_owned(), ..ShotName::default() };
        for (part, end) in &self.parts {
            let at = if end.is_empty() { rest.len() } else { rest.find(end.as_str())? };
            let text = &rest[..at];
            if text.is_empty() || !text.chars().all(|c| c.is_alphanumeric() || c == '-') {
                return None;
            }
            rest = &rest[at + end.len()..];
            match part {
                Part::Show => found.show = Some(text.to_owned()),
                Part::Episode => found.episode = Some(text.to_owned()),
                Part::Scene => {
                    let number = normal_number(text);
                    let bare = number.trim_start_matches('0');
                    found.scene = Some(if bare.is_empty() { "0".to_owned() } else { bare.to_owned() });
                }
                Part::Shot => found.shot = Some(text.to_owned()),
            }
        }
        rest.is_empty().then_some(found)
    }
}

/// A clip's name without an ending such as `.mov`, if it has one.
fn without_ending(name: &str) -> Option<&str> {
    let (code, ending) = name.rsplit_once('.')?;
    let sound = (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    sound.then_some(code)
}

impl FromStr for ShotPattern {
    type Err = ImportFault;

    fn from_str(text: &str) -> Result<Self, ImportFault> {
        let wrong = |why: &str| {
            let shown: String = text.chars().take(80).collect();
            ImportFault::general(format!(
                "The pattern `{shown}` {why}; one such as {{show}}_{{episode}}_{{scene}}_{{shot}} is wanted."
            ))
        };
        let mut pieces = text.split('{');
        let opening = pieces.next().unwrap_or_default().to_owned();
        let mut parts: Vec<(Part, String)> = Vec::new();
        for piece in pieces {
            let (name, end) = piece.split_once('}').ok_or_else(|| wrong("has a brace that is never closed"))?;
            let part = match name {
                "show" => Part::Show,
                "episode" => Part::Episode,
                "scene" => Part::Scene,
                "shot" => Part::Shot,
                _ => return Err(wrong("has a part that is none of show, episode, scene and shot")),
            };
            if parts.iter().any(|(known, _)| *known == part) {
                return Err(wrong("has a part twice"));
            }
            if parts.last().is_some_and(|(_, end)| end.is_empty()) {
                return Err(wrong("has two parts with nothing between them"));
            }
            parts.push((part, end.to_owned()));
        }
        if text.contains('}') && opening.contains('}') || !parts.iter().any(|(part, _)| *part == Part::Shot) {
            return Err(wrong("has no {shot}"));
        }
        Ok(Self { opening, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene_of(pattern: &str, name: &str) -> Option<String> {
        pattern.parse::<ShotPattern>().unwrap().read(name)?.scene
    }

    #[test]
    fn a_name_is_taken_apart() {
        let name = ShotPattern::default().read("KST_101_003_0010.mov").unwrap();
        let expected = [Some("KST"), Some("101"), Some("3"), Some("0010")].map(|part| part.map(str::to_owned));
        assert_eq!([name.show, name.episode, name.scene, name.shot], expected);
    }

    #[test]
    fn the_pattern_decides_where_the_parts_end() {
        assert_eq!(scene_of("{show}_{episode}_{scene}_{shot}", "KST_101_004A_0010").as_deref(), Some("4A"));
        assert_eq!(scene_of("{episode}-{scene}.{shot}", "101-12.30x").as_deref(), Some("12"));
        assert_eq!(scene_of("sc{scene}_sh{shot}", "sc012_sh010").as_deref(), Some("12"));
        for other in ["MAIN TITLE CARD", "KST_101_003", "KST_101_003_0010_v2", "KST__003_0010", "KST_101_003_"] {
            assert_eq!(scene_of("{show}_{episode}_{scene}_{shot}", other), None, "{other}");
        }
        assert_eq!(ShotPattern::of_a_film().read("KST_003_0010").unwrap().scene.as_deref(), Some("3"));
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_refused() {
        for pattern in ["", "{scene}", "{scene}{shot}", "{shot}_{shot}", "{shot", "{camera}_{shot}", "}{shot}"] {
            assert!(pattern.parse::<ShotPattern>().is_err(), "{pattern}");
        }
    }
}
