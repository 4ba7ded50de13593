//! Instants as text of the display zone, and back.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use horarium_core::{
    civil::{CivilDate, CivilDateTime},
    zone::{Resolved, Zone},
};
use horarium_engine::{acting::Acting, clock::Clock as _, clock::SystemClock};
use leptos::prelude::use_context;

use crate::{
    contexts::display_zone_name,
    error::{AppError, BAD_TIME},
    views::Moment,
};

/// Now, and the zone in which the reader wants to see times.
#[derive(Debug, Clone)]
pub(crate) struct Clockface {
    /// The engine's now.
    pub now: DateTime<Utc>,
    /// The display zone.
    pub zone: Zone,
}

impl Clockface {
    /// By the present request: the engine's clock, and the cookie's zone or UTC.
    pub fn of_request() -> Self {
        let zone = display_zone_name().and_then(|name| Zone::parse(&name).ok());
        Self {
            now: now(),
            zone: zone.unwrap_or_default(),
        }
    }

    /// An instant in the display zone.
    pub fn moment(&self, at: DateTime<Utc>) -> Moment {
        moment(at, &self.zone)
    }

    /// The same to the millisecond, for the course of a single run.
    pub fn precise(&self, at: DateTime<Utc>) -> Moment {
        let mut moment = self.moment(at);
        moment.time = format!("{}.{:03}", moment.time, at.timestamp_subsec_millis());
        moment
    }

    /// An instant in the display zone, or none.
    pub fn maybe(&self, at: Option<DateTime<Utc>>) -> Option<Moment> {
        at.map(|at| self.moment(at))
    }
}

fn now() -> DateTime<Utc> {
    match use_context::<Acting>() {
        Some(acting) => acting.now(),
        None => SystemClock::new().now(),
    }
}

/// The engine's now in milliseconds, for pages that nobody has signed in for, too.
pub(crate) fn wall_clock_ms() -> i64 {
    now().timestamp_millis()
}

/// An instant in a zone.
pub(crate) fn moment(at: DateTime<Utc>, zone: &Zone) -> Moment {
    let local = zone.local_at(at);
    let (date, time) = split(&local.civil);
    Moment {
        iso: at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        date,
        time,
        label: zone.abbreviation_at(at),
        zone: zone.id().to_owned(),
        offset: offset_text(local.offset),
        ms: at.timestamp_millis(),
    }
}

/// Date and time of day of a wall clock.
pub(crate) fn split(civil: &CivilDateTime) -> (String, String) {
    let text = civil.to_string();
    match text.split_once('T') {
        Some((date, time)) => (date.to_owned(), time.to_owned()),
        None => (text, String::new()),
    }
}

/// `+01:00`.
pub(crate) fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Reads what a date-time field or an address holds: local time of a zone, or an instant with its offset. A local
/// time that is shown twice means the first; one that does not exist means the instant of the jump.
pub(crate) fn read_instant(text: &str, zone: &Zone) -> Result<DateTime<Utc>, AppError> {
    let text = text.trim();
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Ok(at.with_timezone(&Utc));
    }
    let civil = civil(text).ok_or_else(|| AppError::new(BAD_TIME, text))?;
    Ok(match zone.resolve(civil) {
        Resolved::One(at) | Resolved::Two(at, _) => at,
        Resolved::None { gap } => gap.at,
    })
}

/// Reads the start of a window: an instant, a local time, or a span before now such as `-24h`. `all` is none.
pub(crate) fn read_window(text: &str, face: &Clockface) -> Result<Option<DateTime<Utc>>, AppError> {
    match text {
        "" | "all" => Ok(None),
        _ => match text.strip_prefix('-').and_then(span) {
            Some(span) => Ok(face.now.checked_sub_signed(span)),
            None => read_instant(text, &face.zone).map(Some),
        },
    }
}

fn span(text: &str) -> Option<TimeDelta> {
    let unit = text.chars().last()?;
    let n: i64 = text.strip_suffix(unit)?.parse().ok()?;
    match unit {
        'm' => TimeDelta::try_minutes(n),
        'h' => TimeDelta::try_hours(n),
        'd' => TimeDelta::try_days(n),
        _ => None,
    }
}

fn civil(text: &str) -> Option<CivilDateTime> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let date: CivilDate = date.parse().ok()?;
    let mut parts = time.split(':').map(|part| part.parse::<i64>().ok());
    let hour = parts.next()??;
    let minute = parts.next()??;
    let second = parts.next().unwrap_or(Some(0))?;
    let legal = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    (legal && parts.next().is_none())
        .then(|| CivilDateTime::from_wall(date.wall() + hour * 3600 + minute * 60 + second))
}

/// The value of a cookie, percent-decoded; as it is when that fails.
pub(crate) fn decode_cookie(value: &str) -> String {
    let value = value.trim().trim_matches('"');
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match (digit(rest.next()), digit(rest.next())) {
            (Some(high), Some(low)) => bytes.push((high * 16 + low) as u8),
            _ => return value.to_owned(),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_are_read_in_the_zone() {
        let zone = Zone::parse("Europe/Berlin").unwrap();
        let read = |text: &str| read_instant(text, &zone).map(|at| at.to_rfc3339());
        assert_eq!(
            read("2026-12-01T06:00").unwrap(),
            "2026-12-01T05:00:00+00:00"
        );
        assert_eq!(read("2026-12-01").unwrap(), "2026-11-30T23:00:00+00:00");
        assert_eq!(
            read("2026-12-01T06:00:00Z").unwrap(),
            "2026-12-01T06:00:00+00:00"
        );
        // the hour that does not exist
        assert_eq!(
            read("2026-03-29T02:30").unwrap(),
            "2026-03-29T01:00:00+00:00"
        );
        assert_eq!(read("tomorrow").unwrap_err().args, ["tomorrow"]);
    }

    #[test]
    fn cookies_are_decoded() {
        assert_eq!(decode_cookie("Europe%2FBerlin"), "Europe/Berlin");
        assert_eq!(decode_cookie("\"UTC\""), "UTC");
        assert_eq!(decode_cookie("100%"), "100%");
    }
}
