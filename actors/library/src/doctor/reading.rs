//! The order in which a row is read: the first step that finds something decides.

use super::cause::{CauseCode, Severity, Verb};
use super::symptoms::{State, Symptoms};
use super::table::{COMPLAINTS, DANGER, FINDINGS};
use super::verdict::{Evidence, Verdict};

/// Each step, first to last. What none of them knows is an import that is held up.
const STEPS: [fn(&Symptoms<'_>) -> Option<Verdict>; 12] = [
    danger_anywhere,
    client_out_of_reach,
    known_complaint,
    failed_import_with_known_words,
    error_status,
    metadata_being_fetched,
    known_finding,
    import_pending,
    failed_state,
    nothing_wrong,
    remark_on_a_healthy_download,
    trouble_on_the_way,
];

/// The cause of what `symptoms` show.
pub fn diagnose(symptoms: &Symptoms<'_>) -> Verdict {
    STEPS.iter().find_map(|step| step(symptoms)).unwrap_or_else(|| held_up(symptoms))
}

/// Whether the reasons that a manual import's rejections give could tell more than `verdict` does: the files are there, and the words beside
/// them were not known.
pub fn wants_rejections(verdict: &Verdict, symptoms: &Symptoms<'_>) -> bool {
    let files_are_there = matches!(symptoms.state(), State::ImportPending | State::ImportBlocked | State::ImportFailed);
    !verdict.is_healthy() && !verdict.is_recognised() && files_are_there && symptoms.has_messages()
}

/// The verdict by the rejections of a manual import, which are English in every language of the interface; `verdict` itself where they
/// tell nothing. `rejections` are the reasons, file by file.
pub fn from_rejections<'a>(verdict: Verdict, rejections: impl IntoIterator<Item = Vec<&'a str>>) -> Verdict {
    let texts: Vec<(String, &str)> = rejections
        .into_iter()
        .enumerate()
        .flat_map(|(file, reasons)| {
            reasons
                .into_iter()
                .enumerate()
                .map(move |(nth, text)| (format!("manualimport[{file}].rejections[{nth}].reason"), text))
        })
        .collect();
    let of = |causes| texts.iter().find_map(|(field, text)| Verdict::of_text(field.clone(), text, causes));
    let Some(mut better) = of(&[DANGER]).or_else(|| of(FINDINGS)) else { return verdict };
    better.evidence.extend(verdict.evidence);
    better
}

/// A harmless message about one file must not hide a dangerous file beside it.
fn danger_anywhere(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let complaint = ("errorMessage".to_owned(), symptoms.error_message);
    std::iter::once(complaint)
        .chain(symptoms.message_texts())
        .find_map(|(field, text)| Verdict::of_text(field, text, &[DANGER]))
}

fn client_out_of_reach(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let unavailable = symptoms.status_is("downloadClientUnavailable");
    unavailable.then(|| {
        let meaning = "The service does not reach its download client and holds the release back until it does. See get_arr_health, and put the \
                       client right; the download then starts by itself.";
        Verdict::new(CauseCode::ClientUnreachable, Severity::Error, &[], meaning)
            .resting_on(Evidence::state("status", symptoms.status))
    })
}

/// Also where the service itself says that all is well.
fn known_complaint(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    Verdict::of_text("errorMessage".to_owned(), symptoms.error_message, COMPLAINTS)
}

/// A failed import is read like any other: its messages say more than that it failed.
fn failed_import_with_known_words(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    (symptoms.state() == State::ImportFailed).then(|| known_finding(symptoms)).flatten()
}

fn error_status(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    symptoms.tracked_status_is("error").then(|| {
        let meaning = if symptoms.has_error_message() {
            format!("The download is in error. The service says: \"{}\"", symptoms.quoted_error())
        } else {
            "The download is in error; the service does not say why.".to_owned()
        };
        let verdict = Verdict::new(CauseCode::DownloadError, Severity::Error, &[Verb::BlocklistSearch], meaning);
        with_unread_words(
            verdict.resting_on(Evidence::state("trackedDownloadStatus", symptoms.tracked_status)),
            symptoms,
        )
    })
}

fn metadata_being_fetched(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let fetching = symptoms.error_message.to_lowercase().contains("downloading metadata");
    fetching.then(|| {
        let meaning = "The client is still fetching the torrent's metadata. It goes on by itself.";
        let verdict = Verdict::new(CauseCode::DownloadingMetadata, Severity::Info, &[], meaning);
        verdict.resting_on(Evidence::state("errorMessage", symptoms.error_message))
    })
}

