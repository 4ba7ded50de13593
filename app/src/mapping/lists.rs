//! Nodes, calendars, recent changes.

use horarium_core::calendar::Calendar;
use horarium_engine::{acting::Acting, store::AuditEntry};

use super::time::Clockface;
use crate::{
    error::AppError,
    views::{AuditRow, CalendarRow, NodeRow},
};

/// How many changes a page lists.
const CHANGES: i64 = 100;

/// All nodes.
pub(crate) async fn nodes(acting: &Acting, face: &Clockface) -> Result<Vec<NodeRow>, AppError> {
    let here = acting.info()?;
    let rows = acting.nodes().await?;
    Ok(rows
        .into_iter()
        .map(|node| NodeRow {
            here: node.id == here.node,
            leader: node.id == here.node && here.is_leader,
            id: node.id.to_string(),
            version: node.version,
            started: face.moment(node.started_at),
            heartbeat: face.moment(node.heartbeat_at),
            running: node.running,
            limit: node.max_concurrent_runs,
            draining: node.draining,
            types: node.job_types,
        })
        .collect())
}

/// All calendars.
pub(crate) async fn calendars(acting: &Acting) -> Result<Vec<CalendarRow>, AppError> {
    let calendars = acting.calendars().await?;
    Ok(calendars
        .0
        .iter()
        .map(|(name, calendar)| CalendarRow {
            name: name.to_string(),
            words: words(calendar),
            definition: serde_json::to_string_pretty(calendar).unwrap_or_default(),
        })
        .collect())
}

/// What a calendar excludes, in words.
fn words(calendar: &Calendar) -> String {
    match calendar {
        Calendar::Holiday { dates, zone } => match (dates.first(), dates.last()) {
            (Some(first), Some(last)) if first != last => {
                format!("{} dates from {first} to {last}, {zone}", dates.len())
            }
            (Some(only), _) => format!("{only}, {zone}"),
            _ => "no dates".to_owned(),
        },
        Calendar::Weekly { days, zone } => {
            format!("{}, {zone}", days.names().collect::<Vec<_>>().join(", "))
        }
        Calendar::Daily { from, to, zone } => format!("daily from {from} to {to}, {zone}"),
        Calendar::Cron { expression, zone } => {
            format!("the seconds that match {expression}, {zone}")
        }
        Calendar::Composite { members } => members
            .iter()
            .map(words)
            .collect::<Vec<_>>()
            .join("; also "),
    }
}

/// Recent changes, latest first.
pub(crate) async fn audit(
    acting: &Acting,
    object: &str,
    page: u32,
    face: &Clockface,
) -> Result<Vec<AuditRow>, AppError> {
    let object = (!object.is_empty()).then_some(object);
    let skip = i64::from(page.max(1) - 1) * CHANGES;
    let entries = acting.audit_log(object, skip, CHANGES).await?;
    Ok(entries
        .into_iter()
        .map(|entry| audit_row(entry, face))
        .collect())
}

fn audit_row(entry: AuditEntry, face: &Clockface) -> AuditRow {
    let href = match entry.object.split_once(':') {
        Some(("job", name)) => format!("/jobs/{name}"),
        Some(("run", id)) => format!("/runs/{id}"),
        Some(("trigger", key)) => key
            .split_once('/')
            .map(|(job, _)| format!("/jobs/{job}?tab=triggers"))
            .unwrap_or_default(),
        _ => String::new(),
    };
    AuditRow {
        at: face.moment(entry.at),
        actor: entry.actor,
        address: entry.address,
        action: entry.action,
        object: entry.object,
        href,
        detail: if entry.detail == "{}" {
            String::new()
        } else {
            entry.detail
        },
        outcome: entry.outcome,
    }
}
