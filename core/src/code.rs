//! The sixteen error codes and their kinds (S240, A42).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What kind of trouble: the middle word of a code; it alone decides the HTTP status (A42).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Something named does not exist.
    NotFound,
    /// The request is malformed.
    Validation,
    /// The request does not fit the present state.
    Conflict,
    /// A part that is needed cannot be reached or does not serve.
    Unavailable,
    /// The time limit passed.
    Timeout,
    /// A fault nobody foresaw.
    Unexpected,
}

impl ErrorKind {
    /// The HTTP status of this kind (S241, A42).
    pub const fn http_status(self) -> u16 {
        match self {
            Self::NotFound => 404,
            Self::Validation => 400,
            Self::Conflict => 409,
            Self::Unavailable => 503,
            Self::Timeout => 504,
            Self::Unexpected => 500,
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $kind:ident, $text:literal;)+) => {
        /// One of the sixteen error codes (S240).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $code)] $name,)+
        }

        impl ErrorCode {
            /// All sixteen.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code as it is stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }

            /// Its kind.
            pub const fn kind(self) -> ErrorKind {
                match self { $(Self::$name => ErrorKind::$kind),+ }
            }

            /// The English text; `{0}` stands for the first argument.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }
        }
    };
}

codes! {
    /// The job is not registered.
    JobNotFound = "SCHEDULING_NOTFOUND_001", NotFound, "There is no job named {0}.";
    /// The job type is not registered.
    TypeNotFound = "SCHEDULING_NOTFOUND_002", NotFound, "The job type {0} is not registered on this node.";
    /// The trigger does not exist.
    TriggerNotFound = "SCHEDULING_NOTFOUND_003", NotFound, "There is no trigger {0}.";
    /// The run does not exist or has finished.
    RunNotFound = "SCHEDULING_NOTFOUND_004", NotFound, "The run {0} does not exist or has already finished.";
    /// There is no code definition to restore.
    NoCodeDefinition = "SCHEDULING_NOTFOUND_005", NotFound, "The job {0} has no code definition to restore.";
    /// The definition is invalid.
    BadDefinition = "SCHEDULING_VALIDATION_001", Validation, "{0}";
    /// Paging is out of range.
    BadPaging = "SCHEDULING_VALIDATION_002", Validation, "{0}";
    /// A run goes on and the job allows only one.
    AlreadyRunning = "SCHEDULING_CONFLICT_001", Conflict, "The job {0} is running and allows only one run at a time.";
    /// Another node holds the lease.
    LeaseHeld = "SCHEDULING_CONFLICT_002", Conflict, "The lease {0} is held by another node.";
    /// The run was cancelled.
    RunCanceled = "SCHEDULING_CONFLICT_003", Conflict, "The run was canceled: {0}.";
    /// The local engine has not started or is stopping.
    EngineUnavailable = "SCHEDULING_UNAVAILABLE_001", Unavailable, "The scheduler on this node has not started or is stopping.";
    /// The election storage cannot be reached.
    ElectionUnavailable = "SCHEDULING_UNAVAILABLE_002", Unavailable, "The election storage cannot be reached: {0}.";
    /// The job store cannot be reached.
    StoreUnavailable = "SCHEDULING_UNAVAILABLE_003", Unavailable, "The job store cannot be reached: {0}.";
    /// The store is full of running runs.
    StoreFull = "SCHEDULING_UNAVAILABLE_004", Unavailable, "The store holds {0} running runs and has no room for another.";
    /// The run passed its time limit.
    RunTimeout = "SCHEDULING_TIMEOUT_001", Timeout, "The run passed its time limit of {0}.";
    /// Something nobody foresaw.
    Unexpected = "SCHEDULING_UNEXPECTED_001", Unexpected, "Unexpected error: {0}";
}

impl ErrorCode {
    /// The English sentence with its arguments filled in.
    pub fn message(self, args: &[String]) -> String {
        args.iter()
            .enumerate()
            .fold(self.text().to_owned(), |text, (i, arg)| {
                text.replace(&format!("{{{i}}}"), arg)
            })
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ErrorCode {
    type Err = crate::state::UnknownText;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|c| c.as_str() == text)
            .ok_or_else(|| crate::state::UnknownText {
                text: text.to_owned(),
                allowed: "the sixteen scheduling codes".to_owned(),
            })
    }
}
