//! Recorded profiles and formats, and the guides' own.

use playhouse_library::settings::{ConfirmFormat, Digest, FormatAction, JsonText, PreparedFormat};
use playhouse_standins::ArrKind;
use serde_json::Value;

use crate::home::Shelf;
use crate::shared::folder;

#[actix_rt::test]
async fn case_41_every_format_of_the_guides_is_unchanged_when_it_comes_again() {
    let Some(folder) = folder("arr-fixtures/trash") else { return };
    let mut n_checked = 0;
    let [radarr, sonarr] = [Shelf::of(ArrKind::Radarr).await, Shelf::of(ArrKind::Sonarr).await];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let shelf = if name.starts_with("radarr") { &radarr } else { &sonarr };
        let payload: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let prepared = shelf.prepare_format(&payload).await.unwrap();
        if matches!(prepared.action, FormatAction::Update { .. }) {
            continue;
        }
        let answered_id = shelf.send_format(&prepared).await.unwrap();
        let PreparedFormat { action, name, before, desired, .. } = prepared;
        let confirmed = shelf.ask(ConfirmFormat { action, name: name.clone(), before, desired, answered_id }).await;
        let id = confirmed.unwrap_or_else(|not| panic!("{name}: {not}")).id;
        let n_writes = shelf.n_writes();
        let again = shelf.prepare_format(&payload).await.unwrap();
        assert_eq!((again.action, shelf.n_writes()), (FormatAction::Unchanged { id }, n_writes), "{name}");
        n_checked += 1;
    }
    assert!(n_checked >= 10, "{n_checked}");
}

#[actix_rt::test]
async fn recorded_objects_are_shown_to_the_byte_behind_the_screen_for_secrets() {
    let Some(folder) = folder("arr-fixtures") else { return };
    let mut n_checked = 0;
    for (kind, of) in [(ArrKind::Radarr, "radarr"), (ArrKind::Sonarr, "sonarr"), (ArrKind::Chaptarr, "readarr")] {
        let shelf = Shelf::of(kind).await;
        for (file, tool, argument) in [
            ("qualityprofile", "get_quality_profiles", "profile_id"),
            ("customformat", "get_custom_formats", "format_id"),
        ] {
            let Ok(text) = std::fs::read_to_string(folder.join(of).join(format!("{file}.json"))) else { continue };
            let recorded: Value = serde_json::from_str(&text).unwrap();
            let list = if recorded.is_array() { text } else { format!("[{text}]") };
            shelf.arr.answer_bytes_instead(&format!("GET */{file}"), 200, list.clone());
            let objects: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(&list).unwrap();
            for object in objects {
                let value: Value = serde_json::from_str(object.get()).unwrap();
                let arguments = serde_json::json!({ "service": crate::home::service(kind), argument: value["id"] });
                let (prose, structured, is_error) = shelf.home.call(tool, arguments).await;
                assert!(!is_error, "{prose}");
                assert_eq!(prose.split_once('\n').unwrap().1, object.get(), "{of}/{file}.json");
                assert!([&structured["profile"], &structured["custom_format"]].contains(&&value), "{of}/{file}.json");
                n_checked += 1;
            }
        }
    }
    assert!(n_checked >= 6, "{n_checked}");
}

#[test]
fn recorded_objects_have_digests_that_their_formatting_does_not_touch() {
    let Some(folder) = folder("arr-fixtures") else { return };
    for file in ["radarr/customformat.json", "sonarr/customformat.json", "radarr/language.json", "sonarr/language.json"]
    {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let compact = serde_json::from_str::<Value>(&text).unwrap().to_string();
        let digest = |text: &str| Digest::of_object(&JsonText::new(text).unwrap()).unwrap();
        assert_eq!(digest(&text), digest(&compact), "{file}");
    }
    let profile = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        Digest::of_profile(&JsonText::new(text).unwrap())
    };
    assert!(profile("radarr/qualityprofile.json").is_ok());
    assert!(profile("sonarr/qualityprofile.json").is_err(), "it is from before there were custom formats");
}
