//! From a cron text to a compiled rule.
//!
//! A text that is right costs no heap; everything expensive sits in the error paths.

use std::ops::Range;

use super::dialect::{DayFields, Dialect, Traits};
use super::error::{CronError, CronErrorKind, Field};
use super::fields::{Fields, expand_macro, narrow, replaced, with_question};
use super::rule::{CronRule, Days, all};

/// Longest text that is read (A66).
pub const MAX_TEXT: usize = 256;
const FULL_DAYS: u32 = u32::MAX - 1;
const FULL_WEEK: u8 = 0x7f;

/// A parse under way.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub dialect: Dialect,
    pub traits: &'static Traits,
    pub rule: CronRule,
}

/// Reads a text by the rules of a dialect.
pub(super) fn parse(text: &str, dialect: Dialect) -> Result<CronRule, CronError> {
    let mut parser = Parser {
        text,
        dialect,
        traits: dialect.traits(),
        rule: EMPTY,
    };
    parser.check_text()?;
    let fields = Fields::split(text);
    let first = text.get(fields.range(0)).unwrap_or_default();
    if first.starts_with('@') {
        let equivalent = parser.macro_fields(&fields)?;
        // A macro is five fields in every dialect that has macros.
        return parse(equivalent, Dialect::Unix);
    }
    parser.check_count(&fields)?;
    for field in Field::ALL {
        match fields.of(field) {
            Some(range) => parser.field(field, range)?,
            None => parser.absent(field),
        }
    }
    parser.combine_days(&fields)?;
    parser.finish(&fields);
    Ok(parser.rule)
}

const EMPTY: CronRule = CronRule {
    seconds: 0,
    minutes: 0,
    years: [0; 3],
    hours: 0,
    dom: 0,
    dom_last: 0,
    dom_nearest: 0,
    months: 0,
    dow: 0,
    dow_last: 0,
    dow_nth: [0; 5],
    days: Days::Both,
    last_workday: false,
    year_written: false,
    interval_like: false,
    every_day: false,
    never: false,
};

