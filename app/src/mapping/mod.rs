//! From the engine's records to what the pages show. Only on the server.

mod code;
mod coming;
mod data;
mod job;
mod jobs;
mod lists;
mod overview;
mod preview;
mod runs;
mod schedule;
mod time;

pub(crate) use data::{pause_request, trigger_request};
pub(crate) use job::job;
pub(crate) use jobs::jobs;
pub(crate) use lists::{audit, calendars, nodes};
pub(crate) use overview::overview;
pub(crate) use preview::preview;
pub(crate) use runs::{run, run_id, runs};
pub(crate) use schedule::change_schedule;
pub(crate) use time::{Clockface, decode_cookie, wall_clock_ms};
