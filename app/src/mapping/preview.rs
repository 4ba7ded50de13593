//! The preview of a schedule: the engine's own evaluator, put into rows.

mod days;
mod fault;

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    cron::{Dialect, convert, readings as read_all},
    describe::{readings as field_readings, sentence},
    fires::{Candidate, Detail, FireOptions, NextFire, NoFire, Verdict, fires, next_fire, next_n},
    names::CalendarName,
    schedule::{Schedule, ScheduleKind},
    warnings::{gaps, warnings},
    zone::Zone,
};

use super::time::{Clockface, read_instant, split};
use crate::{
    text,
    views::{CronAsk, FieldWords, Preview, PreviewFault, PreviewRows, Reading},
};

/// How many fires tell two dialects apart.
const COMPARED: usize = 50;
/// How many fires of each dialect are shown.
const SHOWN: usize = 3;

/// What a schedule does, or what is wrong with it.
pub(crate) fn preview(ask: &CronAsk, calendars: &Calendars, face: &Clockface) -> Preview {
    let names = calendars.0.keys().map(ToString::to_string).collect();
    let dialect = ask.dialect.parse().unwrap_or_default();
    let zone = Zone::parse(&ask.tz);
    let readings = match &zone {
        Ok(zone) if is_bare(&ask.expr) => readings(&ask.expr, dialect, zone, face),
        _ => Vec::new(),
    };
    Preview {
        readings,
        outcome: outcome(ask, dialect, zone, calendars, face),
        calendars: names,
    }
}

/// Whether a text is a cron expression alone and not a whole schedule.
fn is_bare(text: &str) -> bool {
    let first = text.split_ascii_whitespace().next().unwrap_or_default();
    !first.is_empty() && !["cron", "every", "rate", "once", "manual"].contains(&first)
}

fn outcome(
    ask: &CronAsk,
    dialect: Dialect,
    zone: Result<Zone, horarium_core::zone::ZoneError>,
    calendars: &Calendars,
    face: &Clockface,
) -> Result<PreviewRows, Box<PreviewFault>> {
    let zone = zone.map_err(|error| fault::zone(&error))?;
    let mut schedule = Schedule::parse_lenient(&ask.expr, dialect, &zone)
        .map_err(|error| fault::expression(&ask.expr, dialect, error))?;
    if !ask.calendar.is_empty() {
        let name = CalendarName::try_from(ask.calendar.as_str());
        schedule.calendar = Some(name.map_err(|_| fault::calendar(&ask.calendar, calendars))?);
    }
    schedule
        .check_calendar(calendars)
        .map_err(|name| fault::calendar(name.as_str(), calendars))?;
    let from = match ask.from.as_str() {
        "" => face.now,
        text => read_instant(text, &face.zone).map_err(|_| fault::from(text))?,
    };
    Ok(rows(&schedule, ask, calendars, from, face))
}

fn rows(
    schedule: &Schedule,
    ask: &CronAsk,
    calendars: &Calendars,
    from: DateTime<Utc>,
    face: &Clockface,
) -> PreviewRows {
    let count = ask.count.clamp(1, CronAsk::MOST) as usize;
    let candidates = candidates(schedule, calendars, from, count);
    let running = candidates
        .iter()
        .filter(|c| c.verdict == Verdict::Runs)
        .count();
    let zone = schedule
        .as_cron()
        .map_or_else(|| face.zone.clone(), |cron| cron.zone.clone());
    let canonical = schedule.to_string();
    PreviewRows {
        sentence: sentence(schedule),
        fields: field_words(schedule),
        warnings: warnings(schedule, calendars, from)
            .into_iter()
            .map(|warning| warning.text)
            .collect(),
        days: days::days(&candidates, &zone, face),
        running,
        end: if running < count {
            end(schedule, calendars, &candidates, from)
        } else {
            String::new()
        },
        density: density(schedule, calendars, from),
        zone: zone.id().to_owned(),
        display_zone: face.zone.id().to_owned(),
        cli: command(&canonical, ask, from),
        canonical,
    }
}

/// The first `count` that run, with what lies between. A long row of the same verdict is shortened to its first.
fn candidates(
    schedule: &Schedule,
    calendars: &Calendars,
    from: DateTime<Utc>,
    count: usize,
) -> Vec<Candidate> {
    let take = |detail: Detail, most: usize| {
        let options = FireOptions {
            detail,
            base: Some(from),
            ..FireOptions::default()
        };
        let mut left = count;
        let mut list = Vec::new();
        for candidate in fires(schedule, calendars, from, options).take(most) {
            left -= usize::from(candidate.verdict == Verdict::Runs);
            list.push(candidate);
            if left == 0 {
                return (list, true);
            }
        }
        let complete = list.len() < most;
        (list, complete)
    };
    match take(Detail::Every, count * 3 + 50) {
        (list, true) => list,
        _ => take(Detail::Brief, count * 3 + 50).0,
    }
}

