//! The five shapes of a refusal's body.

use serde::Deserialize;

/// What a refusal's body is. Its texts are for the decision what happened, not for answers: `message` and `description` carry paths, SQL and
/// third-party addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorBody {
    /// Rules of the application that failed, one entry each.
    Validation(Vec<Issue>),
    /// The request could not be bound to the application's types.
    Problem(Vec<Issue>),
    /// Raised by the application.
    Message {
        /// Its text.
        message: String,
    },
    /// The application is starting.
    Starting {
        /// Its text.
        message: String,
    },
    /// Nothing, or nothing of these shapes.
    Unreadable,
}

/// One thing that is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Which property; empty for the object as a whole.
    #[serde(default)]
    pub property_name: String,
    /// What is wrong with it.
    #[serde(default)]
    pub error_message: String,
    /// `error`, `warning` or `info`.
    #[serde(default)]
    pub severity: String,
    /// The rule, which is not translated.
    #[serde(default)]
    pub error_code: String,
}

impl ErrorBody {
    /// Reads the beginning of a refusal's body.
    pub fn read(body: &[u8]) -> Self {
        if let Ok(issues) = serde_json::from_slice::<Vec<Issue>>(body) {
            return ErrorBody::Validation(issues);
        }
        let Ok(object) = serde_json::from_slice::<WireObject>(body) else { return ErrorBody::Unreadable };
        if let Some(errors) = object.errors {
            let issues = errors.into_iter().flat_map(|(property_name, texts)| {
                texts.into_iter().map(move |error_message| Issue {
                    property_name: property_name.clone(),
                    error_message,
                    severity: "error".to_owned(),
                    error_code: String::new(),
                })
            });
            return ErrorBody::Problem(issues.collect());
        }
        match (object.error_message, object.message) {
            (Some(message), _) => ErrorBody::Starting { message },
            (None, Some(message)) => ErrorBody::Message { message },
            (None, None) => ErrorBody::Unreadable,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireObject {
    errors: Option<std::collections::BTreeMap<String, Vec<String>>>,
    error_message: Option<String>,
    message: Option<String>,
}
