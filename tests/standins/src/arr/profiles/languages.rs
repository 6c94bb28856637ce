//! The catalogue of languages. The same number means different languages in Radarr and Sonarr from 26 on.

use serde_json::{Value, json};

use crate::arr::kind::ArrKind;

/// Any language will do: Radarr alone has it.
pub(super) const ANY: i32 = -1;

/// The language that a film or series was made in.
pub(super) const ORIGINAL: i32 = -2;

/// By its number, as the application calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Language {
    pub(super) id: i32,
    pub(super) name: String,
}

impl Language {
    pub(super) fn written(&self) -> Value {
        json!({ "id": self.id, "name": self.name, "nameLower": self.name.to_lowercase() })
    }
}

/// What an application knows at first.
pub(super) fn of(kind: ArrKind) -> Vec<Language> {
    let (own, special): (&[&str], &[(i32, &str)]) = match kind {
        ArrKind::Radarr => (RADARR, &[(ANY, "Any"), (ORIGINAL, "Original")]),
        ArrKind::Sonarr => (SONARR, &[(ORIGINAL, "Original")]),
        // There is a list, of which nothing makes use.
        ArrKind::Lidarr | ArrKind::Chaptarr => (&[], &[]),
    };
    let numbered = (0..).zip(COMMON.iter().chain(own)).map(|(id, name)| (id, *name));
    let all = numbered.chain(special.iter().copied());
    all.map(|(id, name)| Language { id, name: name.to_owned() }).collect()
}

/// From 0 on.
const COMMON: &[&str] = &[
    "Unknown",
    "English",
    "French",
    "Spanish",
    "German",
    "Italian",
    "Danish",
    "Dutch",
    "Japanese",
    "Icelandic",
    "Chinese",
    "Russian",
    "Polish",
    "Vietnamese",
    "Swedish",
    "Norwegian",
    "Finnish",
    "Turkish",
    "Portuguese",
    "Flemish",
    "Greek",
    "Korean",
    "Hungarian",
    "Hebrew",
    "Lithuanian",
    "Czech",
];

/// From 26 on.
const RADARR: &[&str] = &[
    "Hindi",
    "Romanian",
    "Thai",
    "Bulgarian",
    "Portuguese (Brazil)",
    "Arabic",
    "Ukrainian",
    "Persian",
    "Bengali",
    "Slovak",
    "Latvian",
    "Spanish (Latino)",
    "Catalan",
    "Croatian",
    "Serbian",
    "Bosnian",
    "Estonian",
    "Tamil",
    "Indonesian",
    "Telugu",
    "Macedonian",
    "Slovenian",
    "Malayalam",
    "Kannada",
    "Albanian",
    "Afrikaans",
    "Marathi",
    "Tagalog",
    "Urdu",
    "Romansh",
    "Mongolian",
    "Georgian",
];

/// From 26 on.
const SONARR: &[&str] = &[
    "Arabic",
    "Hindi",
    "Bulgarian",
    "Malayalam",
    "Ukrainian",
    "Slovak",
    "Thai",
    "Portuguese (Brazil)",
    "Spanish (Latino)",
    "Romanian",
    "Latvian",
    "Persian",
    "Catalan",
    "Croatian",
    "Serbian",
    "Bosnian",
    "Estonian",
    "Tamil",
    "Indonesian",
    "Macedonian",
    "Slovenian",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_different_languages() {
        let name = |kind: ArrKind, id: i32| of(kind).into_iter().find(|known| known.id == id).map(|known| known.name);
        assert_eq!(name(ArrKind::Radarr, 26).as_deref(), Some("Hindi"));
        assert_eq!(name(ArrKind::Sonarr, 26).as_deref(), Some("Arabic"));
        assert_eq!(name(ArrKind::Radarr, 34).as_deref(), Some("Bengali"));
        assert_eq!(name(ArrKind::Sonarr, 34).as_deref(), Some("Spanish (Latino)"));
        assert_eq!(name(ArrKind::Radarr, 57).as_deref(), Some("Georgian"));
        assert_eq!(name(ArrKind::Sonarr, 46).as_deref(), Some("Slovenian"));
        assert_eq!((name(ArrKind::Sonarr, ANY), name(ArrKind::Radarr, ANY).as_deref()), (None, Some("Any")));
    }
}