fn known_finding(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    symptoms.message_texts().find_map(|(field, text)| Verdict::of_text(field, text, FINDINGS))
}

fn import_pending(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    (symptoms.state() == State::ImportPending).then(|| {
        let meaning = "The download is complete and waits for its import. A pass over the finished downloads may be all it needs.";
        let verbs = &[Verb::Process, Verb::ManualImport];
        by_state(Verdict::new(CauseCode::ImportWaiting, Severity::Warning, verbs, meaning), symptoms)
    })
}

fn failed_state(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let meaning = match symptoms.state() {
        State::Failed => "The download failed.",
        State::ImportFailed => "The download is complete, and its import failed.",
        _ => return None,
    };
    Some(by_state(
        Verdict::new(CauseCode::DownloadFailed, Severity::Error, &[Verb::BlocklistSearch], meaning),
        symptoms,
    ))
}

fn nothing_wrong(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let blocked = symptoms.state() == State::ImportBlocked;
    let silent = !symptoms.has_error_message() && !symptoms.has_message_lines();
    let at_rest = ["delay", "queued", "paused"].iter().any(|status| symptoms.status_is(status));
    let healthy = silent && !blocked && (symptoms.tracked_well() || (at_rest && !symptoms.has_messages()));
    healthy.then(|| Verdict::new(CauseCode::Healthy, Severity::Ok, &[], "Nothing is wrong."))
}

/// What a client remarks on a download with which the service sees nothing wrong, in words that are not known, is no trouble.
fn remark_on_a_healthy_download(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let on_its_way = symptoms.state() == State::Downloading && symptoms.tracked_well() && !symptoms.has_messages();
    on_its_way.then(|| {
        let meaning =
            "The download goes on. The client remarks something on it in words that the Doctor does not know.";
        by_state(Verdict::new(CauseCode::ClientNote, Severity::Info, &[], meaning), symptoms)
    })
}

/// Nothing has arrived that could be imported, so what is wrong is wrong with the download, in whatever language the client says so.
fn trouble_on_the_way(symptoms: &Symptoms<'_>) -> Option<Verdict> {
    let in_trouble =
        symptoms.state() == State::Downloading && !symptoms.status_is("completed") && !symptoms.has_messages();
    in_trouble.then(|| {
        let meaning = "The client reports trouble with the download in words that the Doctor does not know. If other downloads of the client are \
                       in trouble too, see get_arr_health first.";
        let verdict = Verdict::new(CauseCode::DownloadError, Severity::Warning, &[Verb::BlocklistSearch], meaning);
        by_state(verdict, symptoms)
    })
}

fn held_up(symptoms: &Symptoms<'_>) -> Verdict {
    let meaning =
        "The import is held up for a reason that the Doctor does not know; what the service says about it is quoted.";
    let verbs = &[Verb::ManualImport, Verb::BlocklistSearch];
    by_state(Verdict::new(CauseCode::ImportBlocked, Severity::Warning, verbs, meaning), symptoms)
}

/// Adds the first state field there is as what decided, and the words that told nothing.
fn by_state(verdict: Verdict, symptoms: &Symptoms<'_>) -> Verdict {
    let fields = [
        ("trackedDownloadState", symptoms.tracked_state),
        ("trackedDownloadStatus", symptoms.tracked_status),
        ("status", symptoms.status),
    ];
    let first = fields.into_iter().find(|(_, text)| !text.trim().is_empty());
    let decided = first.map(|(field, text)| Evidence::state(field, text));
    let verdict = decided.into_iter().fold(verdict, Verdict::resting_on);
    with_unread_words(verdict, symptoms)
}

/// Adds what was said in words that are not known, for a reader who knows the language.
fn with_unread_words(verdict: Verdict, symptoms: &Symptoms<'_>) -> Verdict {
    let complaint = symptoms.has_error_message().then(|| ("errorMessage".to_owned(), symptoms.error_message));
    let unread = complaint.into_iter().chain(symptoms.message_texts().take(MAX_QUOTED));
    unread.fold(verdict, |verdict, (field, text)| verdict.resting_on(Evidence::state(&field, text)))
}

/// Messages that are quoted where none is known; a pack may have hundreds.
const MAX_QUOTED: usize = 3;
