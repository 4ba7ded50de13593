//! The one error of the scheduler, from the stores to the edge.

use std::{error::Error, fmt, sync::Arc};

use crate::{
    code::ErrorCode,
    names::{JobName, TriggerKey},
    run_id::RunId,
};

/// What went wrong: a code, its arguments, and the cause for the log. The text is made at the edge (S242).
#[derive(Debug, Clone)]
pub struct SchedulingError {
    /// Which of the sixteen.
    pub code: ErrorCode,
    /// What the text of the code talks about.
    pub args: Vec<String>,
    /// The cause; for logs only, never for users (T18).
    pub source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The result of everything that can fail in the scheduler.
pub type Result<T, E = SchedulingError> = std::result::Result<T, E>;

impl SchedulingError {
    /// An error with one argument.
    pub fn new(code: ErrorCode, arg: impl Into<String>) -> Self {
        Self {
            code,
            args: vec![arg.into()],
            source: None,
        }
    }

    /// The same with its cause.
    pub fn caused_by(code: ErrorCode, source: impl Error + Send + Sync + 'static) -> Self {
        Self {
            code,
            args: vec![source.to_string()],
            source: Some(Arc::new(source)),
        }
    }

    /// `SCHEDULING_NOTFOUND_001`.
    pub fn job_not_found(name: &JobName) -> Self {
        Self::new(ErrorCode::JobNotFound, name.as_str())
    }

    /// `SCHEDULING_NOTFOUND_003`.
    pub fn trigger_not_found(key: &TriggerKey) -> Self {
        Self::new(ErrorCode::TriggerNotFound, key.to_string())
    }

    /// `SCHEDULING_NOTFOUND_004`.
    pub fn run_not_found(id: RunId) -> Self {
        Self::new(ErrorCode::RunNotFound, id.to_string())
    }

    /// `SCHEDULING_VALIDATION_001` with a full sentence.
    pub fn invalid(sentence: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadDefinition, sentence)
    }

    /// The English sentence.
    pub fn message(&self) -> String {
        self.code.message(&self.args)
    }
}

impl fmt::Display for SchedulingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message(), self.code)
    }
}

impl Error for SchedulingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|e| e as &(dyn Error + 'static))
    }
}

impl PartialEq for SchedulingError {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code && self.args == other.args
    }
}
