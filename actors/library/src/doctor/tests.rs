//! The Doctor's cases, each under its own words.

mod calls;
mod order;
mod texts;

use super::*;

/// A row in a few words: `status / tracked status / state / error message`, then its messages.
fn row<'a>(fields: [&'a str; 4], messages: &'a [MessageGroup]) -> Symptoms<'a> {
    let [status, tracked_status, tracked_state, error_message] = fields;
    Symptoms {
        release_title: "Release.2026.1080p",
        status,
        tracked_status,
        tracked_state,
        error_message,
        messages,
        ..Symptoms::default()
    }
}

fn group(title: &str, lines: &[&str]) -> MessageGroup {
    MessageGroup { title: title.to_owned(), lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

fn said(line: &str) -> Verdict {
    diagnose(&row(["completed", "warning", "importPending", ""], &[group("file.mkv", &[line])]))
}

fn complained(error_message: &str) -> Verdict {
    diagnose(&row(["warning", "warning", "downloading", error_message], &[]))
}

#[derive(Debug, PartialEq)]
struct Found(CauseCode, Severity, Vec<Verb>, Option<String>);

impl From<Verdict> for Found {
    fn from(verdict: Verdict) -> Self {
        let rule = verdict.evidence.iter().find_map(|evidence| evidence.rule.clone());
        Found(verdict.code, verdict.severity, verdict.verbs, rule)
    }
}

fn found(code: CauseCode, severity: Severity, verbs: &[Verb], rule: &str) -> Found {
    Found(code, severity, verbs.to_vec(), (!rule.is_empty()).then(|| rule.to_owned()))
}

use CauseCode as C;
use Severity::{Error, Info, Warning};
use Verb::*;

/// Codes are kept in incidents and rules: this list may grow, and nothing in it may change.
#[test]
fn codes_keep_their_names() {
    let schema = serde_json::to_value(schemars::schema_for!(CauseCode)).unwrap();
    let names: Vec<&str> = schema["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(
        names.join(" "),
        "healthy download_stalled magnet_unresolvable client_unreachable client_error client_files_missing download_encrypted download_error \
         downloading_metadata client_note dangerous_file xem_mapping archive_unextracted nothing_importable sample_unverified sample \
         unsupported_file invalid_video unparsable contents_mismatch episode_mapping title_mismatch not_identified weak_match track_mismatch \
         not_upgrade not_cf_upgrade already_imported matched_by_id unmonitored no_space path_mapping path_permission path_missing root_folder \
         destination_exists foreign_download waiting_for_title busy import_waiting download_failed import_blocked"
    );
    for name in names {
        let code: CauseCode = serde_json::from_value(name.into()).unwrap();
        assert_eq!(code.as_str(), name);
    }
}
