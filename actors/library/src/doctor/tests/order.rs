//! What is read first, and what decides where no words are known.

use serde_json::json;

use super::*;

#[test]
fn the_order_of_reading_decides() {
    type Case = (&'static str, [&'static str; 4], Vec<MessageGroup>, CauseCode, &'static [Verb]);
    let cases: [Case; 19] = [
        (
            "107 status ok, cannot resolve magnet link",
            ["queued", "ok", "downloading", "qBittorrent cannot resolve magnet link with DHT disabled"],
            vec![],
            C::MagnetUnresolvable,
            &[BlocklistSearch],
        ),
        (
            "108 error with unknown text",
            ["failed", "error", "failedPending", "Unpacking failed, write error or disk is full?"],
            vec![],
            C::DownloadError,
            &[BlocklistSearch],
        ),
        (
            "109 no files found, then sample",
            ["completed", "warning", "importPending", ""],
            vec![group("a", &["No files found are eligible for import in /x", "Sample"])],
            C::NothingImportable,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "110 unable to determine if file is a sample",
            ["completed", "warning", "importPending", ""],
            vec![group("a", &["Unable to determine if file is a sample"])],
            C::SampleUnverified,
            &[ForceImport, BlocklistSearch],
        ),
        (
            "111 invalid video file, unsupported extension",
            ["completed", "warning", "importPending", ""],
            vec![group("a", &["Invalid video file, unsupported extension: '.lnk'"])],
            C::UnsupportedFile,
            &[BlocklistSearch, ManualImport],
        ),
        (
            "112 not a custom format upgrade",
            ["completed", "warning", "importPending", ""],
            vec![group("a", &["Not a Custom Format upgrade for existing episode file(s)"])],
            C::NotCfUpgrade,
            &[Remove, ForceImport],
        ),
        (
            "113 importPending and no messages",
            ["completed", "ok", "importPending", ""],
            vec![],
            C::ImportWaiting,
            &[Process, ManualImport],
        ),
        (
            "114 failedPending",
            ["failed", "warning", "failedPending", ""],
            vec![],
            C::DownloadFailed,
            &[BlocklistSearch],
        ),
        (
            "115 warning with unknown text",
            ["completed", "warning", "importBlocked", ""],
            vec![group("a", &["Something new"])],
            C::ImportBlocked,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "116 blank message lines only",
            ["downloading", "ok", "downloading", ""],
            vec![group("", &["  ", ""])],
            C::Healthy,
            &[],
        ),
        (
            "129 a release called Sampler whose group title is its name",
            ["downloading", "ok", "downloading", ""],
            vec![group("Release.2026.1080p", &[])],
            C::Healthy,
            &[],
        ),
        (
            "130 Lidarr's downloadFailedPending",
            ["failed", "warning", "downloadFailedPending", ""],
            vec![],
            C::DownloadFailed,
            &[BlocklistSearch],
        ),
        (
            "a title without lines is the message",
            ["completed", "warning", "importBlocked", ""],
            vec![group(
                "One or more episodes expected in this release were not imported or missing from the release",
                &[],
            )],
            C::ContentsMismatch,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "a title is read before its lines",
            ["completed", "warning", "importPending", ""],
            vec![group("zeta-sample.mkv", &["Found archive file, might need to be extracted"])],
            C::Sample,
            &[ForceImport, BlocklistSearch],
        ),
        ("a client that is unavailable", ["downloadClientUnavailable", "", "", ""], vec![], C::ClientUnreachable, &[]),
        (
            "metadata being fetched",
            ["queued", "ok", "downloading", "qBittorrent is downloading metadata"],
            vec![],
            C::DownloadingMetadata,
            &[],
        ),
        (
            "a harmless message does not hide a dangerous file",
            ["completed", "warning", "importPending", ""],
            vec![
                group("a.mkv", &["Not an upgrade for existing movie file."]),
                group("b.exe", &["Caution: Found executable file"]),
            ],
            C::DangerousFile,
            &[BlocklistSearch],
        ),
        (
            "a failed import with messages is read like any other",
            ["completed", "error", "importFailed", ""],
            vec![group("a", &["Has missing tracks"])],
            C::TrackMismatch,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "a failed import without messages",
            ["completed", "warning", "importFailed", ""],
            vec![],
            C::DownloadFailed,
            &[BlocklistSearch],
        ),
    ];
    for (name, fields, messages, code, verbs) in &cases {
        let verdict = diagnose(&row(*fields, messages));
        assert_eq!((verdict.code, verdict.verbs.as_slice()), (*code, *verbs), "{name}");
        assert_eq!(verdict.evidence.is_empty(), verdict.is_healthy(), "{name}: {verdict:?}");
    }
}

