//! The same text read by every dialect, and texts carried from one dialect to another (S299–S304).

use super::dialect::DayFields;
use super::fields::{Fields, expand_macro};
use super::rule::{Days, all};
use super::{CronError, CronExpression, CronRule, Dialect, Field};

const MONTHS_MASK: u64 = 0b1_1111_1111_1110;
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// A text as one dialect reads it.
#[derive(Debug, Clone)]
pub struct DialectReading {
    /// Who reads.
    pub dialect: Dialect,
    /// What it means there, or why it is refused.
    pub result: Result<CronExpression, CronError>,
}

/// The dialect a text was probably written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The likely dialect.
    pub dialect: Dialect,
    /// Stable key of the reason, for texts in other languages.
    pub key: &'static str,
    /// Why, as a sentence.
    pub reason: &'static str,
}

/// Reads a text by the rules of every dialect.
pub fn readings(text: &str) -> Vec<DialectReading> {
    Dialect::ALL
        .into_iter()
        .map(|dialect| DialectReading {
            dialect,
            result: CronExpression::parse(text, dialect),
        })
        .collect()
}

/// Guesses the dialect of a text from its shape; `None` when no dialect can read it.
pub fn detect(text: &str) -> Option<Detected> {
    let reads = |dialect| CronRule::parse(text, dialect).is_ok();
    let fields = Fields::split(text);
    let found = |dialect, key, reason| {
        Some(Detected {
            dialect,
            key,
            reason,
        })
    };
    if fields.count == 1 && reads(Dialect::Unix) {
        return found(Dialect::Unix, "detect.macro", "It is a macro of crontab.");
    }
    if fields.count == 5 {
        return if reads(Dialect::Unix) {
            found(
                Dialect::Unix,
                "detect.five",
                "It has five fields, as in a crontab.",
            )
        } else if reads(Dialect::Horarium) {
            found(
                Dialect::Horarium,
                "detect.five_special",
                "It has five fields and signs that a crontab does not know.",
            )
        } else {
            None
        };
    }
    if text.contains('?') && reads(Dialect::Quartz) {
        return found(
            Dialect::Quartz,
            "detect.question",
            "It has seconds and a ? in one of the day fields, which Quartz demands.",
        );
    }
    if fields.count == 6 && reads(Dialect::Spring) {
        return found(
            Dialect::Spring,
            "detect.six",
            "It has six fields and is no Quartz text; Spring writes seconds first.",
        );
    }
    if reads(Dialect::Horarium) {
        return found(
            Dialect::Horarium,
            "detect.only",
            "Only the Horarium dialect can read it.",
        );
    }
    None
}

/// Writes an expression in another dialect so that it fires at the same instants, or says why that
/// cannot be done. Weekdays come out as names, which mean the same everywhere (S300).
pub fn convert(expression: &CronExpression, to: Dialect) -> Result<String, String> {
    let rule = expression.rule();
    let traits = to.traits();
    let title = to.title();
    let seconds = rule.seconds != 1;
    if seconds && traits.fields.1 == 5 {
        return Err(format!(
            "{title} has no field for seconds, and this rule fires at other seconds than 0."
        ));
    }
    let all_years = [u64::MAX, u64::MAX, all(2)];
    let years = rule.years != all_years;
    if years && traits.fields.1 < 7 {
        return Err(format!("{title} has no field for years."));
    }
    let (day, week) = day_fields(rule, to)?;
    let mut parts = Vec::new();
    if traits.fields.0 == 6 || seconds || years {
        parts.push(compact(rule.seconds, 0, 59));
    }
    parts.extend([
        compact(rule.minutes, 0, 59),
        compact(u64::from(rule.hours), 0, 23),
        day,
        compact(u64::from(rule.months) & MONTHS_MASK, 1, 12),
        week,
    ]);
    if years {
        parts.push(year_list(rule));
    }
    let text = parts.join(" ");
    match CronRule::parse(&text, to) {
        Ok(converted) if same_fires(rule, &converted) => Ok(text),
        Ok(_) => Err(format!("{title} would read {text} as other instants.")),
        Err(error) => Err(format!("{title} cannot express it: {}", error.message)),
    }
}

/// Whether two rules fire at the same wall times.
pub(super) fn same_fires(a: &CronRule, b: &CronRule) -> bool {
    let days = (28..=31)
        .all(|length| (0..7).all(|first| a.days_of(length, first) == b.days_of(length, first)));
    (a.seconds, a.minutes, a.hours, a.months, a.years)
        == (b.seconds, b.minutes, b.hours, b.months, b.years)
        && days
}

