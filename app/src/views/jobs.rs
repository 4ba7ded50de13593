//! Jobs: the list, and one job with its tabs.

use horarium_core::state::{JobOrigin, MisfirePolicy, RunStatus, ShownState};
use leptos_router::params::ParamsMap;
use serde::{Deserialize, Serialize};

use super::{CodeView, Moment, RunBrief, RunRow};
use crate::text;

/// What the address of `/jobs` asks for. Texts as they stand there; the server judges them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JobsFilter {
    /// A part of the name, type, description or a tag.
    pub q: String,
    /// A trigger state.
    pub state: String,
    /// Code, overridden or runtime.
    pub origin: String,
    /// A job type.
    pub kind: String,
    /// A tag.
    pub tag: String,
    /// How the last run ended.
    pub result: String,
    /// `name`, `next` or `last`.
    pub sort: String,
    /// From 1.
    pub page: u32,
}

impl JobsFilter {
    /// The filter in an address.
    pub fn from_params(params: &ParamsMap) -> Self {
        let get = |key: &str| params.get(key).unwrap_or_default().trim().to_owned();
        Self {
            q: get("q"),
            state: get("state"),
            origin: get("origin"),
            kind: get("type"),
            tag: get("tag"),
            result: get("result"),
            sort: get("sort"),
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
        let sort = if self.sort == "name" { "" } else { &self.sort };
        text::address(
            "/jobs",
            [
                ("q", self.q.as_str()),
                ("state", &self.state),
                ("origin", &self.origin),
                ("type", &self.kind),
                ("tag", &self.tag),
                ("result", &self.result),
                ("sort", sort),
                ("page", &page),
            ],
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

    /// The same in another order, from the first page.
    #[must_use]
    pub fn sorted(&self, sort: &str) -> Self {
        Self {
            sort: sort.to_owned(),
            page: 1,
            ..self.clone()
        }
    }

    /// Whether it leaves anything out.
    pub fn narrows(&self) -> bool {
        [
            &self.q,
            &self.state,
            &self.origin,
            &self.kind,
            &self.tag,
            &self.result,
        ]
        .iter()
        .any(|text| !text.is_empty())
    }
}

/// A page of jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobsList {
    /// The jobs of this page.
    pub rows: Vec<JobHead>,
    /// How many there are on all pages.
    pub total: i64,
    /// The registered types, for the filter.
    pub types: Vec<String>,
}

/// A job as a row and as the head of its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobHead {
    /// Its name.
    pub name: String,
    /// Where its definition came from.
    pub origin: JobOrigin,
    /// The key of its type.
    pub job_type: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// When its triggers fire.
    pub schedules: Vec<ScheduleWords>,
    /// The state that matters most among its triggers; none without triggers.
    pub state: Option<ShownState>,
    /// Why it is in that state, when it is not just waiting.
    pub reason: String,
    /// Who paused the job itself, and until when.
    pub pause: Option<PauseNote>,
    /// The next fire.
    pub next: Option<Moment>,
    /// The last finished run.
    pub last: Option<RunBrief>,
    /// The last 30 runs, oldest first.
    pub recent: Vec<RunBrief>,
    /// How many run now.
    pub running: u32,
}

/// A schedule in words and as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleWords {
    /// The trigger's name.
    pub trigger: String,
    /// The canonical text.
    pub text: String,
    /// The same as a sentence.
    pub words: String,
    /// The bare cron expression and its zone, for a link to the preview.
    pub cron: Option<(String, String)>,
}

/// Who paused something, why and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseNote {
    /// Who.
    pub by: String,
    /// When.
    pub at: Moment,
    /// Why; may be empty.
    pub reason: String,
    /// When it resumes by itself.
    pub until: Option<Moment>,
}

/// Which part of a job's page is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobTab {
    /// What it is and when it fires.
    #[default]
    Summary,
    /// Its triggers.
    Triggers,
    /// Its last runs.
    Runs,
    /// The code definition beside the running one.
    Code,
    /// The form that changes its schedule.
    Edit,
}

impl JobTab {
    /// The tabs in their order.
    pub const ALL: [Self; 5] = [
        Self::Summary,
        Self::Triggers,
        Self::Runs,
        Self::Code,
        Self::Edit,
    ];

    /// The name in the address.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Triggers => "triggers",
            Self::Runs => "runs",
            Self::Code => "code",
            Self::Edit => "edit",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Summary => "Summary",
            Self::Triggers => "Triggers",
            Self::Runs => "Runs",
            Self::Code => "Code",
            Self::Edit => "Change schedule",
        }
    }

    /// The tab named in an address; the summary for anything else.
    pub fn named(text: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|tab| tab.as_str() == text)
            .unwrap_or_default()
    }
}

/// A job's page: its head and the open tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobPage {
    /// The job.
    pub head: JobHead,
    /// Its user triggers, which the tab Triggers and the form need.
    pub triggers: Vec<TriggerRow>,
    /// Definition and next fires.
    pub summary: Option<Summary>,
    /// The last 50 runs.
    pub runs: Option<Vec<RunRow>>,
    /// How many runs there are.
    pub runs_total: i64,
    /// The code definition; none for a job made at run time.
    pub code: Option<CodeView>,
    /// The form's content.
    pub edit: Option<EditView>,
}

/// What a job is, and when it fires next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The next fires of all triggers together.
    pub next: Vec<NextFireRow>,
    /// The data as JSON, secrets masked.
    pub data: String,
    /// The retry policy in words.
    pub retry: String,
    /// The time limit in words.
    pub timeout: String,
    /// Its rules, each as a sentence.
    pub flags: Vec<String>,
    /// When it was first registered.
    pub created: Moment,
    /// When its definition last changed.
    pub updated: Moment,
    /// By whom; empty for code.
    pub updated_by: String,
}

/// One coming fire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextFireRow {
    /// The trigger.
    pub trigger: String,
    /// When.
    pub at: Moment,
    /// The local time of the trigger's own zone, when it is another one than the display zone.
    pub local: Option<Moment>,
    /// Why it will not run as things stand; empty when it will.
    pub obstacle: String,
}

/// A trigger with its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriggerRow {
    /// Its name.
    pub name: String,
    /// When it fires.
    pub schedule: ScheduleWords,
    /// Its state as people see it.
    pub state: ShownState,
    /// Why it is in that state; may be empty.
    pub reason: String,
    /// Who paused the trigger itself.
    pub pause: Option<PauseNote>,
    /// Whether the whole job is paused.
    pub job_paused: bool,
    /// The next fire.
    pub next: Option<Moment>,
    /// What happens to missed fires.
    pub misfire: MisfirePolicy,
    /// Higher runs first.
    pub priority: i32,
    /// The exclusion calendar; may be empty.
    pub calendar: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Its own data as JSON, secrets masked; empty without any.
    pub data: String,
    /// How often its schedule has made a run.
    pub fired: u32,
}

/// What the form that changes a schedule starts with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditView {
    /// The description.
    pub description: String,
    /// The triggers.
    pub triggers: Vec<EditTrigger>,
    /// The registered calendars, for the hint.
    pub calendars: Vec<String>,
}

/// One trigger in the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditTrigger {
    /// Its name.
    pub name: String,
    /// The schedule's text.
    pub schedule: String,
    /// The misfire policy.
    pub misfire: MisfirePolicy,
    /// The priority.
    pub priority: i32,
}

/// The choices of the filter over a job's last result.
pub const RESULTS: [RunStatus; 4] = [
    RunStatus::Succeeded,
    RunStatus::Failed,
    RunStatus::Canceled,
    RunStatus::Lost,
];
