//! The walk behind every list of fires: candidates from the source, a verdict on each, jumps over exclusions.

use chrono::{DateTime, TimeDelta, Utc};

use super::source::{CronSource, Raw, Steps, floor};
use super::{Candidate, Detail, FireOptions, Verdict};
use crate::calendar::{Calendar, Calendars};
use crate::civil::{CivilDate, DAY, LocalTime, civil_from_days, days_from_civil, days_in_month};
use crate::names::CalendarName;
use crate::schedule::{Schedule, ScheduleKind};
use crate::zone::PieceKind;

/// Years that a search looks ahead (S77).
const HORIZON_YEARS: i32 = 5;
/// Seconds that are less than any five years.
const SURELY_WITHIN: i64 = 1825 * DAY;
/// Jumps over exclusions in a row before a schedule counts as excluded for good (S82, A22).
const MOST_JUMPS: u32 = 10_000;
/// First UTC second after every instant of the last cron year, in every zone.
const AFTER_LAST_YEAR: i64 = 4_102_444_800 + 2 * DAY;

enum Source<'a> {
    Cron(CronSource<'a>),
    Steps(Steps),
    Once(Option<DateTime<Utc>>),
    Nothing,
}

/// The iterator of [`super::fires`] and [`super::fires_before`].
///
/// It ends when no candidate lies within five years of the last run (or of the last year, for a
/// rule with a year field), or when the calendar excludes everything.
pub struct Fires<'a> {
    schedule: &'a Schedule,
    /// The named calendar; one that is not registered excludes everything, so that a lost calendar is
    /// seen and never ignored.
    calendar: Option<(&'a CalendarName, Option<&'a Calendar>)>,
    source: Source<'a>,
    options: FireOptions,
    forward: bool,
    /// Where the horizon is counted from, as long as it is not worked out.
    horizon_from: Option<DateTime<Utc>>,
    /// Last UTC second that is searched, when it is.
    limit: i64,
    /// Verdict of the row of skipped candidates under way.
    row: Option<Verdict>,
    jumps: u32,
    work: u64,
    done: bool,
    /// Whether the calendar ended the walk.
    exhausted: bool,
}

