//! Runs: the list, one line of it, and one run in full.

use horarium_core::state::{RunCause, RunStatus};
use leptos_router::params::ParamsMap;
use serde::{Deserialize, Serialize};

use super::Moment;
use crate::text;

/// What the address of `/runs` asks for. Texts as they stand there; the server judges them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunsFilter {
    /// A job's name.
    pub job: String,
    /// States; none means any.
    pub status: Vec<String>,
    /// Planned at or after: local time of the display zone, an instant, `-24h`, or `all`.
    pub from: String,
    /// Planned before: local time or an instant.
    pub to: String,
    /// A trigger's name.
    pub trigger: String,
    /// A node's id.
    pub node: String,
    /// `yes` or `no`.
    pub error: String,
    /// A cause.
    pub cause: String,
    /// From 1.
    pub page: u32,
}

impl RunsFilter {
    /// The window of a filter that names none.
    pub const DEFAULT_WINDOW: &'static str = "-24h";

    /// The windows offered as links: value in the address, and name.
    pub const WINDOWS: [(&'static str, &'static str); 4] = [
        ("-1h", "1 h"),
        ("-24h", "24 h"),
        ("-7d", "7 days"),
        ("all", "All time"),
    ];

    /// The filter in an address.
    pub fn from_params(params: &ParamsMap) -> Self {
        let get = |key: &str| params.get(key).unwrap_or_default().trim().to_owned();
        let mut status = params.get_all("status").unwrap_or_default();
        status.retain(|text| !text.is_empty());
        Self {
            job: get("job"),
            status,
            from: get("from"),
            to: get("to"),
            trigger: get("trigger"),
            node: get("node"),
            error: get("error"),
            cause: get("cause"),
            page: get("page").parse().unwrap_or(1).max(1),
        }
    }

    /// The address of the filter.
    pub fn address(&self) -> String {
        let page = if self.page > 1 {
            self.page.to_string()
        } else {
            String::new()
        };
        let statuses = self.status.iter().map(|s| ("status", s.as_str()));
        let rest = [
            ("from", self.from.as_str()),
            ("to", &self.to),
            ("trigger", &self.trigger),
            ("node", &self.node),
            ("error", &self.error),
            ("cause", &self.cause),
            ("page", &page),
        ];
        text::address(
            "/runs",
            std::iter::once(("job", self.job.as_str()))
                .chain(statuses)
                .chain(rest),
        )
    }

    /// The same on another page.
    #[must_use]
    pub fn on_page(&self, page: u32) -> Self {
        Self {
            page,
            ..self.clone()
        }
    }

    /// The same over another window that ends now.
    #[must_use]
    pub fn over(&self, window: &str) -> Self {
        Self {
            from: window.to_owned(),
            to: String::new(),
            page: 1,
            ..self.clone()
        }
    }

    /// Whether it narrows by more than the window.
    pub fn narrows(&self) -> bool {
        !self.status.is_empty()
            || [
                &self.job,
                &self.trigger,
                &self.node,
                &self.error,
                &self.cause,
            ]
            .iter()
            .any(|text| !text.is_empty())
    }
}

/// A page of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunsList {
    /// The runs of this page.
    pub rows: Vec<RunRow>,
    /// How many there are on all pages.
    pub total: i64,
    /// Where the window starts; open when none.
    pub from: Option<Moment>,
    /// Where the window ends; open when none.
    pub to: Option<Moment>,
}

/// A run as one bar of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunBrief {
    /// Its id.
    pub id: String,
    /// Its state.
    pub status: RunStatus,
    /// When it was planned.
    pub scheduled: Moment,
    /// How long it took, or takes until now.
    pub duration_ms: Option<i64>,
}

/// A run as a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    /// Its id.
    pub id: String,
    /// The job.
    pub job: String,
    /// The trigger, or the one behind an engine-made trigger; empty for a run by hand.
    pub trigger: String,
    /// Its state.
    pub status: RunStatus,
    /// Where it came from.
    pub cause: RunCause,
    /// 1 for a first run.
    pub attempt: u32,
    /// When it was planned.
    pub scheduled: Moment,
    /// When the job's code began.
    pub started: Option<Moment>,
    /// When it ended.
    pub finished: Option<Moment>,
    /// From planned to started.
    pub lateness_ms: Option<i64>,
    /// From started to the end.
    pub duration_ms: Option<i64>,
    /// The node.
    pub node: String,
    /// The error's code; empty without one.
    pub error_code: String,
    /// The first line of the error.
    pub error: String,
}

/// A run in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPage {
    /// The run as a row.
    pub row: RunRow,
    /// When it was handed to the node's runner.
    pub dispatched: Moment,
    /// The instant in the ledger, when it is not the planned one.
    pub nominal: Option<Moment>,
    /// From dispatched to started.
    pub queued_ms: Option<i64>,
    /// The merged data as JSON, secrets masked.
    pub data: String,
    /// What the job answered.
    pub result: Option<String>,
    /// What went wrong, in full.
    pub error: Option<String>,
    /// Why it was asked to stop, as words; empty when it was not.
    pub cancel: String,
    /// Who asked for it, or asked to stop it.
    pub requested_by: String,
    /// What arrived after it had been given up.
    pub late_result: Option<String>,
    /// The fencing token.
    pub token: i64,
    /// The lost run it stands in for.
    pub recovered_from: Option<String>,
    /// All runs of its chain, oldest first.
    pub chain: Vec<RunRow>,
    /// Its log, from the start.
    pub log: Vec<LogRow>,
    /// Whether there is more log than shown.
    pub log_cut: bool,
    /// Whether the job still exists.
    pub job_exists: bool,
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRow {
    /// Its number.
    pub number: i64,
    /// The local time of day, with milliseconds.
    pub time: String,
    /// The instant, for a tooltip.
    pub iso: String,
    /// Its level.
    pub level: String,
    /// The text.
    pub text: String,
}
