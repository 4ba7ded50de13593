//! Codes become sentences, with a way out where there is one.

use horarium_core::code::{ErrorCode, ErrorKind};

use crate::error::{
    AppError, BAD_DATA, BAD_FIELDS, BAD_REQUEST, BAD_TIME, DENIED, NO_PAGE, SIGNED_OUT, UNREACHABLE,
};

/// Which of the designed trouble pages an error leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody is signed in.
    SignedOut,
    /// The role does not allow it.
    NoRight,
    /// There is no such thing.
    NotFound,
    /// The engine, its store or the server does not answer.
    Unreachable,
    /// Everything else.
    Failed,
}

impl Trouble {
    /// The heading of the page.
    pub fn heading(self) -> &'static str {
        match self {
            Self::SignedOut => "You are signed out",
            Self::NoRight => "Your role does not allow this",
            Self::NotFound => "Not found",
            Self::Unreachable => "The engine does not answer",
            Self::Failed => "That did not work",
        }
    }

    /// The HTTP status of the page.
    pub fn status(self) -> u16 {
        match self {
            Self::SignedOut => 401,
            Self::NoRight => 403,
            Self::NotFound => 404,
            Self::Unreachable => 503,
            Self::Failed => 400,
        }
    }
}

/// Which kind of trouble a code means.
pub fn trouble(code: &str) -> Trouble {
    match code {
        SIGNED_OUT => Trouble::SignedOut,
        DENIED => Trouble::NoRight,
        UNREACHABLE => Trouble::Unreachable,
        NO_PAGE => Trouble::NotFound,
        _ => match code.parse::<ErrorCode>().map(ErrorCode::kind) {
            Ok(ErrorKind::NotFound) => Trouble::NotFound,
            Ok(ErrorKind::Unavailable) => Trouble::Unreachable,
            _ => Trouble::Failed,
        },
    }
}

/// The HTTP status that goes with a code.
pub fn status(code: &str) -> u16 {
    match code.parse::<ErrorCode>() {
        Ok(code) => code.kind().http_status(),
        Err(_) => trouble(code).status(),
    }
}

/// The error as a sentence.
pub fn sentence(error: &AppError) -> String {
    let arg = |i: usize| error.args.get(i).map_or("", String::as_str);
    match error.code.as_str() {
        SIGNED_OUT => "Your session has ended. Sign in again to go on.".to_owned(),
        DENIED => format!(
            "To {} takes the role {}. Ask an administrator.",
            arg(0),
            arg(1)
        ),
        BAD_REQUEST => format!("The request could not be read: {}.", arg(0)),
        BAD_DATA => format!("The data is not a JSON object: {}.", arg(0)),
        BAD_TIME => format!("“{}” is not a time that can be read.", arg(0)),
        BAD_FIELDS => "Some fields need another look. Nothing was saved.".to_owned(),
        UNREACHABLE => {
            "The server did not answer. It may be restarting, or the connection is down.".to_owned()
        }
        NO_PAGE => "There is no page at this address.".to_owned(),
        code => match code.parse::<ErrorCode>() {
            Ok(code) => code.message(&error.args),
            Err(_) => format!("Something went wrong ({code})."),
        },
    }
}

/// What the operator can do about it, when that is known.
pub fn way_out(error: &AppError) -> Option<&'static str> {
    Some(match error.code.parse::<ErrorCode>().ok()? {
        ErrorCode::JobNotFound => {
            "It may have been deleted or renamed. Its past runs stay in the list of runs."
        }
        ErrorCode::TriggerNotFound => "It may have been removed by a change of the job.",
        ErrorCode::RunNotFound => {
            "Finished runs are deleted after the retention period; a run that has ended cannot be canceled."
        }
        ErrorCode::AlreadyRunning => {
            "Wait for the running run to end, cancel it, or enqueue: an enqueued run starts when the job is free."
        }
        ErrorCode::EngineUnavailable => {
            "Enqueue works even now: the run starts as soon as a node takes it."
        }
        ErrorCode::StoreUnavailable => {
            "Running runs go on. This page shows data again when the store answers."
        }
        ErrorCode::NoCodeDefinition => "Only jobs that come from code can be restored.",
        _ => return None,
    })
}
