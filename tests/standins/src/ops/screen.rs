//! Reading the screen, and writing one line over it.

use serde_json::{Map, Value, json};

use super::Answer;
use crate::{
    app::Installation,
    frame::Command,
    world::{Accessibility, Node, World},
};

/// Collection stops one node further on, so that the count in the last entry is always 1.
const MOST_NODES: usize = 50;

pub(super) fn observe(app: Installation, world: &World) -> Answer {
    match world.accessibility {
        Accessibility::Granted => {}
        Accessibility::NotGranted => return Answer::failed("accessibility_not_granted"),
        Accessibility::Unbound => return Answer::failed("observe failed: accessibility service not bound"),
    }
    let screen = &world.screen;
    let centres = app.version.is_after_0_6_0();
    let readable = || screen.nodes.iter().filter(|node| !node.text.is_empty() || !node.content_description.is_empty());
    let mut visible: Vec<Value> = readable().take(MOST_NODES).map(|node| visible_node(node, centres)).collect();
    if readable().nth(MOST_NODES).is_some() {
        visible.push(json!({ "text": "… (1 more)", "clickable": false }));
    }
    let focused = screen.focused.and_then(|at| screen.nodes.get(at)).map(words).unwrap_or_default();
    let observed =
        json!({ "package": screen.package, "activity": screen.activity, "focused": focused, "visible": visible });
    Answer::json("observe_json", &observed)
}

/// Text and description, each left out when empty.
fn words(node: &Node) -> Map<String, Value> {
    let words = [("text", &node.text), ("content_description", &node.content_description)];
    words.into_iter().filter(|(_, word)| !word.is_empty()).map(|(name, word)| (name.to_owned(), json!(word))).collect()
}

fn visible_node(node: &Node, centres: bool) -> Value {
    let mut entry = words(node);
    entry.insert("clickable".to_owned(), json!(node.clickable));
    if centres {
        let four_decimals = |at: f64| (at.clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0;
        entry.insert("cx".to_owned(), json!(four_decimals(node.centre.0)));
        entry.insert("cy".to_owned(), json!(four_decimals(node.centre.1)));
    }
    Value::Object(entry)
}

pub(super) fn subtitle(world: &mut World, cmd: &str, command: &Command) -> Option<Answer> {
    world.subtitle = match cmd {
        "show" => match command.param("text") {
            Some(text) => Some(text.to_owned()).filter(|text| !text.trim().is_empty()),
            None => return Some(Answer::failed("text is required")),
        },
        "clear" => None,
        _ => return None,
    };
    Some(Answer::ok().with("cmd", cmd))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{NEWEST, ask, check, room};
    use super::*;
    use crate::app::AppVersion;

    fn observed(app: Installation, world: &mut World) -> Value {
        serde_json::from_str(&ask(app, world, "observe", &[]).data["observe_json"]).unwrap()
    }

    #[test]
    fn the_screen_is_read_with_what_is_empty_left_out() {
        let mut world = room();
        world.screen.nodes =
            vec![Node { content_description: "Picture".into(), ..Node::button("", 0) }, Node::button("Play", 7)];
        world.screen.nodes[1].centre = (1.7, 0.123_456);
        let wanted = json!({
            "package": "com.google.android.tvlauncher",
            "activity": "android.widget.FrameLayout",
            "focused": { "content_description": "Picture" },
            "visible": [
                { "content_description": "Picture", "clickable": true, "cx": 0.25, "cy": 0.1 },
                { "text": "Play", "clickable": true, "cx": 1.0, "cy": 0.1235 },
            ],
        });
        assert_eq!(observed(NEWEST, &mut world), wanted);
    }

    #[test]
    fn centres_came_after_0_6_0() {
        let screen = observed(Installation { version: AppVersion::V0_6_0, android: 13 }, &mut room());
        assert_eq!(screen["visible"][0], json!({ "text": "Netflix", "clickable": true }));
    }

    #[test]
    fn nothing_focused_is_an_empty_object() {
        let mut world = room();
        world.screen.focused = None;
        assert_eq!(observed(NEWEST, &mut world)["focused"], json!({}));
    }

    #[test]
    fn fifty_nodes_and_then_always_one_more() {
        for (n_nodes, n_entries) in [(50, 50), (51, 51), (300, 51)] {
            let mut world = room();
            world.screen.nodes = (0..n_nodes).map(|n| Node::button(&format!("Row {n}"), n)).collect();
            let screen = observed(NEWEST, &mut world);
            let entries = screen["visible"].as_array().unwrap();
            assert_eq!(entries.len(), n_entries, "{n_nodes} nodes");
            assert_eq!(entries.last().unwrap()["text"] == "… (1 more)", n_nodes > 50);
        }
    }

    #[test]
    fn an_unreadable_window_is_not_granted() {
        let mut world = room();
        world.accessibility = Accessibility::NotGranted;
        check(&mut world, "observe", &[], r#"{"ok":false,"message":"accessibility_not_granted"}"#);
    }

    #[test]
    fn a_subtitle_stays_until_cleared_and_blank_text_hides_it() {
        let mut world = room();
        check(&mut world, "subtitle", &[("cmd", "show"), ("text", "Dinner!")], r#"{"ok":true,"data":{"cmd":"show"}}"#);
        assert_eq!(world.subtitle.as_deref(), Some("Dinner!"));
        ask(NEWEST, &mut world, "subtitle", &[("cmd", "show"), ("text", "  ")]);
        assert_eq!(world.subtitle, None);
        check(&mut world, "subtitle", &[("cmd", "clear")], r#"{"ok":true,"data":{"cmd":"clear"}}"#);
    }
}
