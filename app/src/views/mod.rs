//! What the pages show: plain values, filled on the server. Every instant is formatted there.

mod code;
mod cron;
mod jobs;
mod nodes;
mod overview;
mod runs;
mod session;
mod time;

pub use code::{Change, CodeView};
pub use cron::{
    CronAsk, DaySection, FieldWords, Fire, Preview, PreviewFault, PreviewRows, Reading, Verdict,
};
pub use jobs::{
    EditTrigger, EditView, JobHead, JobPage, JobTab, JobsFilter, JobsList, NextFireRow, PauseNote,
    RESULTS, ScheduleWords, Summary, TriggerRow,
};
pub use nodes::{AuditRow, CalendarRow, NodeRow};
pub use overview::{Overview, Problem, Upcoming};
pub use runs::{LogRow, RunBrief, RunPage, RunRow, RunsFilter, RunsList};
pub use session::{Right, Session, Theme};
pub use time::Moment;
