//! The configuration as a tree in which every value knows where it was written: the file, or a variable over it.

use std::{collections::BTreeMap, ops::Range, path::Path};

use toml::de::{DeTable, DeValue};

use super::problem::{ConfigError, Place, Problem};

/// The prefix of variables that stand for keys.
pub const PREFIX: &str = "HORARIUM_";
/// What separates the steps of a key in a variable's name.
const STEP: &str = "__";

/// A value and where it was written.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub place: Place,
}

/// A value of the configuration.
#[derive(Debug, Clone)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// Yes or no.
    Boolean(bool),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(BTreeMap<String, Node>),
    /// The text of a variable, whose kind depends on who reads it.
    Variable(String),
}

impl Value {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Variable(_) => "text",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// Reads the text of a file and lays the variables over it. Faults of the file's grammar come all at once, too.
pub fn build(
    file: Option<(&Path, &str)>,
    variables: &BTreeMap<String, String>,
) -> Result<Node, ConfigError> {
    let mut problems = Vec::new();
    let mut root = match file {
        Some((_, text)) => {
            let (table, errors) = DeTable::parse_recoverable(text);
            problems.extend(errors.iter().map(|e| grammar(text, e)));
            from_table(text, table.get_ref(), 0..0)
        }
        None => Node {
            value: Value::Table(BTreeMap::new()),
            place: Place::Line(1),
        },
    };
    if problems.is_empty() {
        for (name, text) in variables {
            problems.extend(lay_over(&mut root, name, text));
        }
    }
    if problems.is_empty() {
        Ok(root)
    } else {
        Err(ConfigError {
            file: file.map(|(path, _)| path.to_owned()),
            problems,
        })
    }
}

fn grammar(text: &str, error: &toml::de::Error) -> Problem {
    let at = error.span().unwrap_or(0..0);
    Problem {
        place: Place::Line(line(text, at.start)),
        key: String::new(),
        text: format!("not TOML: {}", error.message()),
        mark: None,
    }
}

fn line(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    1 + before.bytes().filter(|&b| b == b'\n').count()
}

fn from_table(text: &str, table: &DeTable<'_>, at: Range<usize>) -> Node {
    let entries = table.iter().map(|(key, value)| {
        // a table's own span starts at its header, a value's line is where its key stands
        let node = from_value(text, value.get_ref(), key.span());
        (key.get_ref().to_string(), node)
    });
    Node {
        value: Value::Table(entries.collect()),
        place: Place::Line(line(text, at.start)),
    }
}

fn from_value(text: &str, value: &DeValue<'_>, at: Range<usize>) -> Node {
    let value = match value {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Text(i.to_string()),
        },
        DeValue::Float(f) => match f.as_str().parse() {
            Ok(number) => Value::Float(number),
            Err(_) => Value::Text(f.to_string()),
        },
        DeValue::Boolean(b) => Value::Boolean(*b),
        // a date without quotes means its text
        DeValue::Datetime(d) => Value::Text(d.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| from_value(text, item.get_ref(), item.span()))
                .collect(),
        ),
        DeValue::Table(table) => return from_table(text, table, at),
    };
    Node {
        value,
        place: Place::Line(line(text, at.start)),
    }
}

/// Sets the key that a variable stands for; `HORARIUM_JOBS__0__TIMEOUT` is the first job's.
fn lay_over(root: &mut Node, name: &str, text: &str) -> Option<Problem> {
    let steps: Vec<String> = name
        .strip_prefix(PREFIX)?
        .split(STEP)
        .map(str::to_ascii_lowercase)
        .collect();
    let place = Place::Environment(name.to_owned());
    let mut here = root;
    for (depth, step) in steps.iter().enumerate() {
        let missing = |text: String| {
            Some(Problem {
                place: place.clone(),
                key: steps[..=depth].join("."),
                text,
                mark: None,
            })
        };
        here = match &mut here.value {
            Value::Table(entries) => entries.entry(step.clone()).or_insert_with(|| Node {
                value: Value::Table(BTreeMap::new()),
                place: place.clone(),
            }),
            Value::List(items) => {
                let count = items.len();
                match step.parse::<usize>().ok().and_then(|i| items.get_mut(i)) {
                    Some(item) => item,
                    None => {
                        return missing(format!(
                            "there is no entry '{step}' in the file, which has {count}; use a number below {count}"
                        ));
                    }
                }
            }
            _ => return missing("the file has a plain value here, not a table".to_owned()),
        };
    }
    *here = Node {
        value: Value::Variable(text.to_owned()),
        place,
    };
    None
}

/// A variable's text read as a TOML value, for lists and tables.
pub fn parse_variable(text: &str, place: &Place) -> Option<Node> {
    let parsed = DeValue::parse(text).ok()?;
    let mut node = from_value(text, parsed.get_ref(), 0..0);
    set_place(&mut node, place);
    Some(node)
}

fn set_place(node: &mut Node, place: &Place) {
    node.place = place.clone();
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| set_place(item, place)),
        Value::Table(entries) => entries.values_mut().for_each(|e| set_place(e, place)),
        _ => {}
    }
}