impl<'a> Fires<'a> {
    pub(super) fn new(
        schedule: &'a Schedule,
        calendars: &'a Calendars,
        from: DateTime<Utc>,
        options: FireOptions,
        forward: bool,
    ) -> Fires<'a> {
        let calendar = schedule
            .calendar
            .as_ref()
            .map(|name| (name, calendars.get(name)));
        let source = Source::of(schedule, from, &options, forward);
        let mut fires = Fires {
            schedule,
            calendar,
            source,
            options,
            forward,
            horizon_from: None,
            limit: 0,
            row: None,
            jumps: 0,
            work: 0,
            done: false,
            exhausted: false,
        };
        fires.source.seek(from, forward);
        let mut base = from;
        if options.detail == Detail::Runs {
            // Nothing beyond the nearer edge runs, so the walk begins there.
            let edge = if forward {
                schedule.start.filter(|start| *start > from)
            } else {
                schedule.end.filter(|end| *end < from)
            };
            if let Some(edge) = edge {
                fires.seek_to(edge);
                base = edge;
            }
        }
        fires.renew_limit(base);
        fires
    }

    /// Candidates looked at so far; bounded whatever the schedule and the calendar are.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether the walk ended because the calendar excludes everything in reach.
    pub fn calendar_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Continues so that the candidate at `at` itself is next, if there is one.
    fn seek_to(&mut self, at: DateTime<Utc>) {
        let step = TimeDelta::microseconds(if self.forward { -1 } else { 1 });
        self.source
            .seek(at.checked_add_signed(step).unwrap_or(at), self.forward);
    }

    /// Counts the horizon anew from an instant; it is worked out only when a search gets near it.
    fn renew_limit(&mut self, base: DateTime<Utc>) {
        self.horizon_from = Some(base);
    }

    /// Last UTC second of a search that began at `base` (S77, A20).
    fn horizon(&self, base: DateTime<Utc>) -> i64 {
        let cron = self.schedule.as_cron();
        match (
            cron.map(|cron| cron.expression.rule().has_year_field()),
            self.forward,
        ) {
            (None, true) => i64::MAX,
            (None, false) => i64::MIN,
            (Some(true), true) => AFTER_LAST_YEAR,
            (Some(true), false) => -2 * DAY,
            (Some(false), true) => add_years(floor(base), HORIZON_YEARS),
            (Some(false), false) => add_years(floor(base), -HORIZON_YEARS),
        }
    }

    /// A limit, or the caller's when that is nearer.
    fn bounded(&self, limit: i64) -> i64 {
        match (self.options.until.map(floor), self.forward) {
            (None, _) => limit,
            (Some(until), true) => limit.min(until),
            (Some(until), false) => limit.max(until),
        }
    }

    fn judge(&self, raw: &Raw) -> Verdict {
        if self.schedule.start.is_some_and(|start| raw.at < start) {
            return Verdict::BeforeStart;
        }
        if self.schedule.end.is_some_and(|end| raw.at > end) {
            return Verdict::AfterEnd;
        }
        match (raw.kind, &self.source) {
            (PieceKind::Missing, _) => return Verdict::DoesNotExist,
            (PieceKind::SecondPass, Source::Cron(cron)) if !cron.runs(raw.kind) => {
                return Verdict::SecondOccurrence;
            }
            (PieceKind::FirstPass, Source::Cron(cron)) if !cron.runs(raw.kind) => {
                return Verdict::FirstOccurrence;
            }
            _ => {}
        }
        match self.calendar {
            Some((name, calendar))
                if calendar.is_none_or(|calendar| calendar.is_excluded(raw.at)) =>
            {
                Verdict::Excluded(name.clone())
            }
            _ => Verdict::Runs,
        }
    }

    /// Moves on after a candidate that does not run; false when nothing comes any more.
    fn skip(&mut self, raw: &Raw, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::BeforeStart if self.forward => match self.schedule.start {
                Some(start) => {
                    self.seek_to(start);
                    self.renew_limit(start);
                    true
                }
                None => true,
            },
            Verdict::AfterEnd if !self.forward => match self.schedule.end {
                Some(end) => {
                    self.seek_to(end);
                    self.renew_limit(end);
                    true
                }
                None => true,
            },
            Verdict::BeforeStart | Verdict::AfterEnd => false,
            Verdict::Excluded(_) if self.options.detail != Detail::Every => self.jump(raw.at),
            _ => true,
        }
    }

    /// Jumps to the end of an exclusion (A22).
    fn jump(&mut self, at: DateTime<Utc>) -> bool {
        self.jumps += 1;
        let calendar = self
            .calendar
            .filter(|_| self.jumps <= MOST_JUMPS)
            .and_then(|(_, calendar)| calendar);
        let included = calendar.and_then(|calendar| {
            if self.forward {
                calendar.next_included(at)
            } else {
                calendar.previous_included(at)
            }
        });
        match included {
            Some(included) if included != at => {
                self.seek_to(included);
                true
            }
            // The calendar changed its mind about the same instant; step on by candidates.
            Some(_) => true,
            None => {
                self.exhausted = true;
                false
            }
        }
    }

    fn wanted(&self, verdict: &Verdict) -> bool {
        match self.options.detail {
            Detail::Every => true,
            Detail::Brief => self.row.as_ref() != Some(verdict),
            Detail::Runs => false,
        }
    }
}

