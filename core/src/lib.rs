//! The rules and records of Horarium: pure functions and plain values, without I/O, clock or async.
//!
//! Everything here can be tested with arguments alone. The feature `zones` (on for native builds) brings
//! what needs an instant or a time zone; without it the browser gets names, states and error codes.

pub mod code;
pub mod names;
pub mod state;

#[cfg(feature = "zones")]
pub mod audit;
#[cfg(feature = "zones")]
pub mod calendar;
#[cfg(feature = "zones")]
pub mod civil;
#[cfg(feature = "zones")]
pub mod code_jobs;
#[cfg(feature = "zones")]
pub mod cron;
#[cfg(feature = "zones")]
pub mod data;
#[cfg(feature = "zones")]
pub mod describe;
#[cfg(feature = "zones")]
pub mod error;
#[cfg(feature = "zones")]
pub mod fingerprint;
#[cfg(feature = "zones")]
pub mod fires;
#[cfg(feature = "zones")]
pub mod interval;
#[cfg(feature = "zones")]
pub mod job;
#[cfg(feature = "zones")]
pub mod misfire;
#[cfg(feature = "zones")]
pub mod query;
#[cfg(feature = "zones")]
pub mod record;
#[cfg(feature = "zones")]
pub mod retry;
#[cfg(feature = "zones")]
pub mod run_id;
#[cfg(feature = "zones")]
pub mod schedule;
#[cfg(feature = "zones")]
pub mod warnings;
#[cfg(feature = "zones")]
pub mod window;
#[cfg(feature = "zones")]
pub mod zone;
