//! The preview of a schedule.

use leptos_router::params::ParamsMap;
use serde::{Deserialize, Serialize};

use super::Moment;
use crate::text;

/// What the address of `/cron` asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CronAsk {
    /// A bare cron expression or a whole schedule text.
    pub expr: String,
    /// The zone of a bare expression.
    pub tz: String,
    /// Whose rules read it.
    pub dialect: String,
    /// From when on; empty means now.
    pub from: String,
    /// How many fires.
    pub count: u32,
    /// An exclusion calendar.
    pub calendar: String,
}

impl CronAsk {
    /// How many fires are shown when the address says nothing.
    pub const COUNT: u32 = 20;
    /// The most that are shown.
    pub const MOST: u32 = 200;

    /// The question in an address.
    pub fn from_params(params: &ParamsMap) -> Self {
        let get = |key: &str| params.get(key).unwrap_or_default().trim().to_owned();
        Self {
            expr: get("expr"),
            tz: get("tz"),
            dialect: get("dialect"),
            from: get("from"),
            count: get("count")
                .parse()
                .unwrap_or(Self::COUNT)
                .clamp(1, Self::MOST),
            calendar: get("calendar"),
        }
    }

    /// The address of the question.
    pub fn address(&self) -> String {
        let count = match self.count {
            0 | Self::COUNT => String::new(),
            n => n.to_string(),
        };
        let dialect = match self.dialect.as_str() {
            "horarium" => "",
            other => other,
        };
        text::address(
            "/cron",
            [
                ("expr", self.expr.as_str()),
                ("tz", &self.tz),
                ("dialect", dialect),
                ("from", &self.from),
                ("count", &count),
                ("calendar", &self.calendar),
            ],
        )
    }

    /// The same in another dialect.
    #[must_use]
    pub fn read_as(&self, dialect: &str) -> Self {
        Self {
            dialect: dialect.to_owned(),
            ..self.clone()
        }
    }

    /// The same for another text.
    #[must_use]
    pub fn for_text(&self, expr: &str) -> Self {
        Self {
            expr: expr.to_owned(),
            ..self.clone()
        }
    }

    /// The same with more fires.
    #[must_use]
    pub fn with_count(&self, count: u32) -> Self {
        Self {
            count: count.min(Self::MOST),
            ..self.clone()
        }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// The same text as each dialect reads it; empty for a whole schedule text.
    pub readings: Vec<Reading>,
    /// What is wrong, or what comes.
    pub outcome: Result<PreviewRows, Box<PreviewFault>>,
    /// The registered calendars, for the select.
    pub calendars: Vec<String>,
}

/// A text as one dialect reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The dialect's name in addresses.
    pub dialect: String,
    /// Its name for people.
    pub title: String,
    /// The sentence, or why it cannot read the text.
    pub words: Result<String, String>,
    /// The first three fires.
    pub next: Vec<String>,
    /// Whether its fires differ from those of the chosen dialect.
    pub differs: bool,
    /// The same rule written for Horarium, when it is written differently there.
    pub horarium: Option<String>,
}

/// Why there is no preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewFault {
    /// The field of the form: `expr`, `tz`, `from` or `calendar`.
    pub field: String,
    /// The text that is wrong.
    pub text: String,
    /// First wrong byte and the one after the last.
    pub at: Option<(usize, usize)>,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What would be right here; may be empty.
    pub allowed: String,
    /// The whole text put right, when there is one clear way.
    pub suggestions: Vec<String>,
}

/// What a schedule does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreviewRows {
    /// The schedule as a sentence.
    pub sentence: String,
    /// Each field of a cron expression, in words.
    pub fields: Vec<FieldWords>,
    /// What deserves a second look.
    pub warnings: Vec<String>,
    /// The fires by day of the planned local time.
    pub days: Vec<DaySection>,
    /// How many of the rows run.
    pub running: usize,
    /// Why there are no more fires; empty when there are.
    pub end: String,
    /// How dense the fires are: name and value.
    pub density: Vec<(String, String)>,
    /// The zone of the planned local times.
    pub zone: String,
    /// The display zone; the same as `zone` when there is nothing to compare.
    pub display_zone: String,
    /// The canonical text of the whole schedule.
    pub canonical: String,
    /// The command line that answers the same.
    pub cli: String,
}

/// One field of a cron expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldWords {
    /// What the field is called.
    pub name: String,
    /// As written.
    pub text: String,
    /// What it means.
    pub words: String,
}

/// The fires of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaySection {
    /// `Monday, 30 November 2026`.
    pub title: String,
    /// A note on the day, for instance a clock change; may be empty.
    pub note: String,
    /// The fires.
    pub fires: Vec<Fire>,
}

/// One nominal instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fire {
    /// The planned local time, `02:30:00`.
    pub local: String,
    /// The zone's label and offset there; empty for a time that does not exist.
    pub offset: String,
    /// The instant in the display zone; none for a time that does not exist.
    pub at: Option<Moment>,
    /// The time since the fire before.
    pub gap: String,
    /// What becomes of it.
    pub verdict: Verdict,
    /// The verdict in words; empty when it runs.
    pub reason: String,
}

/// What becomes of a nominal instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// A run.
    Runs,
    /// The local time does not exist on that day.
    Missing,
    /// The clock shows it a second time.
    Second,
    /// A calendar excludes it.
    Excluded,
    /// Outside the validity period.
    Outside,
}