#[test]
fn a_release_called_sampler_is_no_sample() {
    let verdict = |title: &str, lines: &[&str]| {
        let messages = [group(title, lines)];
        diagnose(&Symptoms {
            release_title: "Sampler.2026",
            ..row(["completed", "warning", "importPending", ""], &messages)
        })
        .code
    };
    assert_eq!(verdict("Sampler.2026", &["Movie is not monitored"]), C::Unmonitored);
    assert_eq!(verdict("Sampler.2026.mkv", &["Movie is not monitored"]), C::Unmonitored);
    assert_eq!(verdict("Sampler.2026", &["Sample"]), C::Sample);
    assert_eq!(verdict("Sampler.2026-sample.mkv", &["Movie is not monitored"]), C::Sample);
}

#[test]
fn waiting_and_paused_downloads_are_healthy() {
    for (name, fields) in [
        ("delay", ["delay", "", "", ""]),
        ("queued", ["queued", "ok", "downloading", ""]),
        ("paused", ["paused", "ok", "downloading", ""]),
        ("paused with a warning and no words", ["paused", "warning", "downloading", ""]),
        ("fallback", ["fallback", "", "", ""]),
        ("importing", ["completed", "ok", "importing", ""]),
        ("imported", ["completed", "OK", "Imported", " "]),
    ] {
        let verdict = diagnose(&row(fields, &[]));
        assert!(
            verdict.is_healthy() && verdict.severity == Severity::Ok && verdict.verbs.is_empty(),
            "{name}: {verdict:?}"
        );
    }
}

/// German, French and Japanese instances: the words are unknown, the states decide, and what was said is quoted.
#[test]
fn in_another_language_the_states_decide() {
    type Case = (&'static str, [&'static str; 4], Vec<MessageGroup>, CauseCode, Severity, &'static [Verb]);
    let unknown = || vec![group("datei.mkv", &["Datei wurde nicht importiert"])];
    let cases: [Case; 9] = [
        (
            "blocked",
            ["completed", "warning", "importBlocked", ""],
            unknown(),
            C::ImportBlocked,
            Warning,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "blocked, without a word",
            ["completed", "ok", "importBlocked", ""],
            vec![],
            C::ImportBlocked,
            Warning,
            &[ManualImport, BlocklistSearch],
        ),
        (
            "pending",
            ["completed", "warning", "importPending", ""],
            unknown(),
            C::ImportWaiting,
            Warning,
            &[Process, ManualImport],
        ),
        (
            "failed import",
            ["completed", "warning", "importFailed", ""],
            unknown(),
            C::DownloadFailed,
            Error,
            &[BlocklistSearch],
        ),
        (
            "failed download",
            ["failed", "warning", "failedPending", "Échec du déballage"],
            vec![],
            C::DownloadFailed,
            Error,
            &[BlocklistSearch],
        ),
        (
            "error",
            ["failed", "error", "downloadFailed", "展開に失敗しました"],
            vec![],
            C::DownloadError,
            Error,
            &[BlocklistSearch],
        ),
        (
            "stalled",
            ["warning", "warning", "downloading", "Der Download kommt nicht voran"],
            vec![],
            C::DownloadError,
            Warning,
            &[BlocklistSearch],
        ),
        (
            "metadata",
            ["queued", "ok", "downloading", "qBittorrent lädt Metadaten herunter"],
            vec![],
            C::ClientNote,
            Info,
            &[],
        ),
        (
            "client unavailable",
            ["downloadClientUnavailable", "", "", "Client nicht erreichbar"],
            vec![],
            C::ClientUnreachable,
            Error,
            &[],
        ),
    ];
    for (name, fields, messages, code, severity, verbs) in &cases {
        let verdict = diagnose(&row(*fields, messages));
        assert_eq!((verdict.code, verdict.severity, verdict.verbs.as_slice()), (*code, *severity, *verbs), "{name}");
        let quoted = |text: &str| text.is_empty() || verdict.evidence.iter().any(|evidence| evidence.text == text);
        let words = messages.iter().flat_map(|group| &group.lines);
        assert!(
            verdict.code == C::ClientUnreachable || (quoted(fields[3]) && words.into_iter().all(|line| quoted(line))),
            "{name}: {verdict:?}"
        );
    }
}

