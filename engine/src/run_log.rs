//! The logs of runs: what a job writes, and what it logs with `tracing` inside its span, kept with the run and bounded.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use horarium_core::{error::Result, record::LogLine, run_id::RunId};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use crate::{clock::Clock, store::JobStore};

/// The name of the span around a run; its field `run_id` names the run (S11).
pub const SPAN: &str = "run";
/// The longest line kept, in bytes.
const MAX_LINE: usize = 8 * 1024;
/// The most lines that wait to be written, over all runs; more are dropped and counted.
const MAX_WAITING: usize = 50_000;

/// Collects the lines of all runs on this node until they are written to the store.
pub struct RunLogs {
    clock: Arc<dyn Clock>,
    lines_per_run: i64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    written: HashMap<RunId, i64>,
    waiting: Vec<(RunId, LogLine)>,
}

impl RunLogs {
    /// Logs that keep so many lines of each run.
    pub fn new(clock: Arc<dyn Clock>, lines_per_run: u32) -> Arc<Self> {
        Arc::new(Self {
            clock,
            lines_per_run: lines_per_run.into(),
            state: Mutex::default(),
        })
    }

    /// The log of one run that begins.
    pub fn open(self: &Arc<Self>, run: RunId) -> RunLog {
        self.lock().written.insert(run, 0);
        RunLog {
            run,
            logs: Arc::clone(self),
        }
    }

    /// Forgets a run that ended; its waiting lines are still written.
    pub fn close(&self, run: RunId) {
        self.lock().written.remove(&run);
    }

    /// Writes what waits. On failure the lines wait on.
    pub async fn flush(&self, store: &dyn JobStore) -> Result<()> {
        let lines = std::mem::take(&mut self.lock().waiting);
        if lines.is_empty() {
            return Ok(());
        }
        let written = store.run_log_append(&lines).await;
        if written.is_err() {
            let mut state = self.lock();
            let newer = std::mem::replace(&mut state.waiting, lines);
            let room = MAX_WAITING.saturating_sub(state.waiting.len());
            state.waiting.extend(newer.into_iter().take(room));
        }
        written
    }

    fn add(&self, run: RunId, level: &str, text: &str) {
        let at = self.clock.now();
        let mut state = self.lock();
        let full = state.waiting.len() >= MAX_WAITING;
        let Some(written) = state.written.get_mut(&run) else {
            return;
        };
        if *written > self.lines_per_run || full {
            return;
        }
        *written += 1;
        let number = *written;
        let line = if number > self.lines_per_run {
            let text = format!(
                "the log ends here: it keeps {} lines of a run",
                self.lines_per_run
            );
            LogLine {
                number,
                at,
                level: "warn".to_owned(),
                text,
            }
        } else {
            LogLine {
                number,
                at,
                level: level.to_owned(),
                text: bounded(text),
            }
        };
        state.waiting.push((run, line));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bounded(text: &str) -> String {
    if text.len() <= MAX_LINE {
        return text.to_owned();
    }
    let mut end = MAX_LINE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{} … ({} bytes)", &text[..end], text.len())
}

/// The log of one run.
#[derive(Clone)]
pub struct RunLog {
    run: RunId,
    logs: Arc<RunLogs>,
}

impl RunLog {
    /// Adds text, each of its lines apart. Levels: `error`, `warn`, `info`, `debug`, `trace`, `stdout`, `stderr`.
    pub fn line(&self, level: &str, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            self.logs.add(self.run, level, line);
        }
    }
}

impl std::fmt::Debug for RunLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunLog")
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

/// A `tracing` layer that copies what is logged inside a run's span into the run's log.
pub struct RunLogLayer(pub Arc<RunLogs>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for RunLogLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().name() != SPAN {
            return;
        }
        let mut found = FindRun(None);
        attributes.record(&mut found);
        if let (Some(run), Some(span)) = (found.0, context.span(id)) {
            span.extensions_mut().insert(run);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let run = context
            .event_scope(event)
            .and_then(|mut scope| scope.find_map(|span| span.extensions().get::<RunId>().copied()));
        let Some(run) = run else {
            return;
        };
        let mut text = Text::default();
        event.record(&mut text);
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        self.0.add(run, &level, &text.finish());
    }
}

struct FindRun(Option<RunId>);

impl Visit for FindRun {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "run_id" {
            self.0 = format!("{value:?}").parse().ok();
        }
    }
}

/// The message first, then the other fields as `name=value`.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Text {
    fn finish(self) -> String {
        format!("{}{}", self.message, self.fields)
    }
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let written = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
        debug_assert!(written.is_ok(), "writing into a string does not fail");
    }
}
