//! Calendars as they are written in configuration files and on the wire.

use serde::{Deserialize, Serialize};

use super::{Calendar, TimeOfDay, Weekdays};
use crate::cron::CronExpression;
use crate::zone::Zone;

/// Why a calendar is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CalendarError(pub String);

/// All keys that any kind of calendar has.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    #[serde(alias = "type")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Zone>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dates: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "expr")]
    expression: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "of")]
    members: Option<Vec<Raw>>,
}

impl TryFrom<Raw> for Calendar {
    type Error = CalendarError;

    fn try_from(raw: Raw) -> Result<Calendar, CalendarError> {
        raw.refuse_foreign_keys()?;
        let wrong = |error: String| CalendarError(format!("{} calendar: {error}", raw.kind));
        let missing =
            |key: &str| CalendarError(format!("a {} calendar needs the key {key:?}", raw.kind));
        // S88: without a zone it is UTC.
        let zone = raw.zone.clone().unwrap_or_default();
        match raw.kind.as_str() {
            "holiday" => {
                let dates = raw.dates.as_ref().ok_or_else(|| missing("dates"))?;
                let dates = dates
                    .iter()
                    .map(|date| date.parse())
                    .collect::<Result<_, _>>()
                    .map_err(wrong)?;
                Ok(Calendar::Holiday { dates, zone })
            }
            "weekly" => Ok(Calendar::Weekly {
                days: weekdays(raw.days.as_deref().unwrap_or_default())?,
                zone,
            }),
            "daily" => {
                let time = |key, text: &Option<String>| {
                    text.as_deref()
                        .ok_or_else(|| missing(key))?
                        .parse::<TimeOfDay>()
                        .map_err(wrong)
                };
                let (from, to) = (time("from", &raw.from)?, time("to", &raw.to)?);
                if from == to {
                    return Err(CalendarError(format!(
                        "a daily calendar from {from} to {to} is empty; the two times must differ"
                    )));
                }
                Ok(Calendar::Daily { from, to, zone })
            }
            "cron" => {
                let text = raw
                    .expression
                    .as_ref()
                    .ok_or_else(|| missing("expression"))?;
                let expression = text
                    .parse::<CronExpression>()
                    .map_err(|error| wrong(error.to_string()))?;
                Ok(Calendar::Cron { expression, zone })
            }
            "composite" => {
                let members = raw.members.ok_or_else(|| {
                    CalendarError("a composite calendar needs the key \"members\"".to_owned())
                })?;
                Ok(Calendar::Composite {
                    members: members
                        .into_iter()
                        .map(Calendar::try_from)
                        .collect::<Result<_, _>>()?,
                })
            }
            other => Err(CalendarError(format!(
                "{other:?} is not a kind of calendar; use holiday, weekly, daily, cron or composite"
            ))),
        }
    }
}

/// S84: without days it is the weekend.
fn weekdays(names: &[String]) -> Result<Weekdays, CalendarError> {
    if names.is_empty() {
        return Ok(Weekdays::WEEKEND);
    }
    let day = |name: &String| {
        let found = Weekdays::NAMES
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name));
        found.map(|index| index as u32).ok_or_else(|| {
            CalendarError(format!(
                "weekly calendar: {name:?} is not a weekday; use SUN, MON, TUE, WED, THU, FRI, SAT"
            ))
        })
    };
    Ok(Weekdays::new(
        names.iter().map(day).collect::<Result<Vec<_>, _>>()?,
    ))
}

impl Raw {
    fn refuse_foreign_keys(&self) -> Result<(), CalendarError> {
        let own: &[&str] = match self.kind.as_str() {
            "holiday" => &["zone", "dates"],
            "weekly" => &["zone", "days"],
            "daily" => &["zone", "from", "to"],
            "cron" => &["zone", "expression"],
            "composite" => &["members"],
            // The kind itself is refused later.
            _ => return Ok(()),
        };
        let present = [
            ("zone", self.zone.is_some()),
            ("dates", self.dates.is_some()),
            ("days", self.days.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("expression", self.expression.is_some()),
            ("members", self.members.is_some()),
        ];
        match present
            .iter()
            .find(|(key, there)| *there && !own.contains(key))
        {
            Some((key, _)) => Err(CalendarError(format!(
                "a {} calendar has no key {key:?}; it takes {}",
                self.kind,
                own.join(", ")
            ))),
            None => Ok(()),
        }
    }
}

impl From<Calendar> for Raw {
    fn from(calendar: Calendar) -> Raw {
        let raw = |kind: &str, zone: Option<Zone>| Raw {
            kind: kind.to_owned(),
            zone,
            ..Raw::default()
        };
        match calendar {
            Calendar::Holiday { dates, zone } => Raw {
                dates: Some(dates.iter().map(ToString::to_string).collect()),
                ..raw("holiday", Some(zone))
            },
            Calendar::Weekly { days, zone } => Raw {
                days: Some(days.names().map(str::to_owned).collect()),
                ..raw("weekly", Some(zone))
            },
            Calendar::Daily { from, to, zone } => Raw {
                from: Some(from.to_string()),
                to: Some(to.to_string()),
                ..raw("daily", Some(zone))
            },
            Calendar::Cron { expression, zone } => Raw {
                expression: Some(expression.to_string()),
                ..raw("cron", Some(zone))
            },
            Calendar::Composite { members } => Raw {
                members: Some(members.into_iter().map(Raw::from).collect()),
                ..raw("composite", None)
            },
        }
    }
}