fn day_fields(rule: &CronRule, to: Dialect) -> Result<(String, String), String> {
    let traits = to.traits();
    let (day, week) = (day_text(rule), week_text(rule));
    let special = rule.dom_last | rule.dom_nearest != 0
        || rule.last_workday
        || rule.dow_last != 0
        || rule.dow_nth != [0; 5];
    if special && !traits.specials {
        return Err(format!("{} has no L, W or #.", to.title()));
    }
    // One full field under "either" means every day.
    let (day, week) = match rule.days {
        Days::Either if day == "*" || week == "*" => ("*".to_owned(), "*".to_owned()),
        _ => (day, week),
    };
    if day != "*" && week != "*" {
        let either = traits.days != DayFields::Both;
        match rule.days {
            Days::Either if !either => {
                return Err(format!(
                    "This rule fires when either day field matches; {} cannot say that in one expression, so use two schedules.",
                    to.title()
                ));
            }
            Days::Both if either || traits.needs_question => {
                return Err(format!(
                    "This rule fires only when both day fields match; {} cannot say that.",
                    to.title()
                ));
            }
            _ => {}
        }
    }
    Ok(match (traits.needs_question, week.as_str()) {
        (true, "*") => (day, "?".to_owned()),
        (true, _) => ("?".to_owned(), week),
        (false, _) => (day, week),
    })
}

fn day_text(rule: &CronRule) -> String {
    let mut parts = Vec::new();
    if rule.dom != 0 {
        parts.push(compact(u64::from(rule.dom), 1, 31));
    }
    for back in (0..31).filter(|back| rule.dom_last >> back & 1 == 1) {
        parts.push(if back == 0 {
            "L".to_owned()
        } else {
            format!("L-{back}")
        });
    }
    parts.extend(
        (1..32)
            .filter(|day| rule.dom_nearest >> day & 1 == 1)
            .map(|day| format!("{day}W")),
    );
    if rule.last_workday {
        parts.push("LW".to_owned());
    }
    parts.join(",")
}

fn week_text(rule: &CronRule) -> String {
    if rule.dow == 0x7f {
        return "*".to_owned();
    }
    let mut parts = Vec::new();
    let mut day = 0;
    while day < 7 {
        let run = (day..7)
            .take_while(|next| rule.dow >> next & 1 == 1)
            .count();
        match run {
            0 => {}
            1 => parts.push(WEEKDAYS[day].to_owned()),
            2 => parts.extend([WEEKDAYS[day].to_owned(), WEEKDAYS[day + 1].to_owned()]),
            _ => parts.push(format!("{}-{}", WEEKDAYS[day], WEEKDAYS[day + run - 1])),
        }
        day += run.max(1);
    }
    let named = |mask: u8| {
        WEEKDAYS
            .iter()
            .enumerate()
            .filter(move |(day, _)| mask >> day & 1 == 1)
            .map(|(_, name)| *name)
    };
    parts.extend(named(rule.dow_last).map(|name| format!("{name}L")));
    for (index, mask) in rule.dow_nth.iter().enumerate() {
        parts.extend(named(*mask).map(|name| format!("{name}#{}", index + 1)));
    }
    parts.join(",")
}

fn year_list(rule: &CronRule) -> String {
    let years: Vec<u32> = (0..130)
        .filter(|bit| rule.years[*bit as usize / 64] >> (bit % 64) & 1 == 1)
        .map(|bit| bit + 1970)
        .collect();
    list(&years)
}

/// The shortest plain text of a set of numbers that every dialect reads.
fn compact(mask: u64, low: u32, high: u32) -> String {
    let values: Vec<u32> = (low..=high)
        .filter(|value| mask >> value & 1 == 1)
        .collect();
    if values.len() as u32 == high - low + 1 {
        return "*".to_owned();
    }
    let step = match values.as_slice() {
        [a, b, _, ..] => b - a,
        _ => 1,
    };
    let even = step > 1 && values.windows(2).all(|pair| pair[1] - pair[0] == step);
    match (values.first(), values.last()) {
        (Some(first), Some(last)) if even && *first == low && last + step > high => {
            format!("*/{step}")
        }
        (Some(first), Some(last)) if even => format!("{first}-{last}/{step}"),
        _ => list(&values),
    }
}

/// Numbers as a list of values and ranges.
fn list(values: &[u32]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut index = 0;
    while index < values.len() {
        let run = (index + 1..values.len())
            .take_while(|next| values[*next] == values[index] + (next - index) as u32)
            .count();
        if run >= 2 {
            parts.push(format!("{}-{}", values[index], values[index + run]));
            index += run + 1;
        } else {
            parts.push(values[index].to_string());
            index += 1;
        }
    }
    parts.join(",")
}

/// The text of a field, `*` or `0` standing for what is not written. Macros are expanded.
pub(super) fn field_text(text: &str, field: Field) -> &str {
    let text = expand_macro(text).unwrap_or(text);
    let absent = if field == Field::Second { "0" } else { "*" };
    Fields::split(text)
        .of(field)
        .map_or(absent, |range| &text[range])
}
