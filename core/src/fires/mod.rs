//! When a schedule fires. This is the one place that decides it: the engine, the preview, the
//! answer to "why did it not run?", the forecast and the comparison of two schedules all ask here.

mod next;
mod source;
mod walk;

use chrono::{DateTime, Utc};

use crate::calendar::Calendars;
use crate::civil::LocalTime;
use crate::names::CalendarName;
use crate::schedule::Schedule;
pub use next::{
    NextFire, NoFire, latest_at_or_before, next_fire, next_n, previous_n, runs_between,
};
pub use walk::Fires;

/// Why a candidate runs or does not run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It runs.
    Runs,
    /// The calendar excludes it.
    Excluded(CalendarName),
    /// The zone's clock jumps over this local time; `at` is the instant of the jump.
    DoesNotExist,
    /// The local time is shown a second time, and the rule runs at the first.
    SecondOccurrence,
    /// The local time will be shown a second time, and the rule runs then (`overlap=second`).
    FirstOccurrence,
    /// Before the schedule's start.
    BeforeStart,
    /// After the schedule's end.
    AfterEnd,
}

/// An instant a schedule names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The instant.
    pub at: DateTime<Utc>,
    /// What the schedule's wall clock shows; for a local time that does not exist, that time with
    /// the offset before the jump. Schedules without a zone show UTC.
    pub local: LocalTime,
    /// Whether it runs.
    pub verdict: Verdict,
}

/// Which candidates are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// All, except that before the start and after the end only the nearest one is given.
    #[default]
    Every,
    /// Those that run, and the first of every row that does not for the same reason.
    Brief,
    /// Only those that run.
    Runs,
}

/// What a list of fires should hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct FireOptions {
    /// Which candidates.
    pub detail: Detail,
    /// Last instant of interest, inclusive, in the direction of the walk.
    pub until: Option<DateTime<Utc>>,
    /// For `every`: the finish of the previous run or the creation. Without it, forwards, the
    /// beginning of the list; backwards there are no candidates then. Runs are taken to last no time.
    pub base: Option<DateTime<Utc>>,
}

impl FireOptions {
    /// Only the candidates that run.
    pub fn runs() -> FireOptions {
        FireOptions {
            detail: Detail::Runs,
            ..FireOptions::default()
        }
    }
}

/// Candidates strictly after `from`, in ascending order of instant and local time, found lazily.
pub fn fires<'a>(
    schedule: &'a Schedule,
    calendars: &'a Calendars,
    from: DateTime<Utc>,
    options: FireOptions,
) -> Fires<'a> {
    Fires::new(schedule, calendars, from, options, true)
}

/// Candidates strictly before `from`, in descending order: the mirror image of [`fires`].
pub fn fires_before<'a>(
    schedule: &'a Schedule,
    calendars: &'a Calendars,
    from: DateTime<Utc>,
    options: FireOptions,
) -> Fires<'a> {
    Fires::new(schedule, calendars, from, options, false)
}
