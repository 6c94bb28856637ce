//! Final Draft, element by element.

use proptest::prelude::*;

use super::*;
use crate::import::{ElementKind, ParsedScript};

/// A script with this content, and this after it.
fn read_with(content: &str, after: &str) -> Result<ParsedScript, ImportFault> {
    read_fdx(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<FinalDraft DocumentType=\"Script\">\n<Content>{content}</Content>{after}</FinalDraft>").as_bytes())
}

fn read(content: &str) -> ParsedScript {
    read_with(content, "").unwrap_or_else(|fault| panic!("{fault}: {content}"))
}

const HEADING: &str = r#"<Paragraph Number="1" Type="Scene Heading"><SceneProperties Length="1 3/8" Page="7"/><Text>INT. HOUSE - DAY</Text></Paragraph>"#;

#[test]
fn a_heading_brings_number_length_and_page() {
    let script = read(HEADING);
    let scene = &script.scenes[0];
    assert_eq!(
        (scene.number.as_deref(), scene.heading.as_str(), scene.page_eighths, scene.eighths_estimated, scene.page),
        (Some("1"), "INT. HOUSE - DAY", 11, false, Some(7))
    );
}

#[test]
fn several_runs_are_one_text() {
    let script = read(&format!(
        "{HEADING}<Paragraph Type=\"Action\"><Text>Flat light. </Text><Text Style=\"Bold\">MARA &amp; TOM&#39;S</Text><Text>\n, waiting.</Text></Paragraph>"
    ));
    assert_eq!(script.scenes[0].elements[0].text, "Flat light. MARA & TOM'S\n, waiting.");
}

#[test]
fn dual_dialogue_is_found_where_it_is_nested() {
    let script = read(&format!(
        "{HEADING}<Paragraph><DualDialogue><Paragraph Type=\"Character\"><Text>MARA (O.S.)</Text></Paragraph><Paragraph Type=\"Dialogue\"><Text>Yes.</Text></Paragraph><Paragraph Type=\"Character\"><Text>TOM</Text></Paragraph><Paragraph Type=\"Dialogue\"><Text>No.</Text></Paragraph></DualDialogue></Paragraph><Paragraph Type=\"Character\"><Text>MARA</Text></Paragraph>"
    ));
    let cues: Vec<(&str, bool)> = script.scenes[0]
        .elements
        .iter()
        .filter_map(|element| match &element.kind {
            ElementKind::Cue { name, dual } => Some((name.as_str(), *dual)),
            _ => None,
        })
        .collect();
    assert_eq!(cues, [("MARA", false), ("TOM", true), ("MARA", false)]);
}

#[test]
fn tagged_words_become_things_of_their_scene() {
    let content = format!(
        "{HEADING}<Paragraph Type=\"Action\"><Text>She drags a </Text><Text TagNumber=\"4\">dented case</Text><Text TagNumber=\"9\">.</Text></Paragraph>"
    );
    let tags = r#"<TagData><TagCategories><TagCategory Id="c1" Name="Props" Number="3"/></TagCategories>
        <TagDefinitions><TagDefinition CatId="c1" Id="d1" Label="Metal case" Number="1"/></TagDefinitions>
        <Tags><Tag Number="4"><DefId>d1</DefId></Tag></Tags></TagData>"#;
    let script = read_with(&content, tags).unwrap();
    let tagged = &script.scenes[0].tagged;
    assert_eq!((tagged.len(), tagged[0].category.as_str(), tagged[0].label.as_str()), (1, "Props", "Metal case"));
}

#[test]
fn an_omitted_scene_keeps_its_number_and_loses_its_content() {
    let script = read(&format!(
        "{HEADING}<Paragraph Number=\"2\" Type=\"Scene Heading\"><SceneProperties Length=\"2/8\"/><Text>OMITTED</Text><OmittedScene><Paragraph Type=\"Scene Heading\"><Text>EXT. YARD - DAY</Text></Paragraph><Paragraph Type=\"Action\"><Text>Gone.</Text></Paragraph></OmittedScene></Paragraph>"
    ));
    assert_eq!(script.scenes.len(), 2);
    let omitted = &script.scenes[1];
    assert_eq!(
        (omitted.omitted, omitted.number.as_deref(), omitted.page_eighths, omitted.elements.len()),
        (true, Some("2"), 0, 0)
    );
}

