//! A schedule text taken apart: the words before the tails, and the tails `key=value`.

use std::fmt;
use std::ops::Range;

use chrono::{DateTime, Datelike, SubsecRound, Utc};

use super::{Schedule, ScheduleKind};
use crate::zone::Zone;

/// A schedule text that cannot be read. `Display` is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleError {
    /// Bytes of the text that are wrong.
    pub at: Range<usize>,
    /// What is wrong and what to do, as sentences.
    pub message: String,
    /// The whole text put right, when there is one clear way.
    pub suggestion: Option<String>,
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, " Did you mean {suggestion:?}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ScheduleError {}

const TAILS: [&str; 8] = [
    "tz", "start", "end", "calendar", "overlap", "gap", "dialect", "anchor",
];

/// A piece of the text with its place.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    pub text: &'a str,
    pub at: Range<usize>,
}

/// The text taken apart: the words before the tails, and the tails.
pub(super) struct Parts<'a> {
    pub text: &'a str,
    pub head: Vec<Part<'a>>,
    pub tails: Vec<(&'a str, Part<'a>)>,
}

pub(super) fn error(at: Range<usize>, message: impl Into<String>) -> ScheduleError {
    ScheduleError {
        at,
        message: message.into(),
        suggestion: None,
    }
}

fn words(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    for word in text.split(|c: char| c.is_ascii_whitespace()) {
        if !word.is_empty() {
            parts.push(Part {
                text: word,
                at: at..at + word.len(),
            });
        }
        at += word.len() + 1;
    }
    parts
}

/// The key of `key=value`, when the word has that shape.
fn tail_key(word: &str) -> Option<&str> {
    let (key, _) = word.split_once('=')?;
    (!key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase())).then_some(key)
}

impl<'a> Parts<'a> {
    pub fn of(text: &'a str) -> Result<Parts<'a>, ScheduleError> {
        let mut parts = Parts {
            text,
            head: Vec::new(),
            tails: Vec::new(),
        };
        for word in words(text) {
            match (tail_key(word.text), parts.tails.last_mut()) {
                (Some(key), _) => {
                    let from = word.at.start + key.len() + 1;
                    let value = Part {
                        text: &text[from..word.at.end],
                        at: from..word.at.end,
                    };
                    parts.add_tail(key, word, value)?;
                }
                (None, None) => parts.head.push(word),
                // Windows zone ids hold blanks: the value goes on up to the next key.
                (None, Some(("tz", value))) => {
                    value.at.end = word.at.end;
                    value.text = &text[value.at.clone()];
                }
                (None, Some(_)) => {
                    return Err(error(
                        word.at,
                        format!(
                            "{:?} stands behind the tails; write key=value, with one of {}.",
                            word.text,
                            TAILS.join(", ")
                        ),
                    ));
                }
            }
        }
        Ok(parts)
    }

    fn add_tail(
        &mut self,
        key: &'a str,
        word: Part<'a>,
        value: Part<'a>,
    ) -> Result<(), ScheduleError> {
        let key_at = word.at.start..word.at.start + key.len();
        if !TAILS.contains(&key) {
            return Err(error(
                key_at,
                format!(
                    "{key}= is not known; a schedule takes {}.",
                    TAILS.join("=, ") + "="
                ),
            ));
        }
        if self.tails.iter().any(|(known, _)| *known == key) {
            return Err(error(key_at, format!("{key}= stands twice; keep one.")));
        }
        if value.text.is_empty() && key != "tz" {
            return Err(error(word.at, format!("{key}= has no value.")));
        }
        self.tails.push((key, value));
        Ok(())
    }

    pub fn take(&mut self, key: &str) -> Option<Part<'a>> {
        let index = self.tails.iter().position(|(known, _)| *known == key)?;
        Some(self.tails.remove(index).1)
    }

    pub fn take_instant(&mut self, key: &str) -> Result<Option<DateTime<Utc>>, ScheduleError> {
        self.take(key).map(|part| instant(&part)).transpose()
    }

    pub fn take_choice<T: Copy + Default>(
        &mut self,
        key: &str,
        choices: &[(T, &str)],
    ) -> Result<T, ScheduleError> {
        let Some(part) = self.take(key) else {
            return Ok(T::default());
        };
        choices
            .iter()
            .find(|(_, name)| *name == part.text)
            .map(|(choice, _)| *choice)
            .ok_or_else(|| {
                let names: Vec<&str> = choices.iter().map(|(_, name)| *name).collect();
                error(
                    part.at,
                    format!(
                        "{:?} is not a choice for {key}=; use {}.",
                        part.text,
                        names.join(", ")
                    ),
                )
            })
    }

    pub fn take_zone(&mut self, default: &Zone) -> Result<Zone, ScheduleError> {
        let Some(part) = self.take("tz") else {
            return Ok(default.clone());
        };
        Zone::parse(part.text).map_err(|wrong| {
            let suggestion = wrong
                .suggestions
                .first()
                .map(|zone| replaced(self.text, &part.at, zone));
            ScheduleError {
                at: part.at.clone(),
                message: format!("{}.", wrong.to_string().trim_end_matches('?')),
                suggestion,
            }
        })
    }

    pub fn finish(mut self, kind: ScheduleKind) -> Result<Schedule, ScheduleError> {
        let (start, end) = (self.take_instant("start")?, self.take_instant("end")?);
        let calendar = match self.take("calendar") {
            Some(part) => Some(
                part.text
                    .parse()
                    .map_err(|wrong| error(part.at, format!("{wrong}.")))?,
            ),
            None => None,
        };
        if let Some((key, part)) = self.tails.first() {
            let at = part.at.start - key.len() - 1..part.at.end;
            return Err(error(
                at,
                format!("{key}= has no meaning for this kind of schedule; remove it."),
            ));
        }
        if let (Some(start), Some(end)) = (start, end)
            && start > end
        {
            return Err(error(
                0..self.text.len(),
                "The schedule ends before it starts; swap start= and end=.",
            ));
        }
        Ok(Schedule {
            kind,
            start,
            end,
            calendar,
        })
    }

    /// The single argument of a kind, with what it should have been in the message.
    pub fn argument(&self, form: &str) -> Result<Part<'a>, ScheduleError> {
        match self.head.get(1) {
            Some(part) => Ok(part.clone()),
            None => Err(error(
                self.head[0].at.clone(),
                format!("{} needs more; write {form}.", self.head[0].text),
            )),
        }
    }

    pub fn no_more(&self, from: usize) -> Result<(), ScheduleError> {
        match self.head.get(from) {
            Some(part) => Err(error(
                part.at.clone(),
                format!("{:?} is too much here; remove it.", part.text),
            )),
            None => Ok(()),
        }
    }
}

pub(super) fn replaced(text: &str, at: &Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

pub(super) fn instant(part: &Part<'_>) -> Result<DateTime<Utc>, ScheduleError> {
    let wrong = || {
        let message = format!(
            "{:?} is not an instant; write it in UTC as 2026-10-01T06:00:00Z, or with an offset.",
            part.text
        );
        error(part.at.clone(), message)
    };
    let at = DateTime::parse_from_rfc3339(part.text).map_err(|_| wrong())?;
    let at = at.with_timezone(&Utc).trunc_subsecs(6);
    // Years of four digits, so that the printed text can be read again.
    if (1..=9999).contains(&at.year()) {
        Ok(at)
    } else {
        Err(wrong())
    }
}
