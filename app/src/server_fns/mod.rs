//! What the pages ask of the server. Each function takes the scheduler that acts for the reader, calls it once, and
//! translates; rights are checked by the engine. Whatever changes something takes a POST.

mod cron;
mod jobs;
mod nodes;
mod overview;
mod runs;
mod schedule;
mod triggers;

pub use cron::{PreviewSchedule, ZoneNames, preview_schedule, zone_names};
pub use jobs::{
    EnqueueJob, ListJobs, OpenJob, PauseJob, RestoreJob, ResumeJob, RunJob, enqueue_job, list_jobs,
    open_job, pause_job, restore_job, resume_job, run_job,
};
pub use nodes::{ListAudit, ListCalendars, ListNodes, list_audit, list_calendars, list_nodes};
pub use overview::{ReadOverview, read_overview};
pub use runs::{CancelRun, ListRuns, OpenRun, cancel_run, list_runs, open_run};
pub use schedule::{ScheduleJob, TriggerChange, schedule_job};
pub use triggers::{PauseTrigger, ResumeTrigger, pause_trigger, resume_trigger};

use leptos::server_fn::ServerFn;

use crate::views::Right;

/// Does the work of a server function. A refusal gets the status of its code; a plain form is sent back to its page
/// instead, and the page says what is wrong.
#[cfg(feature = "ssr")]
async fn call<T>(
    work: impl Future<Output = Result<T, crate::error::AppError>>,
) -> Result<T, crate::error::AppError> {
    let result = work.await;
    if let Err(error) = &result
        && !crate::contexts::wants_page()
    {
        crate::components::set_status(crate::text::status(&error.code));
    }
    result
}

/// The address of every server function with the right it takes, for the test that all of them deny.
pub fn endpoints() -> Vec<(&'static str, Right)> {
    vec![
        (ReadOverview::PATH, Right::View),
        (ListJobs::PATH, Right::View),
        (OpenJob::PATH, Right::View),
        (ListRuns::PATH, Right::View),
        (OpenRun::PATH, Right::View),
        (PreviewSchedule::PATH, Right::View),
        (ZoneNames::PATH, Right::View),
        (ListNodes::PATH, Right::View),
        (ListCalendars::PATH, Right::View),
        (ListAudit::PATH, Right::View),
        (PauseJob::PATH, Right::Operate),
        (ResumeJob::PATH, Right::Operate),
        (RunJob::PATH, Right::Operate),
        (EnqueueJob::PATH, Right::Operate),
        (RestoreJob::PATH, Right::Operate),
        (PauseTrigger::PATH, Right::Operate),
        (ResumeTrigger::PATH, Right::Operate),
        (CancelRun::PATH, Right::Operate),
        (ScheduleJob::PATH, Right::Define),
    ]
}
