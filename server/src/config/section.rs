//! Reads a table of the configuration key by key, collects every fault, and in the end names the keys nobody asked for.

use std::{cell::RefCell, collections::BTreeMap, fmt::Display, ops::Range, str::FromStr};

use super::{
    problem::{Mark, Place, Problem},
    tree::{Node, Value, parse_variable},
};

/// Where the faults of one reading are collected.
#[derive(Default)]
pub struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    /// Notes one.
    pub fn add(&self, place: &Place, key: &str, text: impl Into<String>) {
        self.push(place, key, text.into(), None);
    }

    /// Notes one with the part of the value that is meant.
    pub fn add_marked(
        &self,
        place: &Place,
        key: &str,
        text: impl Into<String>,
        value: &str,
        at: Range<usize>,
    ) {
        let mark = Mark {
            text: value.to_owned(),
            at,
        };
        self.push(place, key, text.into(), Some(mark));
    }

    fn push(&self, place: &Place, key: &str, text: String, mark: Option<Mark>) {
        self.0.borrow_mut().push(Problem {
            place: place.clone(),
            key: key.to_owned(),
            text,
            mark,
        });
    }

    /// All of them, in the order of the file.
    pub fn into_sorted(self) -> Vec<Problem> {
        let mut problems = self.0.into_inner();
        problems.sort_by(|a, b| a.place.cmp(&b.place));
        problems
    }
}

/// One table of the configuration.
pub struct Section<'p> {
    problems: &'p Problems,
    path: String,
    place: Place,
    entries: BTreeMap<String, Node>,
    known: Vec<&'static str>,
}

impl<'p> Section<'p> {
    /// The table in a node; anything else is a fault and reads as an empty table.
    pub fn new(problems: &'p Problems, path: &str, node: Node) -> Self {
        let place = node.place.clone();
        let entries = match plain(&node) {
            Value::Table(entries) => entries,
            other => {
                problems.add(
                    &place,
                    path,
                    format!("this is {}, a table is needed here", other.kind()),
                );
                BTreeMap::new()
            }
        };
        Self {
            problems,
            path: path.to_owned(),
            place,
            entries,
            known: Vec::new(),
        }
    }

    /// The path of a key in here.
    pub fn path(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Where a key was written, or the table, when it is missing.
    pub fn place_of(&self, key: &str) -> Place {
        self.entries
            .get(key)
            .map_or_else(|| self.place.clone(), |node| node.place.clone())
    }

    /// Notes a fault of a key.
    pub fn problem(&self, key: &str, text: impl Into<String>) {
        self.problems
            .add(&self.place_of(key), &self.path(key), text);
    }

    /// Notes a fault inside the text of a key.
    pub fn problem_at(&self, key: &str, text: impl Into<String>, value: &str, at: Range<usize>) {
        self.problems
            .add_marked(&self.place_of(key), &self.path(key), text, value, at);
    }

    /// The raw node of a key.
    pub fn node(&mut self, key: &'static str) -> Option<Node> {
        self.known.push(key);
        self.entries.get(key).cloned()
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        let node = self.node(key)?;
        match node.value {
            Value::Text(text) | Value::Variable(text) => Some(text),
            other => self.wrong(key, &other, "text in quotes"),
        }
    }

    /// A text that must be there.
    pub fn required(&mut self, key: &'static str, hint: &str) -> Option<String> {
        if !self.entries.contains_key(key) {
            self.known.push(key);
            self.problem(key, format!("is missing: {hint}"));
            return None;
        }
        self.text(key)
    }

    /// A text that is read as `T`; its own error says what is wrong, `hint` what to write.
    pub fn parsed<T>(&mut self, key: &'static str, hint: &str) -> Option<T>
    where
        T: FromStr,
        T::Err: Display,
    {
        let text = self.text(key)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.problem(key, format!("{error}; {hint}"));
                None
            }
        }
    }