#[test]
fn notes_and_summaries_are_not_action() {
    let script = read(
        "<Paragraph Number=\"1\" Type=\"Scene Heading\"><SceneProperties><Summary><Paragraph><Text>She finds it.</Text></Paragraph></Summary></SceneProperties><Text>EXT. MARSH - DAWN</Text></Paragraph><Paragraph Type=\"Action\"><ScriptNote><Paragraph><Text>VFX: birds</Text></Paragraph></ScriptNote><Text>Rain.</Text></Paragraph>",
    );
    let scene = &script.scenes[0];
    assert_eq!((scene.text().as_str(), scene.synopsis.as_deref()), ("Rain.", Some("She finds it.")));
    assert_eq!((scene.notes[0].tag.as_deref(), scene.notes[0].text.as_str()), (Some("VFX"), "birds"));
}

#[test]
fn a_title_page_is_no_part_of_the_script() {
    let script = read_with(HEADING, "<TitlePage><Content><Paragraph Type=\"Scene Heading\"><Text>INT. NOWHERE</Text></Paragraph></Content></TitlePage>").unwrap();
    assert_eq!(script.scenes.len(), 1);
}

#[test]
fn what_could_grow_or_is_no_script_is_refused() {
    let said = |text: &str| read_fdx(text.as_bytes()).unwrap_err().to_string();
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE FinalDraft [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<FinalDraft><Content>&b;</Content></FinalDraft>";
    assert!(said(bomb).contains("a document type declaration"), "{}", said(bomb));
    assert!(
        said("<FinalDraft><Content>&b;</Content></FinalDraft>").contains("an entity that XML itself does not have")
    );
    assert!(said("<html></html>").contains("starts with <html>"));
    assert!(
        said("<FinalDraft><Content>\n<Paragraph></Content></FinalDraft>").starts_with("Line 2: not well-formed XML")
    );
    assert!(said("<FinalDraft><Content>").contains("the file ends in the middle"));
    assert!(said("<FinalDraft><Content></Content></FinalDraft>").contains("No scene heading"));
    assert!(said("").contains("No scene heading"));
    let deep = format!("<FinalDraft>{}", "<a>".repeat(MAX_DEPTH));
    assert!(said(&deep).contains("64 deep"), "{}", said(&deep));
}

#[test]
fn a_megabyte_of_attributes_takes_no_longer_than_its_bytes() {
    // Looking for twins among them would take minutes.
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=\"\"")).collect();
    assert!(
        read_fdx(format!("<FinalDraft><Content><Paragraph{attributes}/></Content></FinalDraft>").as_bytes()).is_err()
    );
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..1_000)) {
        let _ = read_fdx(&bytes);
    }

    #[test]
    fn no_arrangement_of_its_elements_makes_the_reader_panic(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("<FinalDraft>"), Just("</FinalDraft>"), Just("<Content>"), Just("</Content>"), Just("<Paragraph Type=\"Scene Heading\" Number=\"1\">"),
                Just("<Paragraph Type=\"Character\">"), Just("</Paragraph>"), Just("<Text>"), Just("<Text TagNumber=\"1\">"), Just("</Text>"), Just("é INT. A"),
                Just("<DualDialogue>"), Just("</DualDialogue>"), Just("<TagData>"), Just("</TagData>"), Just("<DefId>"), Just("</DefId>"), Just("&amp;"),
                Just("&#x0;"), Just("&x;"), Just("<![CDATA["), Just("]]>"), Just("<!--"), Just("-->"), Just("<OmittedScene/>"), Just("<SceneProperties Length=\"9\"/>"),
            ],
            0..60,
        )
    ) {
        let _ = read_fdx(format!("<FinalDraft><Content>{}", pieces.concat()).as_bytes());
    }
}
