//! The pages: one module for each address.

mod audit;
mod calendars;
mod cron;
mod job;
mod jobs;
mod loaded;
mod nodes;
mod not_found;
mod overview;
mod run;
mod runs;
mod setup;
mod sign_in;

pub use audit::AuditPage;
pub use calendars::CalendarsPage;
pub use cron::CronPage;
pub use job::JobPage;
pub use jobs::JobsPage;
pub use loaded::Loaded;
pub use nodes::NodesPage;
pub use not_found::NotFoundPage;
pub use overview::OverviewPage;
pub use run::RunPage;
pub use runs::RunsPage;
pub use setup::SetupPage;
pub use sign_in::SignInPage;

/// Rows on a page of the list of jobs.
pub const JOBS_PAGE_SIZE: u32 = 50;
/// Rows on a page of the history.
pub const RUNS_PAGE_SIZE: u32 = 50;
