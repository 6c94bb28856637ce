use proptest::prelude::*;

use super::*;

fn link(data: &str) -> Result<LaunchIntent, LaunchRefusal> {
    LaunchIntent::from_arguments(Some(data), None)
}

#[test]
fn the_seeds_recipes_pass_unchanged() {
    let recipes = [
        ("https://www.youtube.com/results?search_query=kurzgesagt", Some("com.google.android.youtube.tv")),
        ("https://www.netflix.com/title/70025587", Some("com.netflix.ninja")),
        ("spotify:track:2M9ro2krNb7nr7HSplklGG", Some("com.spotify.tv.android")),
        ("https://news.ycombinator.com", None),
    ];
    for (data, package) in recipes {
        let intent = LaunchIntent::from_arguments(Some(data), package).unwrap();
        assert_eq!((intent.data(), intent.package()), (data, package));
    }
}

#[test]
fn links_and_intents_that_only_open_a_page_pass() {
    let links = [
        "stremio:///detail/series/tt0944947/tt0944947:1:1",
        "https://example.com/a b#section",
        "https://example.com/?next=file:///x",
        "vnd.youtube:jNQXAC9IVRw",
        "nflx://www.netflix.com/title/1?source=30",
        "intent://www.netflix.com/title/1#Intent;scheme=https;package=com.netflix.ninja;end",
        "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.LAUNCHER;package=a.b;end",
        "intent:https://x.y/#Intent;action=android.intent.action.VIEW;S.source=30;i.n=1;end;",
        "intent://x#Intent;scheme=https;S.browser_fallback_url=https%3A%2F%2Fexample.com;launchFlags=0x10000000;end",
        "android-app://com.google.android.youtube.tv/http/www.youtube.com/watch?v=1",
        "android-app://com.netflix.ninja",
    ];
    for data in links {
        assert!(link(data).is_ok(), "{data}: {:?}", link(data));
    }
}

#[test]
fn files_and_content_are_refused_however_they_are_spelt() {
    let links = [
        "file:///sdcard/x",
        "FILE:///sdcard/x",
        " file:///sdcard/x",
        "content://contacts/people",
        "Content://contacts",
        "javascript:alert(1)",
        "data:text/html,x",
        "intent:file:///x#Intent;end",
        "intent:FiLe:///x#Intent;end",
        "intent: file:///x#Intent;end",
        "intent:%66ile:///x#Intent;end",
        "intent:%2566ile:///x#Intent;end",
        "intent:///x#Intent;scheme=file;end",
        "intent:///x#Intent;scheme=FILE;end",
        "intent:///x#Intent;scheme=%66%69%6c%65;end",
        "intent:///x#Intent; scheme = file ;end",
        "intent:///x#Intent;%73cheme=file;end",
        "intent://x#Intent;scheme=https;S.browser_fallback_url=file%3A%2F%2F%2Fx;end",
        "intent://x#Intent;scheme=https;S.browser_fallback_url=%20FILE%253A%2F%2Fx;end",
        "intent://x#Intent;scheme=https;S.any=javascript:alert(1);end",
        "view-source:file:///x",
        "android-app://com.a.b/file/x",
        "android-app://com.a.b/%66ile/x",
        "ANDROID-APP://com.a.b/CONTENT/x",
    ];
    for data in links {
        assert!(matches!(link(data), Err(LaunchRefusal::Scheme { .. })), "{data}: {:?}", link(data));
    }
}

#[test]
fn components_and_selectors_are_refused_however_they_are_spelt() {
    let links = [
        "intent:#Intent;component=com.a/.B;end",
        "intent:#Intent;COMPONENT=com.a/.B;end",
        "intent:#Intent; component=com.a/.B;end",
        "intent:#Intent;component =com.a/.B;end",
        "intent:#Intent;%63omponent=com.a/.B;end",
        "intent:#Intent;%2563omponent=com.a/.B;end",
        "INTENT:#Intent;component=com.a/.B;end",
        "intent:#INTENT;component=com.a/.B;end",
        "https://example.com/#Intent;component=com.a/.B;end",
        "https://example.com/#intent;component=com.a/.B;end",
        "android-app://com.a.b/https/x#Intent;component=com.a/.B;end",
        "#Intent;component=com.a/.B;end",
        "intent:#Intent;SEL;package=a.b;end",
        "intent:#Intent;sel;package=a.b;end",
        "intent:#Intent;%53EL;end",
        "intent:#Intent;action=android.intent.action.VIEW;SEL;component=com.a/.B;end",
        "intent:#Intent;S.x=intent:%23Intent%3Bpackage=a.b%3Bend;end",
        "intent:#Intent;S.x=android-app://a.b;end",
        "intent:#Intent;launchFlags=0x1;end",
        "intent:#Intent;launchFlags=0301;end",
        "intent:#Intent;launchFlags=-1;end",
    ];
    for data in links {
        assert!(
            matches!(link(data), Err(LaunchRefusal::Part { .. } | LaunchRefusal::MalformedIntent { .. })),
            "{data}: {:?}",
            link(data)
        );
    }
}

#[test]
fn only_view_and_main_are_actions() {
    for action in [
        "android.intent.action.CALL",
        "android.intent.action.view",
        "android.intent.action.DELETE",
        "android.settings.SETTINGS",
        "android.intent.action.%56IEWS",
        "",
    ] {
        let data = format!("intent:tel:1#Intent;action={action};end");
        assert!(matches!(link(&data), Err(LaunchRefusal::Action { .. })), "{data}: {:?}", link(&data));
    }
}