#[test]
fn the_evidence_names_field_text_fragment_and_row() {
    let messages = [group("a.mkv", &["", "Movie is not monitored"])];
    let verdict = diagnose(&row(["completed", "warning", "importPending", ""], &messages));
    assert_eq!(
        serde_json::to_value(&verdict.evidence).unwrap(),
        json!([{
            "field": "statusMessages[0].messages[1]",
            "text": "Movie is not monitored",
            "fragment": "is not monitored",
            "rule": "M17",
        }])
    );
    let verdict = diagnose(&row(["completed", "ok", "importPending", ""], &[]));
    assert_eq!(
        serde_json::to_value(&verdict.evidence).unwrap(),
        json!([{ "field": "trackedDownloadState", "text": "importPending" }])
    );
}

/// 108: what the service said is in the explanation.
#[test]
fn an_unknown_error_is_quoted() {
    let verdict = diagnose(&row(["failed", "error", "failed", " Aborted, cannot be completed "], &[]));
    assert!(verdict.explanation.contains("\"Aborted, cannot be completed\""), "{}", verdict.explanation);
}

#[test]
fn rejections_tell_what_unknown_words_do_not() {
    let messages = [group("datei.mkv", &["Keine Verbesserung"])];
    let symptoms = row(["completed", "warning", "importBlocked", ""], &messages);
    let verdict = diagnose(&symptoms);
    assert!(wants_rejections(&verdict, &symptoms));
    let better = from_rejections(verdict.clone(), [vec![], vec!["Not an upgrade for existing movie file(s)"]]);
    assert_eq!((better.code, better.verbs.as_slice()), (C::NotUpgrade, &[Remove, ForceImport][..]));
    assert_eq!(better.evidence[0].field, "manualimport[1].rejections[0].reason");
    assert_eq!(from_rejections(verdict.clone(), [vec!["Unheard of"]]), verdict);
    assert_eq!(
        from_rejections(verdict, [vec!["Sample"], vec!["Caution: Found executable file"]]).code,
        C::DangerousFile
    );
}

#[test]
fn rejections_are_not_asked_for_where_the_words_are_known_or_nothing_has_arrived() {
    let known = [group("a", &["Sample"])];
    let unknown = [group("a", &["Unbekannt"])];
    for (name, symptoms) in [
        ("known words", row(["completed", "warning", "importBlocked", ""], &known)),
        ("still downloading", row(["warning", "warning", "downloading", "Unbekannt"], &[])),
        ("nothing said", row(["completed", "ok", "importPending", ""], &[])),
        ("failed", row(["failed", "warning", "failed", ""], &unknown)),
    ] {
        assert!(!wants_rejections(&diagnose(&symptoms), &symptoms), "{name}");
    }
}
