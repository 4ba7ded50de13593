//! Fires grouped by the day of the planned local time.

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    civil::CivilDate,
    fires::{Candidate, Verdict},
    zone::Zone,
};

use crate::{
    mapping::{
        coming::obstacle,
        time::{Clockface, offset_text, split},
    },
    text,
    views::{DaySection, Fire, Verdict as Shown},
};

const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The candidates by day.
pub(super) fn days(candidates: &[Candidate], zone: &Zone, face: &Clockface) -> Vec<DaySection> {
    let mut sections: Vec<(CivilDate, DaySection)> = Vec::new();
    let mut previous: Option<DateTime<Utc>> = None;
    for candidate in candidates {
        // a schedule without a zone is planned on the reader's clock
        let local = match candidate.verdict {
            Verdict::DoesNotExist => candidate.local,
            _ => zone.local_at(candidate.at),
        };
        let date = local.civil.date;
        if sections.last().is_none_or(|(last, _)| *last != date) {
            let section = DaySection {
                title: title(date),
                note: clock_change(date, zone),
                fires: Vec::new(),
            };
            sections.push((date, section));
        }
        let runs = candidate.verdict == Verdict::Runs;
        let gap = match previous {
            Some(previous) if runs => text::duration((candidate.at - previous).num_milliseconds()),
            _ => String::new(),
        };
        if runs {
            previous = Some(candidate.at);
        }
        let fire = fire(
            candidate,
            split(&local.civil).1,
            local.offset,
            gap,
            zone,
            face,
        );
        if let Some((_, section)) = sections.last_mut() {
            section.fires.push(fire);
        }
    }
    sections.into_iter().map(|(_, section)| section).collect()
}

fn fire(
    candidate: &Candidate,
    local: String,
    offset: i32,
    gap: String,
    zone: &Zone,
    face: &Clockface,
) -> Fire {
    let verdict = match candidate.verdict {
        Verdict::Runs => Shown::Runs,
        Verdict::Excluded(_) => Shown::Excluded,
        Verdict::DoesNotExist => Shown::Missing,
        Verdict::SecondOccurrence | Verdict::FirstOccurrence => Shown::Second,
        _ => Shown::Outside,
    };
    let missing = verdict == Shown::Missing;
    Fire {
        local,
        offset: if missing {
            String::new()
        } else {
            let label = zone.abbreviation_at(candidate.at);
            let offset = offset_text(offset);
            if label == offset {
                label
            } else {
                format!("{label} {offset}")
            }
        },
        at: (!missing).then(|| face.moment(candidate.at)),
        gap,
        verdict,
        reason: obstacle(&candidate.verdict),
    }
}

fn title(date: CivilDate) -> String {
    let month = MONTHS[usize::from(date.month.clamp(1, 12)) - 1];
    let weekday = WEEKDAYS[date.weekday() as usize % 7];
    format!("{weekday}, {} {month} {}", date.day, date.year)
}

/// What the clock does on a day; empty when it just goes on.
fn clock_change(date: CivilDate, zone: &Zone) -> String {
    let Some(noon) = DateTime::from_timestamp(date.wall() + 12 * 3600, 0) else {
        return String::new();
    };
    let span = TimeDelta::hours(40);
    let change = zone
        .transitions(noon - span, noon + span)
        .find(|change| zone.local_at(change.at).civil.date == date);
    change
        .map(|change| {
            let by = i64::from(change.offset_after) - i64::from(change.offset_before);
            let step = text::duration(by.abs() * 1000);
            if by > 0 {
                format!("clock goes forward {step}")
            } else {
                format!("clock goes back {step}")
            }
        })
        .unwrap_or_default()
}
