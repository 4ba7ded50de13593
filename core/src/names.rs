//! Names: one grammar for jobs, triggers, calendars and lease resources (S15, S16).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The longest name, in bytes (S15).
pub const MAX_NAME: usize = 128;

/// Prefixes of the one-time triggers that the engine makes; users may not take them (design of the ledger).
pub const ENGINE_PREFIXES: [&str; 3] = ["manual-", "retry-", "recovery-"];

/// A text that is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", reason(.text))]
pub struct NameError {
    /// The text as it was given.
    pub text: String,
}

fn reason(text: &str) -> String {
    let rule = "use lower-case letters, digits, '.', '_' and '-', starting with a letter or digit";
    if text.is_empty() {
        return format!("a name is missing: {rule}");
    }
    if text.len() > MAX_NAME {
        return format!(
            "a name has at most {MAX_NAME} characters, this one has {}",
            text.len()
        );
    }
    let bad = text.char_indices().find(|&(i, c)| !allowed(i, c));
    match bad {
        Some((0, c)) => format!("'{text}' is not a name: it starts with '{c}'; {rule}"),
        Some((_, c)) => format!("'{text}' is not a name: '{c}' is not allowed; {rule}"),
        None => format!("'{text}' is not a name: {rule}"),
    }
}

fn allowed(index: usize, c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || (index > 0 && matches!(c, '.' | '_' | '-'))
}

/// Whether a text follows `^[a-z0-9][a-z0-9._-]{0,127}$` (S15).
pub fn is_valid(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_NAME && text.char_indices().all(|(i, c)| allowed(i, c))
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Whether `text` can be such a name (S16).
            pub fn is_valid(text: &str) -> bool {
                is_valid(text)
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::try_from(text.to_owned())
            }
        }

        impl TryFrom<&str> for $name {
            type Error = NameError;
            fn try_from(text: &str) -> Result<Self, NameError> {
                text.parse()
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;
            fn try_from(text: String) -> Result<Self, NameError> {
                if is_valid(&text) { Ok(Self(text)) } else { Err(NameError { text }) }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

name!(
    /// The name of a job (S15).
    JobName
);
name!(
    /// The name of a trigger, unique inside its job (S15, S26).
    TriggerName
);
name!(
    /// The name under which a calendar is registered (S24).
    CalendarName
);
name!(
    /// What a lease is about (S15), for instance `scheduling.jobs`.
    ResourceName
);

impl TriggerName {
    /// The trigger that a job registered with one schedule gets (S20).
    pub const DEFAULT: &'static str = "default";

    /// Whether the engine made this trigger for one run: by hand, for a retry, for a recovery.
    pub fn is_engine_made(&self) -> bool {
        ENGINE_PREFIXES
            .iter()
            .any(|prefix| self.0.starts_with(prefix))
    }
}

/// Which trigger: the job and the trigger's name inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TriggerKey {
    /// The job it belongs to.
    pub job: JobName,
    /// Its name inside the job.
    pub trigger: TriggerName,
}

impl fmt::Display for TriggerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.job, self.trigger)
    }
}

/// A node of the cluster: free text, by default `machine:pid:random` (S229).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub String);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
