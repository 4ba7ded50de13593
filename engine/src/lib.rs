//! The scheduler of Horarium: loop, dispatch, stores and elections.
//!
//! It knows nothing of HTTP or pages and reads no environment variable. Rules are in `horarium-core`; what happens next
//! is decided here; rows are kept by a [`store::JobStore`].

pub mod acting;
pub mod actor;
pub mod clock;
pub mod config;
pub mod dispatch;
pub mod engine;
mod events;
mod finish;
pub mod job;
pub mod leader;
pub mod observer;
mod plan;
pub mod run_log;
pub mod scheduler;
mod shared;
pub mod store;
