//! The signs `L`, `W` and `#`: last days, working days, and weekdays of the month (S64–S69, S71).

use std::ops::Range;

use super::element::WEEKDAYS;
use super::error::{CronError, CronErrorKind, Field};
use super::fields::replaced;
use super::parse::Parser;

impl Parser<'_> {
    /// Reads `L`, `L-n`, `nW`, `LW`, `nL` and `n#k`; false when the element is none of them.
    pub(super) fn special(
        &mut self,
        field: Field,
        text: &str,
        at: &Range<usize>,
        alone: bool,
    ) -> Result<bool, CronError> {
        let ends = |letter: u8| {
            text.as_bytes()
                .last()
                .is_some_and(|last| last.eq_ignore_ascii_case(&letter))
        };
        let body = &text[..text.len() - 1];
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let day_last = text.eq_ignore_ascii_case("L")
            || text
                .get(..2)
                .is_some_and(|start| start.eq_ignore_ascii_case("L-"));
        let nearest = ends(b'W') && (digits(body) || body.eq_ignore_ascii_case("L"));
        let weekday_last = ends(b'L')
            && !body.is_empty()
            && (digits(body) || WEEKDAYS.iter().any(|name| name.eq_ignore_ascii_case(body)));
        let nth = text.contains('#');
        if !(day_last || nearest || weekday_last || nth) {
            return Ok(false);
        }
        let refuse = |message: String| {
            Err(self.error(CronErrorKind::Special, at.clone(), Some(field), message))
        };
        if !self.traits.specials {
            return refuse(format!(
                "{} has no L, W or #, so {text} has no meaning.",
                self.dialect.title()
            ));
        }
        if !alone && !self.traits.specials_in_lists {
            return refuse(format!(
                "{} takes {text} only alone, not in a list.",
                self.dialect.title()
            ));
        }
        match field {
            Field::Day if day_last => self.last_day(text, at)?,
            Field::Day if nearest => self.nearest_day(text, body, at)?,
            Field::Weekday if weekday_last => {
                let day = self.value(field, body, at.start..at.end - 1)?.number % 7;
                self.rule.dow_last |= 1 << day;
            }
            Field::Weekday if nth => self.nth_weekday(text, at)?,
            Field::Weekday if text.eq_ignore_ascii_case("L") && self.traits.bare_last_weekday => {
                self.rule.dow |= 1 << 6
            }
            Field::Weekday if text.eq_ignore_ascii_case("L") => {
                return refuse("L alone has no meaning for the day of week; write FRIL for the last Friday, or L in the day field for the last day of the month.".to_owned());
            }
            _ if nth => {
                return refuse(format!("# belongs to the day of week, not to the {field}."));
            }
            _ if nearest => {
                return refuse(format!(
                    "W belongs to the day of month, not to the {field}."
                ));
            }
            _ => {
                return refuse(format!(
                    "{text} has no meaning for the {field}; L belongs to the day of month, or behind a weekday."
                ));
            }
        }
        Ok(true)
    }

    fn last_day(&mut self, text: &str, at: &Range<usize>) -> Result<(), CronError> {
        if text.len() == 1 {
            self.rule.dom_last |= 1;
            return Ok(());
        }
        let back = &text[2..];
        let number = back
            .parse::<u32>()
            .ok()
            .filter(|_| back.bytes().all(|b| b.is_ascii_digit()));
        match number {
            Some(number) if (1..=30).contains(&number) => {
                self.rule.dom_last |= 1 << number;
                Ok(())
            }
            Some(_) => {
                let mut error = self.error(
                    CronErrorKind::OutOfRange,
                    at.clone(),
                    Some(Field::Day),
                    format!("{text} counts days before the last one, from L-1 to L-30."),
                );
                error.suggestion = (number == Some(0)).then(|| replaced(self.text, at, "L"));
                Err(error)
            }
            None => {
                let message = format!(
                    "{text} is not understood; write L-3 for the third day before the last."
                );
                Err(self.error(
                    CronErrorKind::Malformed,
                    at.clone(),
                    Some(Field::Day),
                    message,
                ))
            }
        }
    }

    fn nearest_day(&mut self, text: &str, body: &str, at: &Range<usize>) -> Result<(), CronError> {
        if body.eq_ignore_ascii_case("L") {
            self.rule.last_workday = true;
            return Ok(());
        }
        if body.is_empty() {
            let message =
                format!("{text} needs a day before it, as in 15W, or L for the last working day.");
            return Err(self.error(
                CronErrorKind::Malformed,
                at.clone(),
                Some(Field::Day),
                message,
            ));
        }
        let day = self.value(Field::Day, body, at.start..at.end - 1)?.number;
        self.rule.dom_nearest |= 1 << day;
        Ok(())
    }

    fn nth_weekday(&mut self, text: &str, at: &Range<usize>) -> Result<(), CronError> {
        let (day, count) = text.split_once('#').unwrap_or((text, ""));
        let weekday = self
            .value(Field::Weekday, day, at.start..at.start + day.len())?
            .number
            % 7;
        match count.parse::<usize>() {
            Ok(k) if count.len() == 1 && (1..=5).contains(&k) => {
                self.rule.dow_nth[k - 1] |= 1 << weekday;
                Ok(())
            }
            _ => {
                let message = format!("{text} needs a count from 1 to 5 behind #, as in {day}#2.");
                Err(self.error(
                    CronErrorKind::OutOfRange,
                    at.end - count.len()..at.end,
                    Some(Field::Weekday),
                    message,
                ))
            }
        }
    }
}
