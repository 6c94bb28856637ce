//! What a television does that no relay should suffer from.

use tokio_tungstenite::tungstenite::Message;

use crate::{frame, ops::Answer};

/// How a TV treats the frames it gets, until told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// As the app does.
    #[default]
    AsTheApp,
    /// Reads and carries out every frame, and answers none.
    Silent,
    /// Reads nothing and writes nothing, with the socket open: asleep, or out of reach of the Wi-Fi.
    HalfOpen,
    /// Answers under ids that nobody asked with.
    UnknownIds,
    /// Answers everything twice.
    Twice,
    /// Holds each answer back until the next frame arrives.
    OneLate,
    /// Cuts the JSON text in every `…_json` value in half.
    BrokenInnerJson,
    /// Answers with text that is not JSON.
    Garbage,
    /// Answers with binary frames.
    Binary,
}

impl Manner {
    /// The frames that this manner makes of one answer.
    pub(crate) fn messages(self, id: &str, answer: &Answer, held: &mut Option<Message>) -> Vec<Message> {
        let text = || Message::text(frame::write(id, answer));
        match self {
            Self::AsTheApp => vec![text()],
            Self::Silent | Self::HalfOpen => Vec::new(),
            Self::UnknownIds => vec![Message::text(frame::write(&format!("not-{id}"), answer))],
            Self::Twice => vec![text(), text()],
            Self::OneLate => held.replace(text()).into_iter().collect(),
            Self::BrokenInnerJson => {
                let mut broken = answer.clone();
                for (_, value) in broken.data.iter_mut().filter(|(name, _)| name.ends_with("_json")) {
                    *value = value.chars().take(value.chars().count() / 2).collect();
                }
                vec![Message::text(frame::write(id, &broken))]
            }
            Self::Garbage => vec![Message::text("{not json")],
            Self::Binary => vec![Message::binary(frame::write(id, answer))],
        }
    }
}

/// One thing to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Sends this text as a frame, unasked.
    SendText(String),
    /// Sends these bytes as a binary frame, unasked.
    SendBinary(Vec<u8>),
    /// Sends so many small, well-formed answers to nothing, as fast as the relay reads them; stops when the relay closes.
    Flood {
        /// How many.
        n_frames: usize,
    },
    /// Sends one text frame of so many bytes.
    Oversized {
        /// Its payload's length.
        n_bytes: usize,
    },
    /// Sends the head of a frame and half of its body, then cuts the connection. Redials like after any drop.
    CutMidFrame,
    /// Cuts the connection without a close. Redials like after any drop.
    Cut,
    /// Dials again with the same token while the present socket stays open and is read on.
    OpenSecondSocket,
    /// Accessibility is switched off: closes with 1000 `service unbound` and stays away until [`Act::SwitchOn`].
    SwitchOff,
    /// Accessibility is switched on again: dials.
    SwitchOn,
    /// A person presses Reset: closes with 1000 `repairing`, forgets its token and asks for a new code.
    Reset,
    /// Cuts the connection and never dials or polls again, until [`Act::SwitchOn`].
    Vanish,
}

/// The act needs an open socket, and there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the simulated TV is not connected; wait for `online()` first")]
pub struct NotConnected;

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(manner: Manner, held: &mut Option<Message>) -> Vec<String> {
        let answer = Answer::ok().with("volume_json", r#"{"level":40}"#);
        let messages = manner.messages("7", &answer, held);
        messages.into_iter().map(|message| message.into_text().unwrap().to_string()).collect()
    }

    #[test]
    fn each_manner_spoils_the_answer_in_its_own_way() {
        let right = r#"{"id":"7","ok":true,"data":{"volume_json":"{\"level\":40}"}}"#;
        let mut held = None;
        assert_eq!(sent(Manner::AsTheApp, &mut held), [right]);
        assert_eq!(sent(Manner::Silent, &mut held), [""; 0]);
        assert_eq!(sent(Manner::Twice, &mut held), [right, right]);
        assert_eq!(sent(Manner::UnknownIds, &mut held), [right.replace('7', "not-7")]);
        assert_eq!(
            sent(Manner::BrokenInnerJson, &mut held),
            [r#"{"id":"7","ok":true,"data":{"volume_json":"{\"leve"}}"#]
        );
        assert_eq!(sent(Manner::Garbage, &mut held), ["{not json"]);
        assert_eq!(sent(Manner::OneLate, &mut held), [""; 0]);
        assert_eq!(sent(Manner::OneLate, &mut held), [right]);
    }
}