    /// True or false.
    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        match &node.value {
            Value::Boolean(b) => Some(*b),
            Value::Variable(text) if text == "true" => Some(true),
            Value::Variable(text) if text == "false" => Some(false),
            other => self.wrong(key, other, "true or false"),
        }
    }

    /// A whole number that fits `T`.
    pub fn integer<T: TryFrom<i64>>(&mut self, key: &'static str) -> Option<T> {
        let node = self.node(key)?;
        let number = match &node.value {
            Value::Integer(number) => Some(*number),
            Value::Variable(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number else {
            return self.wrong(key, &node.value, "a whole number");
        };
        let fits = T::try_from(number).ok();
        if fits.is_none() {
            self.problem(key, format!("{number} is out of range"));
        }
        fits
    }

    /// A number.
    pub fn number(&mut self, key: &'static str) -> Option<f64> {
        let node = self.node(key)?;
        match &node.value {
            Value::Float(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            Value::Variable(text) if text.trim().parse::<f64>().is_ok() => text.trim().parse().ok(),
            other => self.wrong(key, other, "a number"),
        }
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let items = self.list(key)?;
        let mut texts = Vec::new();
        for item in items {
            match item.value {
                Value::Text(text) => texts.push(text),
                other => self.problems.add(
                    &item.place,
                    &self.path(key),
                    format!("a list of texts is needed, this entry is {}", other.kind()),
                ),
            }
        }
        Some(texts)
    }

    /// A list of nodes.
    pub fn list(&mut self, key: &'static str) -> Option<Vec<Node>> {
        let node = self.node(key)?;
        match plain(&node) {
            Value::List(items) => Some(items),
            other => self.wrong(key, &other, "a list in brackets"),
        }
    }

    /// A table inside this one.
    pub fn section(&mut self, key: &'static str) -> Option<Section<'p>> {
        let node = self.node(key)?;
        Some(Section::new(self.problems, &self.path(key), node))
    }

    /// Another table in the same reading.
    pub fn child(&self, path: &str, node: Node) -> Section<'p> {
        Section::new(self.problems, path, node)
    }

    /// Whether a key was written.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Every entry, each under a name that the writer chose.
    pub fn named(self) -> Vec<(String, Section<'p>)> {
        let sections = self.entries.into_iter().map(|(name, node)| {
            let path = if self.path.is_empty() {
                name.clone()
            } else {
                format!("{}.{name}", self.path)
            };
            (name, Section::new(self.problems, &path, node))
        });
        sections.collect()
    }

    /// A free JSON value.
    pub fn json(&mut self, key: &'static str) -> Option<serde_json::Value> {
        self.node(key).map(|node| json(&node))
    }

    /// A table of free JSON values.
    pub fn data(
        &mut self,
        key: &'static str,
    ) -> Option<serde_json::Map<String, serde_json::Value>> {
        let node = self.node(key)?;
        match json(&node) {
            serde_json::Value::Object(map) => Some(map),
            _ => self.wrong(key, &node.value, "a table, for instance { url = \"…\" }"),
        }
    }

    /// Names the keys that nobody asked for.
    pub fn finish(self) {
        for (key, node) in &self.entries {
            if self.known.contains(&key.as_str()) {
                continue;
            }
            let near = self.known.iter().find(|known| distance(known, key) <= 2);
            let help = match near {
                Some(near) => format!("unknown key; did you mean '{near}'?"),
                None => {
                    let mut known = self.known.clone();
                    known.sort_unstable();
                    known.dedup();
                    format!("unknown key; known here: {}", known.join(", "))
                }
            };
            self.problems.add(&node.place, &self.path(key), help);
        }
    }

    fn wrong<T>(&self, key: &str, value: &Value, needed: &str) -> Option<T> {
        let text = match value {
            // not quoted: it may be a secret
            Value::Variable(_) => format!("the variable's text is not {needed}"),
            other => format!("this is {}, {needed} is needed", other.kind()),
        };
        self.problem(key, text);
        None
    }
}

/// The value; a variable's text is read as TOML where a list or a table is meant.
fn plain(node: &Node) -> Value {
    if let Value::Variable(text) = &node.value
        && let Some(parsed) = parse_variable(text, &node.place)
    {
        return parsed.value;
    }
    node.value.clone()
}

fn json(node: &Node) -> serde_json::Value {
    match plain(node) {
        Value::Text(text) | Value::Variable(text) => text.into(),
        Value::Integer(number) => number.into(),
        Value::Float(number) => number.into(),
        Value::Boolean(b) => b.into(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Table(entries) => entries
            .iter()
            .map(|(key, node)| (key.clone(), json(node)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

/// How many letters differ: the edit distance, for suggestions.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
