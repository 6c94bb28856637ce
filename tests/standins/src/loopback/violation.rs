//! What a client sent that the real service would refuse, ignore without a word, or be burdened by.

/// One thing wrong with a request. A test asserts that there are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestViolation {
    /// There is nothing at this address for this method.
    #[error("{method} {path} is none of the calls that are known")]
    Unknown {
        /// `GET`, `POST` …
        method: String,
        /// Without the query.
        path: String,
    },
    /// The service passes over parameters that it does not know: the caller believes in a filter that is none.
    #[error("{path} knows no parameter `{name}`")]
    UnknownParameter {
        /// Of the call.
        path: String,
        /// The parameter.
        name: String,
    },
    /// A parameter's value has not the form it should have.
    #[error("`{value}` is no {name} for {path}")]
    Parameter {
        /// Of the call.
        path: String,
        /// The parameter.
        name: String,
        /// What was sent.
        value: String,
    },
    /// The credential is missing, given twice, or in the wrong place for its sort. It is not repeated.
    #[error("credential: {reason}")]
    Credential {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// What was posted is not what is read.
    #[error("body: {reason}")]
    Body {
        /// What is wrong with it.
        reason: String,
    },
    /// A GraphQL variable has not the form it should have, or is not declared.
    #[error("variable `{name}`: {reason}")]
    Variable {
        /// Without the dollar sign.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The GraphQL text asks for something that there is not, or not for something without which the answer is useless.
    #[error("query: {reason}")]
    Query {
        /// What is wrong with it.
        reason: String,
    },
    /// The application's own description of its API knows it otherwise.
    #[error("the description of {call}: {reason}")]
    Undescribed {
        /// Method and path.
        call: String,
        /// What it says.
        reason: String,
    },
    /// The service refuses to work so hard.
    #[error("too complex: {reason}")]
    TooComplex {
        /// What makes it so.
        reason: String,
    },
}