impl Fires<'_> {
    /// The next candidate that is wanted, without the work of showing its local time.
    pub(super) fn step(&mut self) -> Option<(Raw, Verdict)> {
        while !self.done {
            self.work += 1;
            let Some(raw) = self.find() else {
                self.done = true;
                self.exhausted |= self.jumps > 0 && self.options.until.is_none();
                return None;
            };
            let verdict = self.judge(&raw);
            if verdict == Verdict::Runs {
                (self.row, self.jumps) = (None, 0);
                if self.options.until.is_none() {
                    self.renew_limit(raw.at);
                }
                return Some((raw, verdict));
            }
            let wanted = self.wanted(&verdict);
            self.done = !self.skip(&raw, &verdict);
            self.row = Some(verdict.clone());
            if wanted {
                return Some((raw, verdict));
            }
        }
        None
    }

    /// Looks up to the horizon: first to one that is surely within it and costs nothing, then to the exact one.
    fn find(&mut self) -> Option<Raw> {
        if let Some(base) = self.horizon_from {
            let near = if self.forward {
                SURELY_WITHIN
            } else {
                -SURELY_WITHIN
            };
            let limit = self.bounded(floor(base) + near);
            if let Some(raw) = self.source.next(limit, self.options.until, self.forward) {
                return Some(raw);
            }
            self.limit = self.bounded(self.horizon(base));
            self.horizon_from = None;
        }
        self.source
            .next(self.limit, self.options.until, self.forward)
    }
}

impl Iterator for Fires<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let (raw, verdict) = self.step()?;
        Some(Candidate {
            at: raw.at,
            local: LocalTime::from_wall(raw.wall, raw.offset),
            verdict,
        })
    }
}

impl std::iter::FusedIterator for Fires<'_> {}

impl<'a> Source<'a> {
    fn of(
        schedule: &'a Schedule,
        from: DateTime<Utc>,
        options: &FireOptions,
        forward: bool,
    ) -> Source<'a> {
        match &schedule.kind {
            ScheduleKind::Manual => Source::Nothing,
            ScheduleKind::Once(at) => Source::Once(Some(*at)),
            ScheduleKind::Cron(cron) => Source::Cron(CronSource::new(
                cron,
                forward,
                options.detail != Detail::Runs,
            )),
            ScheduleKind::Rate { interval, anchor } => {
                let origin = anchor.or(schedule.start).unwrap_or(DateTime::UNIX_EPOCH);
                Source::Steps(Steps::new(
                    origin,
                    *interval,
                    (i128::from(i64::MIN), i128::from(i64::MAX)),
                    forward,
                ))
            }
            ScheduleKind::Every { interval, repeat } => {
                match options.base.or(forward.then_some(from)) {
                    Some(base) => {
                        // S41 and A13: the first run is one interval after a start that is still to come.
                        let origin = schedule.start.map_or(base, |start| start.max(base));
                        let most = repeat.map_or(i128::from(i64::MAX), i128::from);
                        Source::Steps(Steps::new(origin, *interval, (1, most), forward))
                    }
                    None => Source::Nothing,
                }
            }
        }
    }

    fn seek(&mut self, at: DateTime<Utc>, forward: bool) {
        match self {
            Source::Cron(cron) => cron.seek(at),
            Source::Steps(steps) => steps.seek(at),
            Source::Once(once) => {
                *once = once.filter(|once| if forward { *once > at } else { *once < at })
            }
            Source::Nothing => {}
        }
    }

    fn next(&mut self, limit: i64, until: Option<DateTime<Utc>>, forward: bool) -> Option<Raw> {
        let at = match self {
            Source::Cron(cron) => {
                return cron
                    .next(limit)
                    .filter(|raw| !forward || until.is_none_or(|until| raw.at <= until));
            }
            Source::Steps(steps) => steps.next()?,
            Source::Once(once) => once.take()?,
            Source::Nothing => return None,
        };
        let within = until.is_none_or(|until| if forward { at <= until } else { at >= until });
        within.then_some(Raw {
            at,
            wall: at.timestamp(),
            offset: 0,
            kind: PieceKind::Plain,
        })
    }
}

/// A UTC second moved by whole years; 29 February becomes the 28th.
fn add_years(utc: i64, years: i32) -> i64 {
    let (year, month, day) = civil_from_days(utc.div_euclid(DAY));
    let year = year.saturating_add(years);
    let date = CivilDate {
        year,
        month: month as u8,
        day: day.min(days_in_month(year, month)) as u8,
    };
    days_from_civil(date.year, u32::from(date.month), u32::from(date.day)) * DAY
        + utc.rem_euclid(DAY)
}
