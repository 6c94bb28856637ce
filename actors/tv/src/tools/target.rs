//! Which TV a call is about.

use std::sync::Arc;

use playhouse_bus::Message;
use playhouse_house::{Caller, Principal};
use playhouse_tools::{CallerArgument, Failure, ToolCall};

use crate::directory::{PairedTv, TvDirectory};
use crate::error::TvError;
use crate::tv::TvActor;

/// What an assistant hears whose key reaches no TV.
pub(super) const NO_TV: &str = "No TV is paired that this key reaches. To pair one, open the bridge app on the TV and claim the eight-digit code \
     it shows: with tv_claim_device if your key may, or on this relay's claim page.";

/// The TVs that calls may be about, for every tool that steers one.
#[derive(Clone)]
pub struct Tvs {
    argument: Arc<TvArgument>,
}

/// The argument `tv`, which only callers see that reach several TVs.
struct TvArgument {
    directory: TvDirectory,
}

impl Tvs {
    /// Those of the directory.
    pub fn new(directory: TvDirectory) -> Self {
        Self { argument: Arc::new(TvArgument { directory }) }
    }

    /// The argument `tv`, for [`Tool::caller_argument`](playhouse_tools::Tool::caller_argument).
    pub fn argument(&self) -> Option<Arc<dyn CallerArgument>> {
        Some(Arc::clone(&self.argument) as Arc<dyn CallerArgument>)
    }

    /// The TV that `call` is about.
    ///
    /// # Errors
    /// That no TV is paired, in words for the assistant.
    pub fn target(&self, call: &ToolCall) -> Result<PairedTv, Failure> {
        let (house, principal) = (call.principal.house, &call.principal);
        let directory = &self.argument.directory;
        let found = match (&principal.caller, &call.chosen) {
            (Caller::Tv(own), _) => directory.get(house, *own),
            (Caller::Key { .. }, Some(name)) => directory.find(house, name).filter(|tv| principal.reaches(tv.id)),
            (Caller::Key { .. }, None) => match &*directory.reached_by(principal) {
                [only] => Some(only.clone()),
                // A second TV was paired after this call was checked.
                [_, _, ..] => {
                    return Err(Failure::world("There is more than one TV now; call again and say which in `tv`."));
                }
                [] => None,
            },
        };
        found.ok_or_else(|| Failure::world(NO_TV))
    }

    /// Sends `message` to the TV that `call` is about.
    pub(super) async fn ask<M, T>(&self, call: &ToolCall, message: M) -> Result<(PairedTv, T), Failure>
    where
        M: Message<Actor = TvActor, Reply = Result<T, TvError>>,
    {
        let tv = self.target(call)?;
        let reply = call.bus.call(TvActor::key(call.principal.house, tv.id), message, call.deadline).await?;
        match reply {
            Ok(answer) => Ok((tv, answer)),
            Err(error) => Err(Failure::world(error.to_string())),
        }
    }
}

impl CallerArgument for TvArgument {
    fn name(&self) -> &'static str {
        "tv"
    }

    fn description(&self) -> &'static str {
        "Which TV. tv_list_devices says which are on."
    }

    fn choices(&self, principal: &Principal) -> Option<Vec<String>> {
        if matches!(principal.caller, Caller::Tv(_)) {
            return None;
        }
        let tvs = self.directory.reached_by(principal);
        (tvs.len() > 1).then(|| tvs.iter().map(|tv| tv.name.to_string()).collect())
    }
}

/// An argument that the schema lets through and the TV would not take. Nothing is sent then.
pub(super) fn wrong_argument(fault: impl std::fmt::Display) -> Failure {
    Failure::world(format!("Nothing was sent to the TV: {fault}."))
}
