//! One element of a field: a number, a name, a range, a step, or one of `?`, `L`, `W`, `#`.

use std::ops::Range;

use super::error::{CronError, CronErrorKind, Field};
use super::fields::replaced;
use super::parse::Parser;
use super::rule::{FIRST_YEAR, all};

const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
pub(super) const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// A number or name with the value it stands for.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub number: u32,
    pub named: bool,
}

/// Smallest and largest number of a field as it is kept; weekday 7 folds into Sunday at the end.
fn bounds(field: Field, sunday_is_one: bool) -> (u32, u32) {
    match field {
        Field::Second | Field::Minute => (0, 59),
        Field::Hour => (0, 23),
        Field::Day => (1, 31),
        Field::Month => (1, 12),
        Field::Weekday if sunday_is_one => (0, 6),
        Field::Weekday => (0, 7),
        Field::Year => (1970, 2099),
    }
}

impl Parser<'_> {
    /// Reads one element and adds what it names to the rule.
    pub(super) fn element(
        &mut self,
        field: Field,
        text: &str,
        at: Range<usize>,
        alone: bool,
    ) -> Result<(), CronError> {
        if text.contains('?') {
            return self.question(field, text, at, alone);
        }
        if self.special(field, text, &at, alone)? {
            return Ok(());
        }
        let (body, step) = match text.split_once('/') {
            Some((body, step)) => (body, Some(self.step(field, text, step, &at)?)),
            None => (text, None),
        };
        let (low, high) = bounds(field, self.traits.sunday_is_one);
        let body_at = at.start..at.start + body.len();
        let (from, to) = if body == "*" {
            (low, high)
        } else if let Some((from, to)) = body.split_once('-') {
            let from = self.value(field, from, body_at.start..body_at.start + from.len())?;
            let to = self.value(field, to, body_at.end - to.len()..body_at.end)?;
            self.range(field, body, &body_at, from, to, step.is_some())?
        } else {
            let from = self.value(field, body, body_at.clone())?.number;
            match step {
                None => (from, from),
                Some(_) if self.traits.open_step => (from, high),
                Some(step) => {
                    let message = format!(
                        "{text} has a step but no range; {} wants a range before the step.",
                        self.dialect.title()
                    );
                    let mut error =
                        self.error(CronErrorKind::Step, at.clone(), Some(field), message);
                    error.suggestion =
                        Some(replaced(self.text, &at, &format!("{body}-{high}/{step}")));
                    return Err(error);
                }
            }
        };
        self.add(field, from, to, step.unwrap_or(1), low, high);
        Ok(())
    }

    /// Sets the values `from`, `from + step`, … up to `to`; a wrapped range goes around the end.
    fn add(&mut self, field: Field, from: u32, to: u32, step: u32, low: u32, high: u32) {
        let size = high - low + 1;
        let last = if to < from { to + size } else { to };
        if field == Field::Year {
            for year in (from..=last).step_by(step as usize) {
                let bit = year - FIRST_YEAR as u32;
                self.rule.years[bit as usize / 64] |= 1 << (bit % 64);
            }
            return;
        }
        if step == 1 && to >= from {
            self.merge(field, all(to + 1) & !((1 << from) - 1));
            return;
        }
        let wrapped = |value: u32| if value > high { value - size } else { value };
        let mask = (from..=last)
            .step_by(step as usize)
            .fold(0, |mask, value| mask | 1 << wrapped(value));
        self.merge(field, mask);
    }

    fn merge(&mut self, field: Field, mask: u64) {
        let rule = &mut self.rule;
        match field {
            Field::Second => rule.seconds |= mask,
            Field::Minute => rule.minutes |= mask,
            Field::Hour => rule.hours |= mask as u32,
            Field::Day => rule.dom |= mask as u32,
            Field::Month => rule.months |= mask as u16,
            // 7 folds into Sunday.
            Field::Weekday => rule.dow |= ((mask | mask >> 7) & 0x7f) as u8,
            // Years do not fit into one mask and are set where they are read.
            Field::Year => {}
        }
    }

    fn question(
        &mut self,
        field: Field,
        text: &str,
        at: Range<usize>,
        alone: bool,
    ) -> Result<(), CronError> {
        let day_field = matches!(field, Field::Day | Field::Weekday);
        if text == "?" && alone && day_field && self.traits.question {
            let (low, high) = bounds(field, self.traits.sunday_is_one);
            self.add(field, low, high, 1, low, high);
            return Ok(());
        }
        let message = if !self.traits.question {
            format!("{} has no ?; use * instead.", self.dialect.title())
        } else if day_field {
            "? must stand alone in its field.".to_owned()
        } else {
            format!(
                "? stands only for the day of month or the day of week, not for the {field}; use * instead."
            )
        };
        let mut error = self.error(CronErrorKind::Special, at.clone(), Some(field), message);
        error.suggestion = (text == "?" && alone).then(|| replaced(self.text, &at, "*"));
        Err(error)
    }

    fn step(
        &self,
        field: Field,
        text: &str,
        step: &str,
        at: &Range<usize>,
    ) -> Result<u32, CronError> {
        let step_at = at.end - step.len()..at.end;
        let digits = !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
        let number = step
            .trim_start_matches('0')
            .parse::<u32>()
            .ok()
            .filter(|_| digits);
        let (low, high) = bounds(field, self.traits.sunday_is_one);
        match number {
            Some(number) if self.traits.large_step || number <= high - low + 1 => {
                Ok(number.min(10_000))
            }
            Some(number) => {
                let message = format!("The step {number} is larger than the {field} field.");
                Err(self.error(CronErrorKind::Step, step_at, Some(field), message))
            }
            None if digits && step.bytes().all(|b| b == b'0') => {
                let mut error = self.error(
                    CronErrorKind::Step,
                    step_at.clone(),
                    Some(field),
                    format!("The step in {text} is zero; it must be at least 1."),
                );
                error.suggestion = Some(replaced(self.text, &step_at, "1"));
                Err(error)
            }
            // Too many digits for a number, but a number: it yields the first value only (A65).
            None if digits && self.traits.large_step => Ok(10_000),
            None => {
                let message = format!("The step in {text} is not a whole number.");
                Err(self.error(CronErrorKind::Step, step_at, Some(field), message))
            }
        }
    }

    fn range(
        &self,
        field: Field,
        text: &str,
        at: &Range<usize>,
        from: Value,
        to: Value,
        stepped: bool,
    ) -> Result<(u32, u32), CronError> {
        let (low, high) = bounds(field, self.traits.sunday_is_one);
        // A64: Sunday as the end of a range is the seventh day.
        let sunday_end = field == Field::Weekday
            && self.traits.sunday_ends_ranges
            && to.named
            && to.number == 0
            && from.number > 0;
        let (from, to) = (from.number, if sunday_end { 7 } else { to.number });
        if from <= to || self.traits.wrapping && field != Field::Year {
            return Ok((from, to));
        }
        let (start, end) = text.split_once('-').unwrap_or((text, text));
        let message = format!(
            "The range {text} in the {field} field runs backwards; {} takes ascending ranges only.",
            self.dialect.title()
        );
        let mut error = self.error(CronErrorKind::Reversed, at.clone(), Some(field), message);
        let spelled =
            |number: u32, like: &str| match (field, like.bytes().all(|b| b.is_ascii_digit())) {
                (Field::Weekday, false) => WEEKDAYS[number as usize % 7].to_owned(),
                (Field::Month, false) => MONTHS[number as usize - 1].to_owned(),
                _ => number.to_string(),
            };
        let fixed = match (field, to, from) {
            (Field::Weekday, 0, _) => format!("{start}-7"),
            (Field::Weekday, _, 7) => format!("0-{end}"),
            (Field::Weekday, ..) => {
                format!("{start}-{},{}-{end}", spelled(6, start), spelled(0, end))
            }
            _ => format!(
                "{start}-{},{}-{end}",
                spelled(high, start),
                spelled(low, end)
            ),
        };
        error.suggestion =
            (field != Field::Year && !stepped).then(|| replaced(self.text, at, &fixed));
        Err(error)
    }

    pub(super) fn value(
        &self,
        field: Field,
        text: &str,
        at: Range<usize>,
    ) -> Result<Value, CronError> {
        if text.is_empty() {
            return Err(self.error(
                CronErrorKind::Malformed,
                at,
                Some(field),
                format!("A number is missing in the {field} field."),
            ));
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return self.number(field, text, at);
        }
        let names: &[&str] = match field {
            Field::Month => &MONTHS,
            Field::Weekday => &WEEKDAYS,
            _ => &[],
        };
        if let Some(index) = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text))
        {
            let first = u32::from(field == Field::Month);
            return Ok(Value {
                number: index as u32 + first,
                named: true,
            });
        }
        let long = names.iter().find(|name| {
            text.len() > 3
                && text
                    .get(..3)
                    .is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        let kind = if text.contains(['-', '/']) {
            CronErrorKind::Malformed
        } else {
            CronErrorKind::Value
        };
        let message = match (long, kind) {
            (Some(name), _) => format!(
                "{text} is not a name of the {field} field; names have three letters, as in {name}."
            ),
            (None, CronErrorKind::Malformed) => {
                format!("{text} has too many parts for the {field} field.")
            }
            (None, _) => format!("{text} is not a value of the {field} field."),
        };
        let mut error = self.error(kind, at.clone(), Some(field), message);
        error.suggestion = long.map(|name| replaced(self.text, &at, name));
        Err(error)
    }

    fn number(&self, field: Field, text: &str, at: Range<usize>) -> Result<Value, CronError> {
        let (low, high) = bounds(field, self.traits.sunday_is_one);
        let shift = u32::from(field == Field::Weekday && self.traits.sunday_is_one);
        let number = text.trim_start_matches('0').parse::<u32>().unwrap_or(
            if text.bytes().all(|b| b == b'0') {
                0
            } else {
                u32::MAX
            },
        );
        if let Some(number) = number
            .checked_sub(shift)
            .filter(|number| (low..=high).contains(number))
        {
            return Ok(Value {
                number,
                named: false,
            });
        }
        let message = format!(
            "{text} is outside of the {field} field, which goes from {} to {}.",
            low + shift,
            high + shift
        );
        let mut error = self.error(CronErrorKind::OutOfRange, at.clone(), Some(field), message);
        error.suggestion = match (field, number) {
            (Field::Hour, 24) => Some(replaced(self.text, &at, "0")),
            (Field::Weekday, 0) => Some(replaced(self.text, &at, "1")),
            // Six fields that end in a year lack the weekday.
            (Field::Weekday, 1970..=2099) if self.traits.fields.1 == 7 => {
                Some(replaced(self.text, &at, &format!("? {text}")))
            }
            _ => None,
        };
        Err(error)
    }
}
