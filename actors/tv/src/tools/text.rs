//! Text into a field, and text over the screen.

use std::sync::Arc;

use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{Tvs, wrong_argument};
use crate::answers::TypeResult;
use crate::tv::{ClearSubtitle, ShowSubtitle, TypeText};
use crate::wire::{OnScreenLine, TypedText};

/// `tv_type`
pub(super) struct TypeTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct TypeArguments {
    /// The text, one line. It replaces what is in the field; empty text clears it.
    #[schemars(length(max = 1_000))]
    text: String,
}

impl Tool for TypeTool {
    type Arguments = TypeArguments;
    type Output = TypeResult;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_type",
            seed_name: None,
            title: "Type text",
            description: "Puts text into the text field that has the focus on the TV, replacing what is there. It does not submit: press OK with \
                          tv_send_key afterwards. The cursor must stand in a field: move there and press OK first, and check with tv_observe. \
                          Apps with an on-screen keyboard of their own have no such field; pick the letters with the arrow keys there.",
            scope: Scope::Tv,
            effect: Effect::Sets,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: TypeArguments) -> Result<Answer<TypeResult>, Failure> {
        let text = TypedText::try_from(arguments.text).map_err(wrong_argument)?;
        let (tv, typed) = self.0.ask(&call, TypeText { text }).await?;
        let prose = format!(
            "The field on {} now holds the text ({} characters). It was not submitted: press OK with tv_send_key for that.",
            tv.name, typed.chars
        );
        Ok(Answer::new(typed, prose))
    }
}

/// `tv_subtitle`
pub(super) struct SubtitleTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct SubtitleArguments {
    /// The text to show. Left out together with `clear`: true, the text on the screen is taken away.
    #[schemars(length(max = 200))]
    text: Option<String>,
    /// How many seconds it stays. 8 if left out.
    #[schemars(range(min = 1, max = 60))]
    seconds: Option<u32>,
    /// True takes the text on the screen away at once.
    clear: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SubtitleState {
    /// Whether a text is on the screen now.
    shown: bool,
    /// How many seconds it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
}

/// Long enough to read three rows twice.
const DEFAULT_SECONDS: u32 = 8;

impl Tool for SubtitleTool {
    type Arguments = SubtitleArguments;
    type Output = SubtitleState;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_subtitle",
            seed_name: None,
            title: "Show a line on the screen",
            description: "Shows a short text over whatever is on the TV, at most three rows, for some seconds; it goes away by itself. For \
                          messages such as \"Dinner is ready\". Needs a recent bridge app. For the film's own subtitles use tv_set_captions.",
            scope: Scope::Tv,
            effect: Effect::Sets,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: SubtitleArguments) -> Result<Answer<SubtitleState>, Failure> {
        let clear = arguments.clear == Some(true);
        match arguments.text {
            Some(_) if clear => Err(wrong_argument("give either `text` or `clear`")),
            None if clear => {
                let (tv, ()) = self.0.ask(&call, ClearSubtitle {}).await?;
                Ok(Answer::new(
                    SubtitleState { shown: false, seconds: None },
                    format!("No text is on {} now.", tv.name),
                ))
            }
            None => Err(wrong_argument("give `text` to show one, or `clear` to take it away")),
            Some(text) => {
                let line = OnScreenLine::try_from(text).map_err(wrong_argument)?;
                let seconds = arguments.seconds.unwrap_or(DEFAULT_SECONDS);
                let (tv, ()) = self.0.ask(&call, ShowSubtitle { line, seconds }).await?;
                let prose = format!("The text is on {} for {seconds} seconds.", tv.name);
                Ok(Answer::new(SubtitleState { shown: true, seconds: Some(seconds) }, prose))
            }
        }
    }
}
