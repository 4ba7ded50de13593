//! The error of every server function: a code that survives the wire, so that the page chooses the words.

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};

/// Nobody is signed in.
pub const SIGNED_OUT: &str = "SIGNED_OUT";
/// The signed-in user's role does not allow it. Arguments: the action, the role it needs.
pub const DENIED: &str = "DENIED";
/// A request that no form of the console sends. Argument: what is wrong.
pub const BAD_REQUEST: &str = "BAD_REQUEST";
/// The data is not a JSON object. Argument: where and why.
pub const BAD_DATA: &str = "BAD_DATA";
/// A date, time or zone that cannot be read. Argument: the text.
pub const BAD_TIME: &str = "BAD_TIME";
/// Some fields of a form are wrong; each says so itself. Argument: how many.
pub const BAD_FIELDS: &str = "BAD_FIELDS";
/// The address leads nowhere.
pub const NO_PAGE: &str = "NO_PAGE";
/// The server did not answer.
pub const UNREACHABLE: &str = "UNREACHABLE";

/// What a server function answers instead of a value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AppError {
    /// One of this module's codes, or a scheduling code.
    pub code: String,
    /// What the sentence of the code talks about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Which fields of the form are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// What was typed, so that a page drawn again without scripts loses nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draft: Vec<(String, String)>,
}

/// One wrong field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// The field's name in the form.
    pub field: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// First wrong byte of the value, and the one after the last.
    pub at: Option<(usize, usize)>,
    /// The whole value put right, when there is one clear way.
    pub suggestion: Option<String>,
}

impl AppError {
    /// An error with one argument.
    pub fn new(code: &str, arg: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            args: vec![arg.into()],
            ..Self::default()
        }
    }

    /// An error that says everything by its code.
    pub fn plain(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            ..Self::default()
        }
    }

    /// What is wrong with one field.
    pub fn field(&self, name: &str) -> Option<&FieldError> {
        self.fields.iter().find(|f| f.field == name)
    }

    /// What was typed into one field.
    pub fn typed(&self, name: &str) -> Option<&str> {
        self.draft
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.as_str())
    }
}

impl FromServerFnError for AppError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(text)
            | ServerFnErrorErr::MissingArg(text)
            | ServerFnErrorErr::Serialization(text) => Self::new(BAD_REQUEST, text),
            ServerFnErrorErr::Request(text) | ServerFnErrorErr::Response(text) => {
                Self::new(UNREACHABLE, text)
            }
            other => Self::new("SCHEDULING_UNEXPECTED_001", other.to_string()),
        }
    }
}

#[cfg(feature = "ssr")]
mod from_engine {
    use horarium_core::{code::ErrorCode, error::SchedulingError};
    use horarium_engine::actor::OperationError;

    use super::{AppError, DENIED};

    impl From<SchedulingError> for AppError {
        fn from(error: SchedulingError) -> Self {
            // the cause of an unexpected error is for the log, never for the page
            let args = match error.code {
                ErrorCode::Unexpected | ErrorCode::StoreUnavailable => {
                    tracing::error!(error = %error, "an operation of the console failed");
                    vec!["see the server's log".to_owned()]
                }
                _ => error.args,
            };
            Self {
                code: error.code.as_str().to_owned(),
                args,
                ..Self::default()
            }
        }
    }

    impl From<OperationError> for AppError {
        fn from(error: OperationError) -> Self {
            match error {
                OperationError::Denied { action, needs } => Self {
                    code: DENIED.to_owned(),
                    args: vec![action.to_owned(), needs.as_str().to_owned()],
                    ..Self::default()
                },
                OperationError::Scheduling(error) => error.into(),
            }
        }
    }
}
