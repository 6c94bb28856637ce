//! What a verdict is made from: one row of a queue, in the service's own words.

/// One row of a queue. Texts are as the service sent them, secrets taken out; absent fields are empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Symptoms<'a> {
    /// The release's name.
    pub release_title: &'a str,
    /// What the download client says: `downloading`, `completed`, `warning`, `delay` …
    pub status: &'a str,
    /// `ok`, `warning` or `error`; empty while nothing was sent to a client.
    pub tracked_status: &'a str,
    /// How far the service is with it: `importPending`, `importBlocked` …
    pub tracked_state: &'a str,
    /// The client's own complaint, in the language of the service's interface.
    pub error_message: &'a str,
    /// What the service found when it tried to import.
    pub messages: &'a [MessageGroup],
    /// Whether the library has a file of this item.
    pub library_file: LibraryFile,
}

/// Messages about one file, or about the whole release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageGroup {
    /// The file or the release; the message itself where there are no lines.
    pub title: String,
    /// The messages.
    pub lines: Vec<String>,
}

/// Whether the library has a file of the item that a download is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LibraryFile {
    /// The row does not say, or contradicts itself.
    #[default]
    Unknown,
    /// There is none.
    Absent,
    /// There is one.
    Present,
}

/// How far the service is with a download, as far as verdicts depend on it. The four services have different words for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// On its way.
    Downloading,
    /// Waits for its import.
    ImportPending,
    /// Needs a person.
    ImportBlocked,
    /// Lidarr and Readarr: the import was tried and failed.
    ImportFailed,
    /// The download failed.
    Failed,
    /// Nothing was sent to a client yet, or a state that says nothing is wrong.
    Other,
}

impl Symptoms<'_> {
    pub(super) fn state(&self) -> State {
        const STATES: [(&str, State); 8] = [
            ("downloading", State::Downloading),
            ("importPending", State::ImportPending),
            ("importBlocked", State::ImportBlocked),
            ("importFailed", State::ImportFailed),
            ("failed", State::Failed),
            ("failedPending", State::Failed),
            ("downloadFailed", State::Failed),
            ("downloadFailedPending", State::Failed),
        ];
        let known = STATES.iter().find(|(word, _)| word.eq_ignore_ascii_case(self.tracked_state.trim()));
        known.map_or(State::Other, |(_, state)| *state)
    }

    pub(super) fn status_is(&self, word: &str) -> bool {
        self.status.trim().eq_ignore_ascii_case(word)
    }

    pub(super) fn tracked_status_is(&self, word: &str) -> bool {
        self.tracked_status.trim().eq_ignore_ascii_case(word)
    }

    /// Whether the service itself sees nothing wrong.
    pub(super) fn tracked_well(&self) -> bool {
        self.tracked_status.trim().is_empty() || self.tracked_status_is("ok")
    }

    /// The beginning of what the client complains about, in a length that a sentence can hold.
    pub(super) fn quoted_error(&self) -> String {
        const MAX_CHARS: usize = 300;
        let text = self.error_message.trim();
        match text.char_indices().nth(MAX_CHARS) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}…", &text[..end]),
        }
    }

    pub(super) fn has_error_message(&self) -> bool {
        !self.error_message.trim().is_empty()
    }

    /// Whether any group has a line with something in it.
    pub(super) fn has_message_lines(&self) -> bool {
        self.messages.iter().flat_map(|group| &group.lines).any(|line| !line.trim().is_empty())
    }

    /// Whether there is any text among the messages, titles without lines included.
    pub(super) fn has_messages(&self) -> bool {
        self.message_texts().next().is_some()
    }

    /// The texts among the messages in reading order, each with the name of its field: of each group its title, then its lines.
    ///
    /// Blank texts are left out, and so are titles that only repeat the release's name: a release called "Sampler" is no sample.
    pub(super) fn message_texts(&self) -> impl Iterator<Item = (String, &str)> {
        self.messages
            .iter()
            .enumerate()
            .flat_map(move |(nth, group)| {
                let title = Some(group.title.as_str()).filter(|title| !self.is_the_release(title));
                let title = title.map(|title| (format!("statusMessages[{nth}].title"), title));
                let lines = group.lines.iter().enumerate();
                title.into_iter().chain(
                    lines.map(move |(line, text)| (format!("statusMessages[{nth}].messages[{line}]"), text.as_str())),
                )
            })
            .filter(|(_, text)| !text.trim().is_empty())
    }

    /// Whether `title` is the release's name, with or without the ending of a file's name.
    fn is_the_release(&self, title: &str) -> bool {
        let (title, release) = (title.trim(), self.release_title.trim());
        if title.len() < release.len() || release.is_empty() || !title.is_char_boundary(release.len()) {
            return false;
        }
        let (name, ending) = title.split_at(release.len());
        let is_file_ending = ending.starts_with('.') && ending.len() <= 6 && !ending[1..].contains(['.', ' ']);
        name.eq_ignore_ascii_case(release) && (ending.is_empty() || is_file_ending)
    }
}
