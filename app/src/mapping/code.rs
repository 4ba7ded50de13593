//! The code definition beside the running one.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    job::{JobDefinition, TriggerDefinition},
    record::JobRecord,
    state::JobOrigin,
};
use horarium_engine::acting::Acting;

use super::{
    coming, data,
    job::{next_fires, retry_words, timeout_words},
    time::Clockface,
};
use crate::{
    error::AppError,
    views::{Change, CodeView, NextFireRow},
};

/// How many fires of each definition are compared.
const FIRES: usize = 10;

/// The comparison; none for a job without code.
pub(super) async fn view(
    acting: &Acting,
    job: &JobRecord,
    calendars: &Calendars,
    face: &Clockface,
) -> Result<Option<CodeView>, AppError> {
    if job.origin == JobOrigin::Runtime {
        return Ok(None);
    }
    let running = &job.definition;
    let differences = acting.differences(&running.name).await?;
    let (code, kept, overridden) = match &differences {
        Some(both) => (&both.code, both.same_code, true),
        None => (running, true, job.origin == JobOrigin::Overridden),
    };
    Ok(Some(CodeView {
        overridden,
        kept_at_start: kept,
        fields: fields(code, running),
        code_fires: planned(code, calendars, face.now, face),
        running_fires: next_fires(job, calendars, face, FIRES),
    }))
}

/// What a definition alone plans, without the pauses of the stored triggers.
fn planned(
    definition: &JobDefinition,
    calendars: &Calendars,
    after: DateTime<Utc>,
    face: &Clockface,
) -> Vec<NextFireRow> {
    let rows = definition
        .triggers
        .iter()
        .flat_map(|trigger| {
            coming::of_schedule(&trigger.schedule, calendars, after, FIRES)
                .into_iter()
                .map(|fire| (fire.at, coming::row(trigger, fire, face)))
        })
        .collect();
    coming::together(rows, FIRES)
}

fn fields(code: &JobDefinition, running: &JobDefinition) -> Vec<Change> {
    let mut fields = Vec::new();
    let mut compare = |name: &str, value: &dyn Fn(&JobDefinition) -> String| {
        fields.push(Change {
            name: name.to_owned(),
            code: value(code),
            running: value(running),
        });
    };
    let yes = |flag: bool| (if flag { "yes" } else { "no" }).to_owned();
    compare("Type", &|d| d.job_type.clone());
    compare("Description", &|d| {
        d.description.clone().unwrap_or_default()
    });
    compare("Tags", &|d| d.tags.join(", "));
    compare("Data", &|d| data::pretty_unless_empty(&d.data));
    compare("Runs may overlap", &|d| yes(d.allow_concurrent));
    compare("On every node", &|d| yes(d.run_on_every_instance));
    compare("Recovery", &|d| yes(d.requests_recovery));
    compare("Retry", &|d| retry_words(d.retry.as_ref()));
    compare("Time limit", &timeout_words);
    let names: BTreeSet<_> = code
        .triggers
        .iter()
        .chain(&running.triggers)
        .map(|t| &t.name)
        .collect();
    for name in names {
        let find = |d: &JobDefinition| d.triggers.iter().find(|t| t.name == *name).cloned();
        compare(&format!("Trigger {name}"), &|d| {
            find(d).map(|t| trigger_text(&t)).unwrap_or_default()
        });
    }
    fields
}

fn trigger_text(trigger: &TriggerDefinition) -> String {
    let mut lines = vec![
        trigger.schedule.to_string(),
        format!("misfire {}, priority {}", trigger.misfire, trigger.priority),
    ];
    lines.extend(trigger.description.clone());
    if !trigger.data.is_empty() {
        lines.push(data::pretty(&trigger.data));
    }
    lines.join("\n")
}
