//! What is wrong with a configuration: where, which key, what, and what to do about it.

use std::{
    fmt,
    ops::Range,
    path::{Path, PathBuf},
};

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In the file, at this line, counted from 1.
    Line(usize),
    /// In this environment variable.
    Environment(String),
}

/// One fault of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// The key as a path, for instance `jobs[0].triggers[1].schedule`; empty when the file cannot be read at all.
    pub key: String,
    /// What is wrong and what to do.
    pub text: String,
    /// The value and the bytes of it that are meant.
    pub mark: Option<Mark>,
}

/// A piece of text with a range to point at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The text as it was written.
    pub text: String,
    /// The bytes that are meant.
    pub at: Range<usize>,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // a control character would move the caret, or the terminal's cursor
        let clean = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect()
        };
        let before = self.text.get(..self.at.start).unwrap_or(&self.text);
        let meant = self.text.get(self.at.clone()).unwrap_or_default();
        writeln!(f, "    {}", clean(&self.text))?;
        write!(
            f,
            "    {}{}",
            " ".repeat(before.chars().count()),
            "^".repeat(meant.chars().count().max(1))
        )
    }
}

/// Everything that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file; none when only the environment was read.
    pub file: Option<PathBuf>,
    /// The faults, in the order of the file.
    pub problems: Vec<Problem>,
}

impl ConfigError {
    /// A single fault that concerns the whole file.
    pub fn file(file: &Path, text: impl Into<String>) -> Self {
        Self {
            file: Some(file.to_owned()),
            problems: vec![Problem {
                place: Place::Line(1),
                key: String::new(),
                text: text.into(),
                mark: None,
            }],
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self
            .file
            .as_deref()
            .and_then(Path::file_name)
            .map_or_else(|| "configuration".into(), |n| n.to_string_lossy());
        for problem in &self.problems {
            match &problem.place {
                Place::Line(line) => write!(f, "{name}:{line}: ")?,
                Place::Environment(variable) => write!(f, "{variable}: ")?,
            }
            if !problem.key.is_empty() {
                write!(f, "{}: ", problem.key)?;
            }
            writeln!(f, "{}", problem.text)?;
            if let Some(mark) = &problem.mark {
                writeln!(f, "{mark}")?;
            }
        }
        match self.problems.len() {
            1 => write!(f, "1 error, nothing was started"),
            n => write!(f, "{n} errors, nothing was started"),
        }
    }
}

impl std::error::Error for ConfigError {}
