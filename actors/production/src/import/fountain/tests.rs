//! Fountain, rule by rule.

use proptest::prelude::*;

use super::super::script::same_words;
use super::*;

fn read(text: &str) -> ParsedScript {
    read_fountain(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

/// The only scene of a script that has the heading above `body`.
fn scene(body: &str) -> ParsedScene {
    let mut script = read(&format!("INT. HOUSE - DAY\n\n{body}"));
    assert_eq!(script.scenes.len(), 1, "{script:?}");
    script.scenes.remove(0)
}

/// The paragraphs of a body, each with a letter for what it is.
fn shape(body: &str) -> Vec<String> {
    let letter = |element: Element| match element.kind {
        ElementKind::Action => format!("A {}", element.text),
        ElementKind::Cue { name, dual } => format!("C {name}{}", if dual { " ^" } else { "" }),
        ElementKind::Parenthetical => format!("P {}", element.text),
        ElementKind::Dialogue => format!("D {}", element.text),
        ElementKind::Transition => format!("T {}", element.text),
    };
    scene(body).elements.into_iter().map(letter).collect()
}

#[test]
fn headings_are_found_in_any_case_after_a_blank_line() {
    let script = read(
        "int. house - day\n\nHe waits.\nExt. nowhere\n\nEXT GARDEN - NIGHT\n\nI/E. CAR - DAY\n\nEST. CITY\n\nInt./Ext. porch - dusk\n",
    );
    let headings: Vec<&str> = script.scenes.iter().map(|scene| scene.heading.as_str()).collect();
    assert_eq!(
        headings,
        ["INT. HOUSE - DAY", "EXT GARDEN - NIGHT", "I/E. CAR - DAY", "EST. CITY", "INT./EXT. PORCH - DUSK"]
    );
    assert_eq!(script.scenes[0].elements[0].text, "He waits.\nExt. nowhere");
}

#[test]
fn one_leading_dot_forces_a_heading_and_three_do_not() {
    let script = read(".the creature's view #6#\n\n...and then.\n\n.45 CALIBRE\n\nHe aims.\n.FLASHBACK\n");
    let headings: Vec<&str> = script.scenes.iter().map(|scene| scene.heading.as_str()).collect();
    assert_eq!(headings, ["THE CREATURE'S VIEW", "45 CALIBRE", "FLASHBACK"]);
    assert_eq!(shape("TOM\n.45, loaded.\n"), ["C TOM", "D .45, loaded."]);
}

#[test]
fn a_number_between_hashes_is_the_scenes_own() {
    let script = read("INT. HOUSE - DAY #4A#\n\nHe waits.\n\n.OMITTED #5#\n\n");
    assert_eq!(script.scenes[0].number.as_deref(), Some("4A"));
    assert_eq!(script.scenes[0].heading, "INT. HOUSE - DAY");
    let omitted = &script.scenes[1];
    assert_eq!((omitted.number.as_deref(), omitted.omitted, omitted.page_eighths), (Some("5"), true, 0));
    assert!(script.is_numbered());
}

#[test]
fn a_cue_loses_its_extensions_and_marks() {
    let cases = [
        ("TOM (V.O.)\nHello.\n", "C TOM"),
        ("BRIANNA(O.S.)\nHello.\n", "C BRIANNA"),
        ("MARA (CONT'D)\nHello.\n", "C MARA"),
        ("TOM (on the radio)\nHello.\n", "C TOM"),
        ("TOM ^\nHello.\n", "C TOM ^"),
        ("TOM (V.O.) ^\nHello.\n", "C TOM ^"),
        ("@McAllister (O.S.)\nHello.\n", "C McAllister"),
        ("MAN #2\nHello.\n", "C MAN #2"),
        ("  DOKTOR ÄRGER\nHello.\n", "C DOKTOR ÄRGER"),
    ];
    for (body, cue) in cases {
        assert_eq!(shape(body), [cue, "D Hello."], "{body}");
    }
}

#[test]
fn capitals_alone_make_no_cue() {
    for body in [
        "BANG\n",
        "BANG\n\nHe falls.\n",
        "He shouts.\nBANG\nand falls.\n",
        "1984\nis a year.\n",
        "(V.O.)\nis no name.\n",
    ] {
        assert!(!shape(body).iter().any(|element| element.starts_with('C')), "{body}");
    }
}

#[test]
fn a_speech_ends_at_a_blank_line_unless_it_has_two_blanks() {
    assert_eq!(shape("TOM\nOne.\nTwo.\n\nHe goes.\n"), ["C TOM", "D One.\nTwo.", "A He goes."]);
    assert_eq!(shape("TOM\nOne.\n  \nTwo.\n"), ["C TOM", "D One.\nTwo."]);
    assert_eq!(
        shape("TOM\n(softly)\nOne.\n(louder)\nTwo.\n"),
        ["C TOM", "P (softly)", "D One.", "P (louder)", "D Two."]
    );
}

#[test]
fn transitions_are_forced_or_end_with_to() {
    assert_eq!(shape("> CUT TO:\n\nSMASH CUT TO:\n\n> FADE OUT.\n"), ["T CUT TO:", "T SMASH CUT TO:", "T FADE OUT."]);
    assert_eq!(shape("> THE END <\n"), ["A THE END"]);
}

#[test]
fn action_can_be_forced() {
    assert_eq!(shape("!BANG\nHe falls.\n"), ["A BANG\nHe falls."]);
    assert_eq!(shape("!INT. IS A WORD\n"), ["A INT. IS A WORD"]);
}

#[test]
fn sections_synopses_and_page_breaks_are_not_action() {
    let scene =
        scene("= Tom waits for Mara.\n= She is late.\n\n# Act two\n\n===\n\nHe waits.\n\n= not about the heading\n");
    assert_eq!(scene.synopsis.as_deref(), Some("Tom waits for Mara. She is late."));
    assert_eq!(scene.elements.len(), 1, "{:?}", scene.elements);
}

#[test]
fn comments_and_notes_are_not_action() {
    let scene = scene(
        "Rain falls. [[VFX: creature silhouette, 3 shots]]\n\n/* An older\n\nending. */\n\nTOM\n[[check this]]\nHello.\n",
    );
    assert_eq!(
        scene.elements.iter().map(|element| element.text.as_str()).collect::<Vec<_>>(),
        ["Rain falls.", "TOM", "Hello."]
    );
    let notes: Vec<_> = scene.notes.iter().map(|note| (note.line, note.tag.as_deref(), note.text.as_str())).collect();
    assert_eq!(notes, [(3, Some("VFX"), "creature silhouette, 3 shots"), (10, None, "check this")]);
}

#[test]
fn the_title_page_is_read_and_is_no_scene() {
    let script = read(
        "Title:\n\tKESTREL\n\t(a series)\nAuthor: nobody\nRevision: Blue\n\nFADE IN:\n\nINT. HOUSE - DAY\n\nHe waits.\n",
    );
    assert_eq!(script.title_page_value("title"), Some("KESTREL (a series)"));
    assert_eq!(script.title_page_value("revision"), Some("Blue"));
    assert_eq!(script.preamble.len(), 1);
    assert!(read("FADE IN:\n\nINT. HOUSE - DAY\n").title_page.is_empty());
    assert!(read("INT. HOUSE: DAY\n\nHe waits.\n").title_page.is_empty());
}

#[test]
fn case_39_odd_line_ends_marks_and_extensions_leave_no_stray_characters() {
    let script = read("\u{FEFF}int. house - day\r\n\r\nBRIANNA(O.S.)\r\nHello.\r\n\r\nBRIANNA\r\nAgain.");
    assert_eq!(script.scenes.len(), 1);
    let scene = &script.scenes[0];
    assert_eq!(scene.heading, "INT. HOUSE - DAY");
    assert_eq!(scene.speakers(), ["BRIANNA"]);
    assert_eq!(scene.text(), "BRIANNA(O.S.)\nHello.\n\nBRIANNA\nAgain.");
    let unix = read("int. house - day\n\nBRIANNA(O.S.)\nHello.\n\nBRIANNA\nAgain.\n");
    assert_eq!(unix.scenes[0], *scene);
}

#[test]
fn only_action_and_dialogue_make_a_revision() {
    let before = scene("He waits.\n\nTOM\nHello.\n\n> CUT TO:\n").text();
    for same in [
        "He waits. [[VFX: rain]]\n\nTOM\nHello.\n",
        "He   waits.\n\n/* gone */\n\nTOM\nHello.\n\n> FADE OUT.\n",
        "= About waiting.\n\nHe waits.\n\nTOM\nHello.\n",
    ] {
        assert!(same_words(&scene(same).text(), &before), "{same}");
    }
    for other in [
        "He waits.\n\nTOM\nGoodbye.\n",
        "He waits.\n\nMARA\nHello.\n",
        "He left.\n\nTOM\nHello.\n",
        "He waits.\n\nTOM\n(low)\nHello.\n",
    ] {
        assert!(!same_words(&scene(other).text(), &before), "{other}");
    }
}

#[test]
fn what_is_no_script_is_refused_in_words() {
    let said = |bytes: &[u8]| read_fountain(bytes).unwrap_err().to_string();
    assert!(said(b"").starts_with("No scene heading was found."));
    assert!(said(b"Dear Tom,\n\nhello.").starts_with("No scene heading was found."));
    let long = format!("INT. HOUSE - DAY\n\nINT. {} - DAY\n", "A".repeat(MAX_HEADING_CHARS));
    assert_eq!(said(long.as_bytes()), "Line 3: the heading is longer than 500 characters.");
    let many = "INT. A\n\n".repeat(MAX_SCENES + 1);
    assert_eq!(said(many.as_bytes()), "Line 10001: more than 5000 scenes.");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read_fountain(&bytes);
    }

    #[test]
    fn no_arrangement_of_its_own_marks_makes_the_reader_panic(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("INT. A - DAY #1#"), Just("\n"), Just("\n\n"), Just("\r\n"), Just("TOM ^"), Just("@x"), Just("/*"), Just("*/"),
                Just("[["), Just("]]"), Just("=="), Just("= s"), Just("#"), Just("> A <"), Just(">"), Just("."), Just(".é"), Just("("),
                Just("~la"), Just("!"), Just("Title: é"), Just("  "), Just("é́"), Just("\u{FEFF}"),
            ],
            0..80,
        )
    ) {
        if let Ok(script) = read_fountain(pieces.concat().as_bytes()) {
            for scene in script.scenes {
                prop_assert!(scene.omitted || scene.page_eighths >= 1);
                prop_assert!(!scene.text().contains('\r'));
            }
        }
    }
}
