//! `horarium next SCHEDULE`: the next, or the previous, fires.

use std::process::ExitCode;

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    describe::sentence,
    fires::{
        Candidate, Detail, FireOptions, NextFire, NoFire, Verdict, fires, fires_before, next_fire,
    },
    schedule::{Schedule, ScheduleKind},
    warnings::warnings,
    zone::Zone,
};
use horarium_engine::clock::{Clock, SystemClock};
use serde_json::json;

use super::{
    Failure, NextArgs,
    output::{instant, marked, utc},
};
use crate::config::{Config, Environment};

/// Prints the fires.
pub fn run(args: &NextArgs) -> Result<ExitCode, Failure> {
    let text = args.schedule.as_deref().unwrap_or_default();
    let zone = Zone::parse(&args.tz).map_err(|error| Failure::asked(error.to_string()))?;
    let schedule = Schedule::parse_lenient(text, args.dialect, &zone)
        .map_err(|error| Failure::asked(marked(&error.to_string(), text, error.at.clone())))?;
    let calendars = calendars(args, &schedule)?;
    let from = match &args.from {
        Some(text) => instant(text).map_err(Failure::asked)?,
        None => SystemClock::new().now(),
    };
    let mut listed = list(args, &schedule, &calendars, from);
    listed.warnings = warnings(&schedule, &calendars, from)
        .into_iter()
        .map(|warning| warning.text)
        .collect();
    if args.json {
        print_json(&listed);
    } else {
        print_text(args, &schedule, &listed);
    }
    Ok(ExitCode::SUCCESS)
}

/// What is to be shown.
struct Listed {
    candidates: Vec<Candidate>,
    /// Why there are no more.
    end: Option<String>,
    /// What may surprise its author.
    warnings: Vec<String>,
}

fn list(
    args: &NextArgs,
    schedule: &Schedule,
    calendars: &Calendars,
    from: DateTime<Utc>,
) -> Listed {
    let detail = if args.explain {
        Detail::Brief
    } else {
        Detail::Runs
    };
    let options = FireOptions {
        detail,
        ..FireOptions::default()
    };
    let wanted = usize::from(args.count);
    let all = if args.previous {
        fires_before(schedule, calendars, from, options)
    } else {
        fires(schedule, calendars, from, options)
    };
    let mut candidates = Vec::new();
    let mut runs = 0;
    for candidate in all {
        runs += usize::from(candidate.verdict == Verdict::Runs);
        candidates.push(candidate);
        if runs == wanted {
            break;
        }
    }
    let end = (runs < wanted).then(|| {
        if args.previous {
            "no fire before that is known".to_owned()
        } else {
            let last = candidates
                .iter()
                .rev()
                .find(|c| c.verdict == Verdict::Runs)
                .map_or(from, |c| c.at);
            no_more(schedule, calendars, last, runs)
        }
    });
    Listed {
        candidates,
        end,
        warnings: Vec::new(),
    }
}

fn no_more(schedule: &Schedule, calendars: &Calendars, last: DateTime<Utc>, runs: usize) -> String {
    let again = if runs == 0 { "" } else { " again" };
    match next_fire(schedule, calendars, last, last) {
        NextFire::None(NoFire::Manual) => "it fires only by hand".to_owned(),
        NextFire::None(NoFire::Never) => format!("it never fires{again}"),
        NextFire::None(NoFire::NotWithinFiveYears) => {
            format!("it does not fire{again} within five years")
        }
        NextFire::None(NoFire::AfterEnd) => "then the schedule has ended".to_owned(),
        NextFire::None(NoFire::CalendarExhausted) => {
            "the calendar excludes everything after that".to_owned()
        }
        NextFire::None(_) | NextFire::At(_) => "that was all".to_owned(),
    }
}

fn calendars(args: &NextArgs, schedule: &Schedule) -> Result<Calendars, Failure> {
    let calendars = match &args.config {
        Some(file) => Config::load(Some(file), &Environment::default())?.calendars,
        None => Calendars::default(),
    };
    schedule.check_calendar(&calendars).map_err(|missing| {
        Failure::asked(format!(
            "the calendar '{missing}' is not known here; name the file that has it with --config"
        ))
    })?;
    Ok(calendars)
}

fn print_json(listed: &Listed) {
    let fires: Vec<String> = listed
        .candidates
        .iter()
        .filter(|c| c.verdict == Verdict::Runs)
        .map(|c| utc(c.at))
        .collect();
    let notes: Vec<String> = listed
        .candidates
        .iter()
        .filter(|c| c.verdict != Verdict::Runs)
        .map(|c| format!("{}: {}", c.local, reason(&c.verdict)))
        .chain(listed.end.clone())
        .chain(listed.warnings.iter().cloned())
        .collect();
    println!("{}", json!({ "fires": fires, "notes": notes }));
}

fn print_text(args: &NextArgs, schedule: &Schedule, listed: &Listed) {
    let zone = match &schedule.kind {
        ScheduleKind::Cron(cron) => cron.zone.id(),
        _ => "UTC",
    };
    if args.explain {
        println!("{schedule}\n{}\n", sentence(schedule));
    }
    for candidate in &listed.candidates {
        let line = format!("{}  {zone}  {}", candidate.local, utc(candidate.at));
        match candidate.verdict {
            Verdict::Runs => println!("{line}"),
            ref other => println!("{line}  does not fire: {}", reason(other)),
        }
    }
    if let Some(end) = &listed.end {
        println!("{end}");
    }
    if args.explain {
        listed.warnings.iter().for_each(|text| println!("{text}"));
    }
}

fn reason(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Runs => "it fires".to_owned(),
        Verdict::Excluded(calendar) => format!("the calendar {calendar} excludes it"),
        Verdict::DoesNotExist => "the clocks jump over this time".to_owned(),
        Verdict::SecondOccurrence => {
            "the clocks show this time twice, and it has fired the first time".to_owned()
        }
        Verdict::FirstOccurrence => {
            "the clocks show this time twice, and it will fire the second time".to_owned()
        }
        Verdict::BeforeStart => "it is before the schedule's start".to_owned(),
        Verdict::AfterEnd => "it is after the schedule's end".to_owned(),
        _ => "another rule".to_owned(),
    }
}
