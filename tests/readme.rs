//! What the README tells to type, typed.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::path::Path;
use std::process::{Child, Command};

use common::process::demo;
use serde_json::Value;

const README: &str = include_str!("../README.md");

/// The demo that a newcomer has running, in a folder of its own.
struct Demo {
    folder: tempfile::TempDir,
    child: Child,
    ready: Value,
}

impl Demo {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (ready, child) = demo(folder.path(), "playhouse-demo");
        Self { folder, child, ready }
    }

    fn key(&self, label: &str) -> &str {
        let keys = self.ready["houses"][0]["keys"].as_array().unwrap();
        keys.iter().find(|key| key["label"] == label).unwrap()["key"].as_str().unwrap()
    }

    /// Types one command; answers its exit code and what it printed.
    fn run(&self, command: &str) -> (i32, String) {
        let programs = Path::new(env!("CARGO_BIN_EXE_playhouse")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", path)
            .env("URL", self.ready["base_url"].as_str().unwrap())
            .env("LIBRARY_KEY", self.key("library admin"))
            .env("ADMIN_KEY", self.key("house admin"))
            .env("PLAYHOUSE_DATA_FOLDER", "playhouse-demo/data")
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(said).unwrap())
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The blocks of a section in that language.
fn blocks<'r>(heading: &str, language: &str) -> Vec<&'r str> {
    let (_, rest) = README.split_once(&format!("### {heading}\n")).expect("the section");
    let section = rest.split("\n### ").next().unwrap();
    section.split(&format!("```{language}\n")).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

/// The commands of a block: a quoted text goes on over lines. What only names things for the reader is left out.
fn commands(block: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in block.lines().filter(|line| !line.is_empty()) {
        match commands.last_mut().filter(|_| is_open) {
            Some(command) => {
                command.push('\n');
                command.push_str(line);
            }
            None => commands.push(line.to_owned()),
        }
        is_open ^= line.matches('\'').count() % 2 == 1;
    }
    commands.retain(|command| !command.starts_with("export "));
    commands
}

/// A line without what differs from run to run: times, and how columns are aligned.
fn timeless(line: &str) -> String {
    let is_time = |word: &&str| {
        let digits = word.trim_start_matches(|character: char| !character.is_ascii_digit());
        digits.len() >= 5 && digits.as_bytes()[..2].iter().all(u8::is_ascii_digit) && digits[2..].contains([':', '-'])
    };
    line.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_conversation_about_a_quality_profile_goes_as_it_is_told() {
    const SECTION: &str = "Change a quality profile with an admin's approval";
    let demo = Demo::start();
    let keys = demo.ready["houses"][0]["keys"].as_array().unwrap();
    let may = |label: &str, scope: &str| {
        let key = keys.iter().find(|key| key["label"] == label).unwrap();
        key["scopes"].as_array().unwrap().iter().any(|held| held == scope)
    };
    let who = |scope: &str| (may("library admin", scope), may("house admin", scope));
    assert_eq!((who("media:admin"), who("house:admin")), ((true, false), (false, true)), "two people's keys");
    let mut said = String::new();
    let commands: Vec<String> = blocks(SECTION, "sh").into_iter().flat_map(commands).collect();
    assert_eq!(commands.len(), 6, "{commands:#?}");
    for command in &commands {
        let (code, printed) = demo.run(command);
        // curl ends a stream by its own time limit.
        let expected = if command.contains("/v1/events") { 28 } else { 0 };
        assert_eq!(code, expected, "{command}\n{printed}");
        said.push_str(&printed);
        said.push('\n');
    }
    assert!(said.contains("Proposal 1 waits for an admin until"), "{said}");
    assert!(said.contains("takes back  change 1"), "{said}");
    let said: Vec<String> = said.lines().map(timeless).collect();
    for line in blocks(SECTION, "text").into_iter().flat_map(str::lines).map(timeless) {
        // What is cut short in the README is compared up to there.
        let told = line.split('…').next().unwrap().trim_end();
        assert!(said.iter().any(|said| said.starts_with(told)), "the README tells `{told}`, and it was\n{said:#?}");
    }
}