impl Parser<'_> {
    pub fn error(
        &self,
        kind: CronErrorKind,
        at: Range<usize>,
        field: Option<Field>,
        message: impl Into<String>,
    ) -> CronError {
        let allowed = field.map_or("", |field| self.allowed(field));
        CronError {
            kind,
            message: message.into(),
            at,
            field,
            allowed,
            suggestion: None,
        }
    }

    /// What a field takes in this dialect, for messages.
    pub fn allowed(&self, field: Field) -> &'static str {
        match (field, self.traits.specials, self.traits.sunday_is_one) {
            (Field::Second | Field::Minute, ..) => "0-59, *, a,b a-b */n a-b/n",
            (Field::Hour, ..) => "0-23, *, a,b a-b */n a-b/n",
            (Field::Day, true, _) => "1-31, *, ?, a,b a-b */n, L, L-n, nW, LW",
            (Field::Day, false, _) => "1-31, *, a,b a-b */n",
            (Field::Month, ..) => "1-12 or JAN-DEC, *, a,b a-b */n",
            (Field::Weekday, true, true) => {
                "1-7 (1 = Sunday) or SUN-SAT, *, ?, a,b a-b */n, nL, n#k"
            }
            (Field::Weekday, true, false) => {
                "0-7 (0 and 7 = Sunday) or SUN-SAT, *, ?, a,b a-b */n, nL, n#k"
            }
            (Field::Weekday, false, _) => "0-7 (0 and 7 = Sunday) or SUN-SAT, *, a,b a-b */n",
            (Field::Year, ..) => "1970-2099, *, a,b a-b */n",
        }
    }

    fn check_text(&self) -> Result<(), CronError> {
        let text = self.text;
        if let Some((at, wrong)) = text.char_indices().find(|(_, c)| !c.is_ascii()) {
            let message = format!("The character {wrong:?} cannot stand in a cron expression.");
            let mut error = self.error(
                CronErrorKind::Character,
                at..at + wrong.len_utf8(),
                None,
                message,
            );
            error.suggestion = narrow(text);
            return Err(error);
        }
        if text.len() > MAX_TEXT {
            let message = format!(
                "The expression has {} characters; at most {MAX_TEXT} are read.",
                text.len()
            );
            return Err(self.error(CronErrorKind::TooLong, MAX_TEXT..text.len(), None, message));
        }
        if text.trim_ascii().is_empty() {
            let message = format!(
                "The expression is empty; {} takes {}.",
                self.dialect.title(),
                self.traits.fields_text
            );
            return Err(self.error(CronErrorKind::Empty, 0..text.len(), None, message));
        }
        Ok(())
    }

    fn macro_fields(&self, fields: &Fields) -> Result<&'static str, CronError> {
        let range = fields.range(0);
        let name = &self.text[range.clone()];
        let known = (fields.count == 1).then(|| expand_macro(name)).flatten();
        match known {
            Some(equivalent) if self.traits.macros => Ok(equivalent),
            Some(equivalent) => {
                let message = format!(
                    "{name} is a macro, and {} has none; write the fields.",
                    self.dialect.title()
                );
                let mut error = self.error(CronErrorKind::Macro, range, None, message);
                let seconds = if self.traits.fields.0 == 6 { "0 " } else { "" };
                let fields = if self.traits.needs_question {
                    with_question(equivalent)
                } else {
                    equivalent.to_owned()
                };
                error.suggestion = Some(format!("{seconds}{fields}"));
                Err(error)
            }
            None if name.eq_ignore_ascii_case("@every") => {
                let message = "@every is not a cron expression; use an interval schedule such as \"every 00:00:10\".";
                Err(self.error(CronErrorKind::Macro, range, None, message))
            }
            None => {
                let message = format!(
                    "{name} is not a macro that can be scheduled; write the fields instead."
                );
                Err(self.error(CronErrorKind::Macro, range, None, message))
            }
        }
    }

    fn check_count(&self, fields: &Fields) -> Result<(), CronError> {
        let first = &self.text[fields.range(0)];
        if first.contains('=') {
            let message = "The time zone is not part of the expression; give it apart, as tz=Asia/Shanghai behind the fields.";
            return Err(self.error(CronErrorKind::Value, fields.range(0), None, message));
        }
        let (least, most) = self.traits.fields;
        let count = fields.count;
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let number = self.text.split_ascii_whitespace().count();
        let plural = if number == 1 { "" } else { "s" };
        let message = format!(
            "The expression has {number} field{plural}; {} takes {}.",
            self.dialect.title(),
            self.traits.fields_text
        );
        let start = if count > most {
            fields.range(most).start
        } else {
            fields.range(0).start
        };
        let end = self.text.trim_ascii_end().len();
        let mut error = self.error(CronErrorKind::FieldCount, start..end, None, message);
        let text = self.text.trim_ascii();
        error.suggestion = match (count, least, most) {
            (5, 6, _) if self.traits.needs_question => Some(format!("0 {}", with_question(text))),
            (5, 6, _) => Some(format!("0 {text}")),
            (6, _, 5) if first == "0" => Some(text[1..].trim_ascii_start().to_owned()),
            _ => None,
        };
        Err(error)
    }

    fn field(&mut self, field: Field, range: Range<usize>) -> Result<(), CronError> {
        let text = self.text;
        let mut start = range.start;
        for element in text[range.clone()].split(',') {
            let at = start..start + element.len();
            start = at.end + 1;
            if element.is_empty() {
                let mut error = self.error(
                    CronErrorKind::EmptyElement,
                    at,
                    Some(field),
                    format!("The list in the {field} field has an empty element."),
                );
                let kept: Vec<&str> = text[range.clone()]
                    .split(',')
                    .filter(|part| !part.is_empty())
                    .collect();
                error.suggestion =
                    (!kept.is_empty()).then(|| replaced(text, &range, &kept.join(",")));
                return Err(error);
            }
            let alone = element.len() == range.len();
            self.element(field, element, at, alone)?;
        }
        Ok(())
    }

    fn absent(&mut self, field: Field) {
        match field {
            Field::Second => self.rule.seconds = 1,
            _ => self.rule.years = [u64::MAX, u64::MAX, all(2)],
        }
    }

    fn combine_days(&mut self, fields: &Fields) -> Result<(), CronError> {
        let text = self.text;
        let (Some(day_at), Some(week_at)) = (fields.of(Field::Day), fields.of(Field::Weekday))
        else {
            return Ok(());
        };
        let (day, week) = (&text[day_at.clone()], &text[week_at.clone()]);
        if self.traits.needs_question && (day == "?") == (week == "?") {
            return Err(self.question_error(day, day_at, week, week_at));
        }
        let free = |raw: &str| raw == "*" || raw == "?";
        let starred = day.starts_with('*') || week.starts_with('*');
        self.rule.days = match self.traits.days {
            DayFields::Both => Days::Both,
            DayFields::EitherUnlessStar if starred => Days::Both,
            DayFields::Either if free(day) || free(week) => Days::Both,
            DayFields::Either | DayFields::EitherUnlessStar => Days::Either,
        };
        Ok(())
    }

    fn question_error(
        &self,
        day: &str,
        day_at: Range<usize>,
        week: &str,
        week_at: Range<usize>,
    ) -> CronError {
        let (message, at, field, fix) = if day == "?" {
            (
                "Quartz takes ? in one of the two day fields, not in both.",
                day_at,
                Field::Day,
                Some("*"),
            )
        } else if week == "*" {
            (
                "Quartz wants ? in one of the two day fields.",
                week_at,
                Field::Weekday,
                Some("?"),
            )
        } else if day == "*" {
            (
                "Quartz wants ? in one of the two day fields.",
                day_at,
                Field::Day,
                Some("?"),
            )
        } else {
            (
                "Quartz cannot combine day of month and day of week; set one of them to ? or use two triggers.",
                week_at,
                Field::Weekday,
                None,
            )
        };
        let mut error = self.error(CronErrorKind::Combination, at.clone(), Some(field), message);
        error.suggestion = fix.map(|fix| replaced(self.text, &at, fix));
        error
    }

    fn finish(&mut self, fields: &Fields) {
        let rule = &mut self.rule;
        // Years beyond the last one would only make equal rules differ.
        rule.years[2] &= all(2);
        // Bits are set once more by full fields, so that equal meanings compare equal.
        if rule.dom == FULL_DAYS {
            (rule.dom_last, rule.dom_nearest, rule.last_workday) = (0, 0, false);
        }
        if rule.dow == FULL_WEEK {
            (rule.dow_last, rule.dow_nth) = (0, [0; 5]);
        }
        rule.year_written = fields.of(Field::Year).is_some();
        let repeats = |field| {
            fields
                .of(field)
                .is_some_and(|range| self.text[range].contains(['*', '/']))
        };
        rule.interval_like = [Field::Second, Field::Minute, Field::Hour]
            .into_iter()
            .any(repeats);
        rule.every_day = rule.decide_every_day();
        rule.never = !rule.every_day && rule.decide_never();
    }
}