fn field_words(schedule: &Schedule) -> Vec<FieldWords> {
    let Some(cron) = schedule.as_cron() else {
        return Vec::new();
    };
    field_readings(&cron.expression)
        .into_iter()
        .map(|field| FieldWords {
            name: capital(field.field.name()),
            text: field.text,
            words: field.reading.to_string(),
        })
        .collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// Why there are no more fires.
fn end(
    schedule: &Schedule,
    calendars: &Calendars,
    candidates: &[Candidate],
    from: DateTime<Utc>,
) -> String {
    let last = candidates
        .iter()
        .rfind(|c| c.verdict == Verdict::Runs)
        .map_or(from, |c| c.at);
    if matches!(schedule.kind, ScheduleKind::Every { .. }) {
        return "Each further run starts one interval after the run before has ended.".to_owned();
    }
    let text = match next_fire(schedule, calendars, last, last) {
        NextFire::At(_) => return String::new(),
        NextFire::None(NoFire::Manual) => "It runs only by hand.",
        NextFire::None(NoFire::Never) => "It never fires again: no date matches, now or later.",
        NextFire::None(NoFire::NotWithinFiveYears) => {
            "There are matching dates, but none within the next five years."
        }
        NextFire::None(NoFire::AfterEnd) => "After that the schedule has ended.",
        NextFire::None(NoFire::CalendarExhausted) => {
            "The calendar excludes everything that would follow."
        }
        NextFire::None(NoFire::OnceDone) => "It fires one time only.",
    };
    text.to_owned()
}

fn density(
    schedule: &Schedule,
    calendars: &Calendars,
    from: DateTime<Utc>,
) -> Vec<(String, String)> {
    let Some(gaps) = gaps(schedule, calendars, from) else {
        return Vec::new();
    };
    let span = |gap: chrono::TimeDelta| text::duration(gap.num_milliseconds());
    let rate = |n: f64| {
        if n >= 10.0 {
            format!("{n:.0}")
        } else {
            format!("{n:.1}")
        }
    };
    [
        ("Shortest gap", span(gaps.shortest)),
        ("Longest gap", span(gaps.longest)),
        ("Fires a day", rate(gaps.per_day)),
        ("Fires a week", rate(gaps.per_week)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

fn command(canonical: &str, ask: &CronAsk, from: DateTime<Utc>) -> String {
    let mut command = format!("horarium next \"{canonical}\"");
    if !ask.from.is_empty() {
        let from = from.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
        command.push_str(&format!(" --from {from}"));
    }
    command.push_str(&format!(" --count {} --explain", ask.count));
    command
}

fn readings(text: &str, chosen: Dialect, zone: &Zone, face: &Clockface) -> Vec<Reading> {
    let none = Calendars::new();
    let fires_of = |schedule: &Schedule| -> Vec<DateTime<Utc>> {
        next_n(schedule, &none, face.now, COMPARED)
            .into_iter()
            .map(|candidate| candidate.at)
            .collect()
    };
    let all = read_all(text);
    let of_chosen = all
        .iter()
        .find(|reading| reading.dialect == chosen)
        .and_then(|reading| reading.result.as_ref().ok())
        .map(|expression| fires_of(&Schedule::cron(expression.clone(), zone.clone())));
    all.into_iter()
        .map(|reading| {
            let dialect = reading.dialect;
            let mut shown = Reading {
                dialect: dialect.as_str().to_owned(),
                title: dialect.title().to_owned(),
                words: Err(String::new()),
                next: Vec::new(),
                differs: false,
                horarium: None,
            };
            match reading.result {
                Err(error) => shown.words = Err(error.message),
                Ok(expression) => {
                    let written = convert(&expression, Dialect::Horarium).ok();
                    shown.horarium = written.filter(|text| text != expression.as_str());
                    let schedule = Schedule::cron(expression, zone.clone());
                    let fires = fires_of(&schedule);
                    shown.differs = of_chosen.as_ref().is_some_and(|chosen| *chosen != fires);
                    shown.words = Ok(sentence(&schedule));
                    shown.next = fires
                        .iter()
                        .take(SHOWN)
                        .map(|at| local(*at, zone))
                        .collect();
                }
            }
            shown
        })
        .collect()
}

fn local(at: DateTime<Utc>, zone: &Zone) -> String {
    let (date, time) = split(&zone.local_at(at).civil);
    format!("{date} {time} {}", zone.abbreviation_at(at))
}