#[test]
fn intents_that_could_be_read_in_two_ways_are_refused() {
    let links = [
        "intent:",
        "intent://x",
        "intent:#Intent;",
        "intent:#Intent;package=a.b",
        "intent:#Intent;package=a.b;endless;component=c/.D;end",
        "intent:#Intent;end;component=c/.D;end",
        "intent:#Intent;end#x",
        "intent:#Intent;end#Intent;component=c/.D;end",
        "intent:#Intent;S.x=%23Intent;end",
        "intent:#Intent;;end",
        "intent:#Intent;frobnicate=1;end",
        "intent:#Intent;launchFlags=lots;end",
        "intent:%23Intent;component=c/.D;end",
        "https://x/#action(android.intent.action.CALL)component(a!b)",
        "https://x/# Action (x)",
    ];
    for data in links {
        assert!(
            matches!(link(data), Err(LaunchRefusal::MalformedIntent { .. } | LaunchRefusal::Part { .. })),
            "{data}: {:?}",
            link(data)
        );
    }
}

#[test]
fn what_is_no_link_is_refused_with_a_way_on() {
    for data in ["netflix", "com.netflix.ninja", "/sdcard/x", "%66ile:///x", "fi le:///x", "ｆile:///x", ":x"] {
        assert_eq!(link(data), Err(LaunchRefusal::NoScheme), "{data}");
    }
    assert_eq!(link("fi\tle:///x"), Err(LaunchRefusal::ControlCharacter));
    assert_eq!(link("file\u{0}:///x"), Err(LaunchRefusal::ControlCharacter));
    assert_eq!(link(&format!("https://{}", "x".repeat(4_096))), Err(LaunchRefusal::TooLong));
    assert_eq!(LaunchIntent::from_arguments(Some("  "), Some("")), Err(LaunchRefusal::NothingToOpen));
}

#[test]
fn package_names_cannot_carry_anything_else() {
    for package in ["netflix", "com..x", ".com.x", "com.x;component=a", "com.x end", "com.1x", "com.é", "com.x\n"] {
        let refused = LaunchIntent::from_arguments(None, Some(package));
        if package == "com.x\n" {
            assert!(refused.is_ok(), "surrounding space is no fault");
        } else {
            assert!(matches!(refused, Err(LaunchRefusal::Package { .. })), "{package}: {refused:?}");
        }
    }
    assert!(matches!(link("intent:#Intent;package=netflix;end"), Err(LaunchRefusal::Package { .. })));
}

#[test]
fn an_app_alone_is_opened_by_a_main_intent() {
    let intent = LaunchIntent::from_arguments(None, Some("com.netflix.ninja")).unwrap();
    assert_eq!(
        intent.data(),
        "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.LEANBACK_LAUNCHER;package=com.netflix.ninja;end"
    );
    assert_eq!(
        intent.as_phone_app().unwrap().data(),
        "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.LAUNCHER;package=com.netflix.ninja;end"
    );
    assert!(link("https://x").unwrap().as_phone_app().is_none());
}

#[test]
fn a_message_cannot_carry_an_intent_around_the_rules() {
    let sound = LaunchIntent::from_arguments(None, Some("a.b")).unwrap();
    let text = serde_json::to_string(&sound).unwrap();
    assert_eq!(serde_json::from_str::<LaunchIntent>(&text).unwrap(), sound);
    assert!(serde_json::from_str::<LaunchIntent>(r#"{"data":"file:///x","by_package_alone":false}"#).is_err());
}

/// Percent-encodes the characters of `text` that `mask` picks, `depth` times over.
fn disguised(text: &str, mask: u64, depth: usize) -> String {
    text.char_indices()
        .map(|(at, character)| {
            if mask >> (at % 64) & 1 == 0 {
                return character.to_string();
            }
            (1..depth).fold(format!("%{:02x}", u32::from(character)), |text, _| text.replace('%', "%25"))
        })
        .collect()
}

proptest! {
    #[test]
    fn any_text_is_opened_or_refused(data in "\\PC{0,100}", package in proptest::option::of("\\PC{0,40}")) {
        let _ = LaunchIntent::from_arguments(Some(&data), package.as_deref());
    }

    #[test]
    fn no_disguise_of_a_component_passes(mask: u64, depth in 1_usize..4, upper: bool) {
        let name = if upper { "COMPONENT" } else { "component" };
        let data = format!("intent:#Intent;{}=com.a/.B;end", disguised(name, mask, depth));
        prop_assert!(link(&data).is_err(), "{}", data);
    }

    #[test]
    fn no_disguise_of_a_file_passes(mask: u64, depth in 1_usize..4, upper: bool) {
        let scheme = disguised(if upper { "FILE" } else { "file" }, mask, depth);
        for data in [format!("{scheme}:///x"), format!("intent:{scheme}:///x#Intent;end"), format!("intent:///x#Intent;scheme={scheme};end")] {
            prop_assert!(link(&data).is_err(), "{}", data);
        }
    }

    #[test]
    fn what_passes_names_no_component_when_read_as_android_does(
        data in "(intent:|https://x/|android-app://a\\.b|)(#Intent;|#intent;|#)((component|SEL|S\\.a|package|end|%63omponent|scheme)(=a\\.b|;|=);?){0,4}(end)?",
    ) {
        prop_assert!(link(&data).is_err() || !names_a_component(&data), "{}", data);
    }
}

/// What Android's parser is known to do, without any of the strictness: the last `#`, parts up to one that starts with `end`.
fn names_a_component(data: &str) -> bool {
    let Some(parts) = data.rfind('#').and_then(|at| data[at..].strip_prefix("#Intent;")) else { return false };
    parts
        .split(';')
        .take_while(|part| !part.starts_with("end"))
        .any(|part| intent_uri::decode_fully(part).starts_with("component=") || part == "SEL")
}
