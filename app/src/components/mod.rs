//! What the pages are made of. Nothing here has an address or calls a server function.

mod action_button;
mod alert;
mod badge;
mod copy;
mod empty;
mod field;
mod frame;
mod history_bar;
mod mark;
mod moment;
mod pager;
mod problem;
mod run_table;
mod schedule_text;
mod section;
mod text_area;

pub use action_button::{ActionButton, ButtonLook, Submit, use_busy};
pub use alert::{ActionAlert, Alert, Tone};
pub use badge::{OriginBadge, RunBadge, StateBadge, Tag};
pub use copy::CopyText;
pub use empty::Empty;
pub use field::{Choice, SelectField, TextField, options, submit_on_choice};
pub use frame::Frame;
pub use history_bar::{HistoryBar, history_svg};
pub use mark::{Mark, MarkShape};
pub use moment::{Elapsed, Relative, Time, TimeOf};
pub use pager::Pager;
pub use problem::ProblemPage;
#[cfg(feature = "ssr")]
pub(crate) use problem::set_status;
pub use run_table::RunTable;
pub use schedule_text::{CaretText, ScheduleLine};
pub use section::{Fact, Facts, PageHead, Section};
pub use text_area::{TextArea, escape_text};
