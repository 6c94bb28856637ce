//! Questions that a client offers its user ready-made: MCP's prompts. They are text, with no data in them.

use std::collections::BTreeMap;

use playhouse_house::Scopes;
use serde_json::{Map, Value, json};

use crate::resource::Audience;

/// The words under which a prompt is listed, and the words it becomes.
#[derive(Debug, Clone, Copy)]
pub struct PromptDescriptor {
    /// The name that programs use.
    pub name: &'static str,
    /// A short name for people.
    pub title: &'static str,
    /// What asking it is good for.
    pub description: &'static str,
    /// What is to be filled in.
    pub arguments: &'static [PromptArgument],
    /// To whom it is listed. Any live key may get it.
    pub audience: Audience,
    /// The message that the user's assistant gets. Everything in it that came from the arguments was checked.
    pub text: fn(&PromptArguments) -> String,
}

/// One blank of a prompt. What stands in it is text, as MCP has it.
#[derive(Debug, Clone, Copy)]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// What belongs there.
    pub description: &'static str,
    /// Whether the prompt makes no sense without it.
    pub required: bool,
    /// What may stand there.
    pub form: ArgumentForm,
}

/// What may stand in a blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentForm {
    /// Digits.
    Number,
    /// A whole number within bounds.
    Between(u32, u32),
}

/// The filled-in blanks of one prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptArguments(BTreeMap<&'static str, String>);

impl PromptArguments {
    /// What was filled in; empty where nothing was.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

/// All prompts of the instance, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Prompts(Vec<PromptDescriptor>);

impl Prompts {
    pub(crate) fn add(&mut self, prompt: PromptDescriptor) -> Result<(), &'static str> {
        if self.find(prompt.name).is_some() {
            return Err("a prompt has its name already");
        }
        self.0.push(prompt);
        Ok(())
    }

    /// The prompt of that name.
    pub fn find(&self, name: &str) -> Option<&PromptDescriptor> {
        self.0.iter().find(|prompt| prompt.name == name)
    }

    /// The JSON array of `prompts/list` for a key with these scopes.
    pub fn list(&self, scopes: Scopes) -> Value {
        let argument = |argument: &PromptArgument| json!({ "name": argument.name, "description": argument.description, "required": argument.required });
        let listed = |prompt: &PromptDescriptor| {
            json!({
                "name": prompt.name,
                "title": prompt.title,
                "description": prompt.description,
                "arguments": prompt.arguments.iter().map(argument).collect::<Value>(),
            })
        };
        self.0.iter().filter(|prompt| prompt.audience.includes(scopes)).map(listed).collect()
    }
}

impl PromptDescriptor {
    /// The message, with what the user filled in.
    ///
    /// # Errors
    /// Words that name the argument that is missing, unknown or not of its form.
    pub fn fill_in(&self, given: &Map<String, Value>) -> Result<String, String> {
        if let Some(unknown) = given.keys().find(|name| self.arguments.iter().all(|argument| argument.name != **name)) {
            let unknown: String = unknown.chars().take(60).collect();
            return Err(format!("the prompt {} has no argument `{unknown}`", self.name));
        }
        let mut filled = PromptArguments::default();
        for &PromptArgument { name, required, form, .. } in self.arguments {
            match given.get(name) {
                None | Some(Value::Null) if required => return Err(format!("`{name}` is required")),
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if form.takes(text) => {
                    filled.0.insert(name, text.clone());
                }
                Some(_) => return Err(format!("`{name}` is {}", form.words())),
            }
        }
        Ok((self.text)(&filled))
    }
}

impl ArgumentForm {
    fn takes(self, text: &str) -> bool {
        let is_number = !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            ArgumentForm::Number => is_number,
            ArgumentForm::Between(least, most) => {
                is_number
                    && text.parse().is_ok_and(|number: u64| (u64::from(least)..=u64::from(most)).contains(&number))
            }
        }
    }

    fn words(self) -> String {
        match self {
            ArgumentForm::Number => "a number, as text".to_owned(),
            ArgumentForm::Between(least, most) => format!("a number from {least} to {most}, as text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: PromptDescriptor = PromptDescriptor {
        name: "scene",
        title: "Scene",
        description: "Asks after a scene.",
        arguments: &[
            PromptArgument { name: "node_id", description: "Which.", required: true, form: ArgumentForm::Number },
            PromptArgument {
                name: "limit",
                description: "How many.",
                required: false,
                form: ArgumentForm::Between(1, 200),
            },
        ],
        audience: Audience(&[]),
        text: |arguments| format!("scene {} limit {}", arguments.get("node_id"), arguments.get("limit")),
    };

    fn filled(given: &Value) -> Result<String, String> {
        SCENE.fill_in(given.as_object().unwrap())
    }

    #[test]
    fn what_is_filled_in_stands_in_the_message() {
        assert_eq!(filled(&json!({ "node_id": "104", "limit": "5" })), Ok("scene 104 limit 5".to_owned()));
        assert_eq!(filled(&json!({ "node_id": "104", "limit": null })), Ok("scene 104 limit ".to_owned()));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (given, words) in [
            (json!({}), "`node_id` is required"),
            (json!({ "node_id": "abc" }), "`node_id` is a number, as text"),
            (json!({ "node_id": 104 }), "`node_id` is a number, as text"),
            (json!({ "node_id": "1; drop" }), "`node_id` is a number, as text"),
            (json!({ "node_id": "1", "limit": "201" }), "`limit` is a number from 1 to 200, as text"),
            (json!({ "node_id": "1", "limt": "2" }), "the prompt scene has no argument `limt`"),
        ] {
            assert_eq!(filled(&given), Err(words.to_owned()));
        }
    }
}
