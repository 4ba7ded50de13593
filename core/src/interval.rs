//! Intervals: the exact form of schedule texts and the short form of configuration files.

use std::fmt::Write as _;

use chrono::TimeDelta;

/// Longest interval that is accepted, in days (about a hundred years).
pub const MAX_DAYS: i64 = 36_525;

/// Why a text is not an interval or a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}: {reason}")]
pub struct IntervalError {
    /// The refused text.
    pub text: String,
    /// What was wanted.
    pub expected: &'static str,
    /// What is wrong with it, and what to write instead.
    pub reason: String,
}

fn refuse(text: &str, expected: &'static str, reason: impl Into<String>) -> IntervalError {
    IntervalError {
        text: text.to_owned(),
        expected,
        reason: reason.into(),
    }
}

const INTERVAL: &str = "an interval";
const DURATION: &str = "a duration";

/// Parses `[d.]hh:mm:ss[.fff]` (A9), for example `00:10:00` or `2.06:00:00`. The result is above zero.
pub fn parse_interval(text: &str) -> Result<TimeDelta, IntervalError> {
    let form = || {
        refuse(
            text,
            INTERVAL,
            "write hh:mm:ss with optional days and milliseconds, for example 00:10:00 or 1.06:00:00",
        )
    };
    let mut parts = text.split(':');
    let (Some(head), Some(minutes), Some(tail), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(form());
    };
    let (days, hours) = head.split_once('.').unwrap_or(("0", head));
    let (seconds, fraction) = tail.split_once('.').unwrap_or((tail, "0"));
    let number = |part: &str, max_digits: usize| {
        let plain = !part.is_empty()
            && part.len() <= max_digits
            && part.bytes().all(|b| b.is_ascii_digit());
        if plain {
            part.parse::<i64>().map_err(|_| form())
        } else {
            Err(form())
        }
    };
    let (days, hours) = (number(days, 6)?, number(hours, 2)?);
    let (minutes, seconds) = (number(minutes, 2)?, number(seconds, 2)?);
    let scale = 10_i64.pow(3 - fraction.len().clamp(1, 3) as u32);
    let millis = number(fraction, 3)? * scale;
    if hours > 23 || minutes > 59 || seconds > 59 {
        let reason = "hours go to 23, minutes and seconds to 59; write longer intervals with days, for example 1.12:00:00";
        return Err(refuse(text, INTERVAL, reason));
    }
    if days > MAX_DAYS {
        return Err(refuse(
            text,
            INTERVAL,
            format!("it may be at most {MAX_DAYS} days long"),
        ));
    }
    let total = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + millis;
    if total == 0 {
        return Err(refuse(text, INTERVAL, "it must be longer than zero"));
    }
    Ok(TimeDelta::milliseconds(total))
}

/// Prints an interval in the form that [`parse_interval`] reads. Parts below a millisecond are cut,
/// negative intervals print as zero.
pub fn format_interval(interval: TimeDelta) -> String {
    let millis = interval.num_milliseconds().max(0);
    let seconds = millis / 1000;
    let mut text = String::with_capacity(16);
    let mut write = || {
        if seconds >= 86_400 {
            write!(text, "{}.", seconds / 86_400)?;
        }
        write!(
            text,
            "{:02}:{:02}:{:02}",
            seconds / 3600 % 24,
            seconds / 60 % 60,
            seconds % 60
        )?;
        if millis % 1000 != 0 {
            write!(text, ".{:03}", millis % 1000)
        } else {
            Ok(())
        }
    };
    // Writing to a String cannot fail.
    let _ = write();
    text
}

/// Parses a short duration of the configuration, `30s`, `20m`, `1h30m`, `2d`, `500ms`.
pub fn parse_duration(text: &str) -> Result<TimeDelta, IntervalError> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(refuse(
            text,
            DURATION,
            "it is empty; write for example 30s, 20m or 1h30m",
        ));
    }
    let mut total: i64 = 0;
    let mut last_unit = i64::MAX;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest[digits..]
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if digits == 0 {
            return Err(refuse(
                text,
                DURATION,
                format!(
                    "a whole number is missing before {rest:?}; write for example 30s, 20m or 1h30m"
                ),
            ));
        }
        let unit = match &rest[digits..digits + letters] {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            "w" => 604_800_000,
            "" => {
                return Err(refuse(
                    text,
                    DURATION,
                    format!(
                        "the unit is missing after {}; use ms, s, m, h, d or w",
                        &rest[..digits]
                    ),
                ));
            }
            other => {
                return Err(refuse(
                    text,
                    DURATION,
                    format!("{other:?} is not a unit; use ms, s, m, h, d or w"),
                ));
            }
        };
        if unit >= last_unit {
            return Err(refuse(
                text,
                DURATION,
                "units must go from large to small and each may stand once, as in 1h30m",
            ));
        }
        last_unit = unit;
        let part = rest[..digits]
            .parse::<i64>()
            .ok()
            .and_then(|n| n.checked_mul(unit));
        total = part
            .and_then(|part| total.checked_add(part))
            .filter(|total| *total <= MAX_DAYS * 86_400_000)
            .ok_or_else(|| {
                refuse(
                    text,
                    DURATION,
                    format!("it may be at most {MAX_DAYS} days long"),
                )
            })?;
        rest = &rest[digits + letters..];
    }
    Ok(TimeDelta::milliseconds(total))
}

/// Prints a duration in the short form, `1h30m`; zero is `0s`.
pub fn format_duration(duration: TimeDelta) -> String {
    let mut rest = duration.num_milliseconds().max(0);
    let mut text = String::new();
    for (unit, name) in [
        (86_400_000, "d"),
        (3_600_000, "h"),
        (60_000, "m"),
        (1000, "s"),
        (1, "ms"),
    ] {
        if rest >= unit {
            let _ = write!(text, "{}{name}", rest / unit);
            rest %= unit;
        }
    }
    if text.is_empty() {
        "0s".to_owned()
    } else {
        text
    }
}
