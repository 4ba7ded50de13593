//! The closed sets of states and choices, with the text under which they are stored and shown.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A text that names no member of a closed set (S7).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not one of {allowed}")]
pub struct UnknownText {
    /// The text as it was read.
    pub text: String,
    /// The texts that would do, separated by commas.
    pub allowed: String,
}

macro_rules! closed_set {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every member, in the order of their definition.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The text under which it is stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownText;
            fn from_str(text: &str) -> Result<Self, UnknownText> {
                Self::ALL.iter().copied().find(|m| m.as_str() == text).ok_or_else(|| UnknownText {
                    text: text.to_owned(),
                    allowed: [$($text),+].join(", "),
                })
            }
        }
    };
}

closed_set!(
    /// The stored state of a trigger; pause is kept beside it in two flags (A25).
    TriggerState {
        /// Waiting to come due (S185).
        Waiting = "waiting",
        /// Begun by a node; an `every` trigger stays here until its run ends (S187).
        Acquired = "acquired",
        /// Due, but the job forbids concurrency and its last run is unfinished (S188).
        Blocked = "blocked",
        /// Has no next fire (S189).
        Complete = "complete",
        /// Cannot run; the reason stands beside it (S190).
        Error = "error",
    }
);

closed_set!(
    /// The state of a trigger as people see it, with the pause flags taken in (A25).
    ShownState {
        /// Waiting to come due.
        Waiting = "waiting",
        /// The job or the trigger is paused.
        Paused = "paused",
        /// Its run goes on.
        Acquired = "acquired",
        /// Waits for the job's running run to end.
        Blocked = "blocked",
        /// Has no next fire.
        Complete = "complete",
        /// Cannot run.
        Error = "error",
    }
);

impl ShownState {
    /// The order of A25: Complete, Error, Acquired, Paused, Blocked, Waiting.
    pub const fn of(state: TriggerState, paused: bool) -> Self {
        match (state, paused) {
            (TriggerState::Complete, _) => Self::Complete,
            (TriggerState::Error, _) => Self::Error,
            (TriggerState::Acquired, _) => Self::Acquired,
            (_, true) => Self::Paused,
            (TriggerState::Blocked, false) => Self::Blocked,
            (TriggerState::Waiting, false) => Self::Waiting,
        }
    }
}

closed_set!(
    /// What became of a run (A57).
    RunStatus {
        /// Recorded, not yet started.
        Pending = "pending",
        /// Started and not finished.
        Running = "running",
        /// Finished as wished.
        Succeeded = "succeeded",
        /// Finished with an error, or over its time limit.
        Failed = "failed",
        /// Ended by a request or by the host's stop.
        Canceled = "canceled",
        /// Its node vanished.
        Lost = "lost",
    }
);

impl RunStatus {
    /// Whether the run has ended; an ended run never changes again.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }
}

closed_set!(
    /// Where a run came from (S7).
    RunCause {
        /// A trigger fell due.
        Schedule = "schedule",
        /// Somebody asked for it.
        Manual = "manual",
        /// Another run was lost with its node.
        Recovery = "recovery",
        /// Another run of the same chain failed.
        Retry = "retry",
    }
);

closed_set!(
    /// Where the definition of a job came from (S152, S159).
    JobOrigin {
        /// Registered in code or in the configuration file.
        Code = "code",
        /// A code job that was changed at run time.
        Overridden = "overridden",
        /// Made at run time.
        Runtime = "runtime",
    }
);

closed_set!(
    /// What to do with fires that are more than the threshold late (S93–S95).
    #[derive(Default)]
    MisfirePolicy {
        /// Run once now, then go on from now.
        #[default]
        RunOnce = "run-once",
        /// Do not catch up.
        Skip = "skip",
        /// Replay every missed instant, one per tick of the poll interval.
        RunAll = "run-all",
    }
);

closed_set!(
    /// How the wait between retries grows (S114).
    Backoff {
        /// Always the same wait.
        Fixed = "fixed",
        /// Doubled from retry to retry, up to the cap.
        Exponential = "exponential",
    }
);

closed_set!(
    /// Why a trigger has no next fire (S189).
    CompleteReason {
        /// Its one instant, or the whole count, has run.
        Done = "done",
        /// The validity period is over (S46).
        Ended = "ended",
        /// No instant can ever match, or none within five years (S77).
        NoNextFire = "no_next_fire",
        /// The calendar leaves nothing (S82).
        CalendarExhausted = "calendar_exhausted",
        /// The one instant was excluded (A17).
        Excluded = "excluded",
        /// The one instant was missed and the policy says skip (A16).
        MisfireSkipped = "misfire_skipped",
    }
);

closed_set!(
    /// Why a run's cancellation token was cancelled (S125).
    CancelReason {
        /// Somebody asked for it.
        Request = "request",
        /// The time limit passed.
        Timeout = "timeout",
        /// The host is stopping.
        Shutdown = "shutdown",
        /// The run belongs to another node by now.
        Fenced = "fenced",
    }
);

closed_set!(
    /// The verdict of the fire ledger over a range of nominal instants.
    FireVerdict {
        /// A run carries the instant.
        Fired = "fired",
        /// Folded into the one run after an outage.
        Merged = "merged",
        /// Not run: the misfire policy says skip.
        Skipped = "skipped",
        /// Not run: skipped by hand.
        SkippedByHand = "skipped_by_hand",
        /// Not run: excluded by a calendar.
        Excluded = "excluded",
        /// Not run: the validity period was over, or the trigger was deleted.
        Expired = "expired",
        /// Not run: another definition took over.
        Superseded = "superseded",
        /// Not run: a local job was still running (S104).
        Overrun = "overrun",
    }
);

closed_set!(
    /// What a user may do (threat T2).
    Role {
        /// Sees everything, changes nothing.
        Viewer = "viewer",
        /// Pauses, resumes, runs, cancels, restores.
        Operator = "operator",
        /// Also manages users and definitions.
        Admin = "admin",
    }
);
