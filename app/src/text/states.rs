//! States, causes and policies in words.

use horarium_core::state::{
    CompleteReason, JobOrigin, MisfirePolicy, Role, RunCause, RunStatus, ShownState,
};

/// The state of a trigger or job.
pub fn shown_state(state: ShownState) -> &'static str {
    match state {
        ShownState::Waiting => "Waiting",
        ShownState::Paused => "Paused",
        ShownState::Acquired => "Acquired",
        ShownState::Blocked => "Blocked",
        ShownState::Complete => "Complete",
        ShownState::Error => "Error",
    }
}

/// What the state means, for a tooltip.
pub fn state_hint(state: ShownState) -> &'static str {
    match state {
        ShownState::Waiting => "Waits for its next fire.",
        ShownState::Paused => "Does not fire until it is resumed. Run now still works.",
        ShownState::Acquired => "Taken by a node; its run goes on.",
        ShownState::Blocked => {
            "Due, but the job allows one run at a time and the last one still runs."
        }
        ShownState::Complete => "Has no next fire.",
        ShownState::Error => "Cannot run; the reason stands beside it.",
    }
}

/// The state of a run.
pub fn run_status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Pending => "Pending",
        RunStatus::Running => "Running",
        RunStatus::Succeeded => "Succeeded",
        RunStatus::Failed => "Failed",
        RunStatus::Canceled => "Canceled",
        RunStatus::Lost => "Lost",
    }
}

/// Where a run came from.
pub fn cause(cause: RunCause) -> &'static str {
    match cause {
        RunCause::Schedule => "Schedule",
        RunCause::Manual => "By hand",
        RunCause::Recovery => "Recovery",
        RunCause::Retry => "Retry",
    }
}

/// Where a job's definition came from.
pub fn origin(origin: JobOrigin) -> &'static str {
    match origin {
        JobOrigin::Code => "code",
        JobOrigin::Overridden => "overridden",
        JobOrigin::Runtime => "runtime",
    }
}

/// What the origin means, for a tooltip.
pub fn origin_hint(origin: JobOrigin) -> &'static str {
    match origin {
        JobOrigin::Code => "Defined in code or in the configuration file.",
        JobOrigin::Overridden => {
            "Defined in code, changed at run time. The change stays while the code is unchanged."
        }
        JobOrigin::Runtime => "Made at run time; no code stands behind it.",
    }
}

/// A misfire policy by name.
pub fn misfire(policy: MisfirePolicy) -> &'static str {
    match policy {
        MisfirePolicy::RunOnce => "Run once",
        MisfirePolicy::Skip => "Skip",
        MisfirePolicy::RunAll => "Run all",
    }
}

/// What a misfire policy does with fires that were missed, as the end of "Missed fires …".
pub fn misfire_effect(policy: MisfirePolicy) -> &'static str {
    match policy {
        MisfirePolicy::RunOnce => "are made up for by one run, at once",
        MisfirePolicy::Skip => "are passed over; the next fire is the next planned one",
        MisfirePolicy::RunAll => "are all run, one after the other",
    }
}

/// Why a trigger has no next fire.
pub fn complete_reason(reason: CompleteReason) -> &'static str {
    match reason {
        CompleteReason::Done => "everything it was to do has run",
        CompleteReason::Ended => "its validity period is over",
        CompleteReason::NoNextFire => "no instant matches, or none within five years",
        CompleteReason::CalendarExhausted => "its calendar excludes everything",
        CompleteReason::Excluded => "its one instant is excluded by the calendar",
        CompleteReason::MisfireSkipped => "its one instant was missed, and the policy is to skip",
    }
}

/// What a role may do.
pub fn right(role: Role) -> &'static str {
    match role {
        Role::Viewer => "sees everything, changes nothing",
        Role::Operator => "pauses, resumes, runs, cancels and restores",
        Role::Admin => "also changes definitions and manages users",
    }
}
