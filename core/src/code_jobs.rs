//! What the start does with a code job that the store may know already (S152–S160).

use crate::{fingerprint::fingerprint, job::JobDefinition, record::JobRecord, state::JobOrigin};

/// What to do with one code definition at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// The store holds exactly this.
    Unchanged,
    /// An override of this very code: keep it (S155).
    KeepOverride,
    /// Write the code definition (S156).
    Write {
        /// A change made at run time is lost by it: say so once.
        replaces_override: bool,
    },
}

/// Decides over one code job (S155, S156).
pub fn decide(code: &JobDefinition, stored: Option<&JobRecord>) -> Sync {
    let Some(stored) = stored else {
        return Sync::Write {
            replaces_override: false,
        };
    };
    let same = stored.fingerprint.as_deref() == Some(fingerprint(code).as_str());
    match stored.origin {
        JobOrigin::Overridden if same => Sync::KeepOverride,
        JobOrigin::Code if same => Sync::Unchanged,
        JobOrigin::Code => Sync::Write {
            replaces_override: false,
        },
        JobOrigin::Overridden | JobOrigin::Runtime => Sync::Write {
            replaces_override: true,
        },
    }
}
