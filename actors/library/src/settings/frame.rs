//! Placeholder handlers of the first step; each is replaced by the capability itself.

use playhouse_bus::{Answer, CallInfo, Handle};

use super::*;
use crate::ArrActor;
use crate::answer::{ArrFailure, Code, Unfinished};

const WORDS: &str = "not built yet";

fn refused() -> ArrFailure {
    ArrFailure::refused(Code::NotConfigured, WORDS)
}

macro_rules! handle {
    ($($message:ident => $reply:ty: $value:expr),* $(,)?) => {
        $(impl Handle<$message> for ArrActor {
            fn handle(&mut self, _: $message, _: CallInfo) -> Answer<Self, $reply> {
                Answer::now($value)
            }
        })*
    };
}

handle! {
    PrepareProfileChange => Result<PreparedProfile, ArrFailure>: Err(refused()),
    RebuildProfile => Result<ReadyProfile, NotReady>: Err(NotReady::Unread(refused())),
    RebuildRestore => Result<ReadyProfile, NotReady>: Err(NotReady::Unread(refused())),
    PutProfile => Result<(), Unfinished>: Err(refused().into()),
    ConfirmProfile => Result<JsonText, NotConfirmed>: Err(NotConfirmed { words: WORDS.to_owned() }),
    PrepareFormat => Result<PreparedFormat, ArrFailure>: Err(refused()),
    SendFormat => Result<Option<i64>, Unfinished>: Err(refused().into()),
    ConfirmFormat => Result<ConfirmedFormat, NotConfirmed>: Err(NotConfirmed { words: WORDS.to_owned() }),
    ConfirmFormatInProfiles => Result<(), NotConfirmed>: Err(NotConfirmed { words: WORDS.to_owned() }),
    CompareProfile => Comparison: Comparison { state: LiveState::Unavailable, note: None, fields: Vec::new() },
    CompareFormat => Comparison: Comparison { state: LiveState::Unavailable, note: None, fields: Vec::new() },
}

impl Handle<GetConnection> for ArrActor {
    fn handle(&mut self, _: GetConnection, _: CallInfo) -> Answer<Self, Connection> {
        Answer::now(Connection { instance: self.label().clone(), digest: None })
    }
}
