//! `[commands.NAME]`: programs that command jobs may start. Off unless configured, and no shell ever (T6).

use std::{collections::BTreeMap, path::PathBuf};

use super::section::Section;

/// A program that jobs of the type `command:<name>` start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandConfig {
    /// The program: a path, or a name to be found where system programs are.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<Argument>,
    /// Its whole environment beside `PATH` and the run's own variables.
    pub env: BTreeMap<String, String>,
    /// The folder it starts in.
    pub directory: Option<PathBuf>,
}

/// One argument: fixed text with places that the run's data fills. It stays one argument whatever the data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument(pub Vec<Part>);

/// A piece of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// The run data's value under this key.
    Data(String),
}

/// Reads the section.
pub fn read(section: Section<'_>) -> BTreeMap<String, CommandConfig> {
    let mut commands = BTreeMap::new();
    for (name, mut section) in section.named() {
        if !horarium_core::names::is_valid(&name) {
            section.problem(
                "",
                format!("'{name}' is not a name: use lower-case letters, digits, '.', '_' and '-'"),
            );
        }
        let program = section.required("program", "write the path of the program");
        let args = read_args(&mut section);
        let env = read_env(&mut section);
        let directory = section.text("directory").map(PathBuf::from);
        section.finish();
        if let Some(program) = program {
            let command = CommandConfig {
                program: program.into(),
                args,
                env,
                directory,
            };
            commands.insert(name, command);
        }
    }
    commands
}

fn read_args(section: &mut Section<'_>) -> Vec<Argument> {
    let mut args = Vec::new();
    for text in section.texts("args").unwrap_or_default() {
        match parse_argument(&text) {
            Ok(argument) => args.push(argument),
            Err((at, what)) => section.problem_at("args", what, &text, at..at + 1),
        }
    }
    args
}

fn read_env(section: &mut Section<'_>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    for (name, value) in section.data("env").unwrap_or_default() {
        match value {
            serde_json::Value::String(text) => {
                env.insert(name, text);
            }
            _ => section.problem(
                "env",
                format!("the value of '{name}' must be text in quotes"),
            ),
        }
    }
    env
}

/// Splits an argument at its placeholders; `{{` and `}}` stand for braces.
fn parse_argument(text: &str) -> Result<Argument, (usize, &'static str)> {
    let mut parts = Vec::new();
    let mut fixed = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '{' | '}' if chars.next_if(|&(_, next)| next == c).is_some() => fixed.push(c),
            '{' => {
                let rest = &text[at + 1..];
                let end = rest
                    .find('}')
                    .ok_or((at, "this '{' is not closed; write '{{' for a brace"))?;
                let key = &rest[..end];
                let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
                if key.is_empty() || !key.chars().all(legal) {
                    return Err((
                        at,
                        "a placeholder holds one key of the run's data, as in {target}",
                    ));
                }
                if !fixed.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut fixed)));
                }
                parts.push(Part::Data(key.to_owned()));
                while chars.next_if(|&(i, _)| i <= at + 1 + end).is_some() {}
            }
            '}' => return Err((at, "this '}' opens nowhere; write '}}' for a brace")),
            _ => fixed.push(c),
        }
    }
    if !fixed.is_empty() || parts.is_empty() {
        parts.push(Part::Text(fixed));
    }
    Ok(Argument(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_at_their_placeholders() {
        let text = |t: &str| Part::Text(t.to_owned());
        let data = |t: &str| Part::Data(t.to_owned());
        let cases = [
            ("--to", Ok(vec![text("--to")])),
            ("{target}", Ok(vec![data("target")])),
            (
                "--to={target}.zip",
                Ok(vec![text("--to="), data("target"), text(".zip")]),
            ),
            ("{a}{b}", Ok(vec![data("a"), data("b")])),
            ("{{x}}", Ok(vec![text("{x}")])),
            ("", Ok(vec![text("")])),
            ("{", Err(0)),
            ("a}", Err(1)),
            ("{}", Err(0)),
            ("{a b}", Err(0)),
        ];
        for (argument, expected) in cases {
            let parts = parse_argument(argument).map(|a| a.0).map_err(|(at, _)| at);
            assert_eq!(parts, expected, "{argument:?}");
        }
    }
}
