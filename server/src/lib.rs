//! The Horarium product: configuration, accounts, HTTP, command line, built-in job types, and the way to embed it all.
//!
//! A Rust program can run the scheduler with its own jobs and mount the console:
//!
//! ```no_run
//! use horarium::{Horarium, Outcome, job_fn};
//!
//! # async fn example() -> Result<(), horarium::StartError> {
//! let horarium = Horarium::builder()
//!     .data("/var/lib/reports")
//!     .job("reports.nightly", "cron 0 0 6 * * MON-FRI tz=Europe/Zurich", job_fn(|run| async move {
//!         run.log.line("info", "making the report");
//!         Outcome::Succeeded(None)
//!     }))
//!     .build()
//!     .await?;
//! horarium.run().await
//! # }
//! ```

pub mod accounts;
pub mod address;
mod builder;
pub mod cli;
pub mod config;
pub mod http;
pub mod job_types;
pub mod metrics;
mod running;
mod signals;
pub mod site;
mod start_error;
mod stores;

pub use builder::HorariumBuilder;
pub use horarium_core::{
    calendar::Calendar,
    job::{JobDefinition, TriggerDefinition},
    names::{CalendarName, JobName, TriggerName},
    retry::RetryPolicy,
    schedule::Schedule,
    state::MisfirePolicy,
};
pub use horarium_engine::{
    clock::{Clock, ManualClock, SystemClock},
    job::{Job, Outcome, RunContext, job_fn},
    scheduler::Scheduler,
};
pub use running::Horarium;
pub use start_error::StartError;
