//! `tv_play_title` and `tv_resolve_title`.

mod answers;
mod apps;
mod arguments;
mod choice;
mod play;
mod resolve;
mod screen;
mod words;

#[cfg(test)]
mod tests;

use playhouse_bus::{CallError, Deadline};
use playhouse_catalog::Country;
use playhouse_tools::{DuplicateTool, Failure, Registry, ToolCall};
use playhouse_tv::{PairedTv, TvDirectory, Tvs};

use crate::actor::{ResolveTitle, ResolverActor};
use crate::question::Question;
use crate::resolution::Resolution;
use apps::AppLists;
use arguments::TitleArguments;

/// What the operator decides about the tools.
#[derive(Debug, Clone, Copy)]
pub struct ToolSettings {
    /// The country of calls that name none.
    pub default_country: Country,
}

/// Adds this wing's tools.
///
/// # Errors
/// [`DuplicateTool`] when a name is taken.
pub fn add_tools(
    registry: &mut Registry,
    directory: &TvDirectory,
    settings: ToolSettings,
) -> Result<(), DuplicateTool> {
    let titles = Titles { tvs: Tvs::new(directory.clone()), apps: AppLists::new(), settings };
    registry.add(play::PlayTitleTool(titles.clone()))?;
    registry.add(resolve::ResolveTitleTool(titles))
}

/// What both tools work with.
#[derive(Clone)]
struct Titles {
    tvs: Tvs,
    apps: AppLists,
    settings: ToolSettings,
}

impl Titles {
    fn question(&self, arguments: &TitleArguments) -> Result<Question, Failure> {
        let question = Question::from_words(&arguments.words(), self.settings.default_country);
        question.map_err(|error| Failure::world(format!("Nothing was looked up: {error}.")))
    }

    /// The answer of the instance's resolver.
    async fn resolve(call: &ToolCall, question: Question, deadline: Deadline) -> Result<Resolution, Failure> {
        match call.bus.call(ResolverActor::key(), ResolveTitle { question }, deadline).await {
            Ok(Ok(resolution)) => Ok(resolution),
            Ok(Err(error)) => Err(Failure::world(error.to_string())),
            Err(CallError::Deadline { started: true }) => Err(Failure::world(
                "Looking the title up takes longer than this call may. It goes on: call again in some seconds.",
            )),
            Err(error) => Err(error.into()),
        }
    }
}

/// A TV in a sentence.
fn on(tv: &PairedTv) -> String {
    format!("on {}", tv.name)
}
