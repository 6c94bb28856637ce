//! `tv_resolve_title`

use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};

use super::answers::{Others, Resolved, ResolvedTitle};
use super::apps::TvApps;
use super::arguments::TitleArguments;
use super::choice::{choose, choose_by_table};
use super::{Titles, on, words};

/// Of the caller's time, what is kept back for asking the TV which apps it has.
const FOR_THE_TV: Duration = Duration::from_secs(4);

/// `tv_resolve_title`
pub(super) struct ResolveTitleTool(pub(super) Titles);

impl Tool for ResolveTitleTool {
    type Arguments = TitleArguments;
    type Output = ResolvedTitle;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_resolve_title",
            seed_name: None,
            title: "Find a movie or series",
            description: "Finds out where a movie, series or episode can be seen and by which link, without opening anything: the same arguments and \
                          answer as tv_play_title. Use it to answer where something is on, or to let the user choose among services. When the TV \
                          is on, the app is chosen among those installed there (`installed`); when it is off, by the usual package of the service.",
            scope: Scope::Tv,
            effect: Effect::Reads,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.tvs.argument()
    }

    async fn call(&self, call: ToolCall, arguments: TitleArguments) -> Result<Answer<ResolvedTitle>, Failure> {
        let question = self.0.question(&arguments)?;
        let country = question.country;
        let for_resolving = Deadline::after(call.deadline.remaining().saturating_sub(FOR_THE_TV));
        let resolution = Titles::resolve(&call, question, for_resolving).await?;
        // Without a TV, or with one that is off, the question has an answer all the same.
        let tv = self.0.tvs.target(&call).ok();
        let apps: Option<TvApps> = match &tv {
            Some(tv) => self.0.apps.of(&call, tv, Deadline::after(FOR_THE_TV).earlier(call.deadline)).await.ok(),
            None => None,
        };
        let choice = choose(&resolution.offers, country, apps.as_ref())
            .or_else(|| choose_by_table(&resolution.offers, country, apps.as_ref()?))
            .ok_or_else(|| {
                Failure::world(format!("{} was found, but no app is known that opens it.", resolution.title))
            })?;
        let Some(first) = choice.attempts.first() else {
            return Err(Failure::world(format!("{} was found, but there is no link to it.", resolution.title)));
        };
        let where_to = match (&tv, choice.installed) {
            (Some(tv), Some(true)) => format!(", which is installed {}", on(tv)),
            (Some(tv), Some(false)) => format!(", which is not installed {}", on(tv)),
            (Some(tv), None) => format!("; {} could not be asked which apps it has", tv.name),
            (None, _) => String::new(),
        };
        let prose = format!(
            "{} is on {} ({}{where_to}).{} Nothing was opened; tv_play_title does that.{}",
            resolution.title,
            choice.offer.service.name,
            choice.package,
            words::about_kind(first.kind, words::wanted_level(&resolution)),
            words::about_others(&resolution, &choice),
        );
        let output = ResolvedTitle {
            resolved: Resolved::new(&resolution, &choice, first),
            installed: choice.installed,
            others: Others::new(&resolution, choice.offer),
        };
        Ok(Answer::new(output, prose))
    }
}
