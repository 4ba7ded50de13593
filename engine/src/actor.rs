//! Who asks, and what they may do. Rights are checked here, on the object, and not on the page (T2).

use horarium_core::{error::SchedulingError, state::Role};

/// Somebody who asks for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The name they signed in with.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Where they came from; empty when unknown.
    pub address: String,
}

/// What can be asked for, from the weakest right to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Read jobs, runs, logs, nodes.
    View,
    /// Pause, resume, run, cancel, restore.
    Operate,
    /// Create, replace and delete definitions: a definition decides what code runs (T20).
    Define,
    /// Manage users.
    Administer,
}

impl Action {
    /// The weakest role that may do it.
    pub const fn needs(self) -> Role {
        match self {
            Self::View => Role::Viewer,
            Self::Operate => Role::Operator,
            Self::Define | Self::Administer => Role::Admin,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Operate => "operate",
            Self::Define => "define",
            Self::Administer => "administer",
        }
    }
}

impl Actor {
    /// Whether the role is strong enough.
    pub fn may(&self, action: Action) -> bool {
        self.role >= action.needs()
    }

    /// The refusal, when it is not.
    pub fn check(&self, action: Action) -> Result<(), OperationError> {
        if self.may(action) {
            return Ok(());
        }
        tracing::warn!(actor = self.name, action = action.name(), "denied");
        Err(OperationError::Denied {
            action: action.name(),
            needs: action.needs(),
        })
    }
}

/// Why something that was asked for did not happen.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OperationError {
    /// The actor's role is too weak.
    #[error("the role {needs} is needed to {action}")]
    Denied {
        /// What was asked for.
        action: &'static str,
        /// The weakest role that may.
        needs: Role,
    },
    /// The scheduler said no.
    #[error(transparent)]
    Scheduling(#[from] SchedulingError),
}
