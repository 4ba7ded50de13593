//! The job types `command:<name>`: start a program that the owner of the machine named in the configuration (T6).
//!
//! No shell, a cleared environment, a process group of its own. A cancelled run ends the whole group: first politely,
//! then, after five seconds, for sure. What is left of the group when the program itself has ended is ended, too.

use std::{io, process::Stdio, time::Duration};

use async_trait::async_trait;
use horarium_core::data::Data;
use horarium_engine::{
    job::{Job, Outcome, RunContext},
    run_log::RunLog,
};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader},
    task::JoinHandle,
};

use crate::config::{Argument, CommandConfig, Part};

/// Where programs without a path are looked for.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// How long a group may take to end politely.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long output may still come when the program has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// The longest line that is looked at, in bytes; the rest of a longer one is dropped.
const MAX_LINE: usize = 16 * 1024;
/// `SIGTERM`.
const TERM: i32 = 15;

/// Starts one program of the configuration.
pub struct CommandJob {
    config: CommandConfig,
}

impl CommandJob {
    /// A job type for this program.
    pub fn new(config: CommandConfig) -> Self {
        Self { config }
    }

    fn command(&self, context: &RunContext, args: Vec<String>) -> CommandWrap {
        let mut wrap = CommandWrap::with_new(&self.config.program, |command| {
            command
                .args(args)
                .env_clear()
                .env("PATH", PATH)
                .envs(&self.config.env)
                .env("HORARIUM_RUN_ID", context.id.to_string())
                .env("HORARIUM_JOB", context.job.as_str())
                .env("HORARIUM_ATTEMPT", context.attempt.to_string())
                .env("HORARIUM_TOKEN", context.token.to_string())
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(directory) = &self.config.directory {
                command.current_dir(directory);
            }
        });
        wrap.wrap(ProcessGroup::leader());
        wrap
    }
}

#[async_trait]
impl Job for CommandJob {
    async fn run(&self, context: RunContext) -> Outcome {
        let args = match fill(&self.config.args, &context.data) {
            Ok(args) => args,
            Err(problems) => return Outcome::failed("COMMAND_DATA", problems.join("; ")),
        };
        let mut group = match self.command(&context, args).spawn() {
            Ok(child) => Group(child),
            Err(error) => {
                let program = self.config.program.display();
                return Outcome::failed(
                    "COMMAND_START",
                    format!("{program} cannot be started: {error}"),
                );
            }
        };
        let output = group.read_output(&context.log);
        let ended = tokio::select! {
            status = group.0.wait() => Some(status),
            () = context.cancellation.cancelled() => None,
        };
        match ended {
            Some(status) => {
                group.settle(output, LAST_WORDS).await;
                outcome(status)
            }
            None => {
                context.log.line("warn", "the program is asked to end");
                group.end(output).await;
                Outcome::failed("COMMAND_CANCELED", "the program was ended")
            }
        }
    }

    fn check(&self, data: &Data) -> Vec<String> {
        // a key may still come with a trigger or a request; what is there must fit
        self.config
            .args
            .iter()
            .flat_map(|argument| &argument.0)
            .filter_map(|part| match part {
                Part::Data(key) => text_of(key, data.get(key)?).err(),
                Part::Text(_) => None,
            })
            .collect()
    }
}

/// A running group of processes; ended when it is dropped.
struct Group(Box<dyn ChildWrapper>);

impl Drop for Group {
    fn drop(&mut self) {
        // nothing is left to be told when the group is gone already
        drop(self.0.start_kill());
    }
}

impl Group {
    fn read_output(&mut self, log: &RunLog) -> [Option<JoinHandle<()>>; 2] {
        let out = self.0.stdout().take();
        let err = self.0.stderr().take();
        [
            out.map(|pipe| tokio::spawn(copy_lines(pipe, log.clone(), "stdout"))),
            err.map(|pipe| tokio::spawn(copy_lines(pipe, log.clone(), "stderr"))),
        ]
    }

    /// Asks the group to end, and sees to it.
    async fn end(&mut self, output: [Option<JoinHandle<()>>; 2]) {
        // a group that is gone cannot be asked
        drop(self.0.signal(TERM));
        let polite = async {
            // how it ended says nothing once it was asked to
            drop(self.0.wait().await);
        };
        if wait_at_most(PATIENCE, polite).await {
            self.settle(output, PATIENCE).await;
        } else {
            self.settle(output, Duration::ZERO).await;
            drop(self.0.wait().await);
        }
    }

    /// Waits for the last lines, then ends whatever still holds the output open.
    async fn settle(&mut self, mut output: [Option<JoinHandle<()>>; 2], patience: Duration) {
        let read = async {
            for reader in output.iter_mut().flatten() {
                drop(reader.await);
            }
        };
        let closed = wait_at_most(patience, read).await;
        drop(self.0.start_kill());
        if !closed {
            for reader in output.iter().flatten() {
                reader.abort();
            }
        }
    }
}

/// Whether the future ended in time.
async fn wait_at_most(patience: Duration, future: impl Future<Output = ()>) -> bool {
    tokio::time::timeout(patience, future).await.is_ok()
}

fn outcome(status: io::Result<std::process::ExitStatus>) -> Outcome {
    use std::os::unix::process::ExitStatusExt as _;
    let status = match status {
        Ok(status) => status,
        Err(error) => {
            return Outcome::failed(
                "COMMAND_LOST",
                format!("the program's end is unknown: {error}"),
            );
        }
    };
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Succeeded(Some("exit status 0".to_owned())),
        (Some(code), _) => Outcome::failed(
            "COMMAND_EXIT",
            format!("the program ended with exit status {code}"),
        ),
        (None, signal) => Outcome::failed(
            "COMMAND_SIGNAL",
            format!(
                "the program was ended by signal {}",
                signal.unwrap_or_default()
            ),
        ),
    }
}

/// Fills the arguments from the run's data; all faults at once.
fn fill(args: &[Argument], data: &Data) -> Result<Vec<String>, Vec<String>> {
    let mut problems = Vec::new();
    let mut filled = Vec::new();
    for argument in args {
        let mut text = String::new();
        for part in &argument.0 {
            match part {
                Part::Text(fixed) => text.push_str(fixed),
                Part::Data(key) => match data.get(key) {
                    None => problems.push(format!("the run's data have no '{key}', which the command needs")),
                    Some(value) => match text_of(key, value) {
                        // as a whole argument it would be read as an option
                        Ok(value) if text.is_empty() && value.starts_with('-') => problems.push(
                            format!("the value of '{key}' begins with '-', which programs take for an option"),
                        ),
                        Ok(value) => text.push_str(&value),
                        Err(problem) => problems.push(problem),
                    },
                },
            }
        }
        filled.push(text);
    }
    if problems.is_empty() {
        Ok(filled)
    } else {
        Err(problems)
    }
}

fn text_of(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) if text.contains('\0') => {
            Err(format!("the value of '{key}' holds a zero byte"))
        }
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(b) => Ok(b.to_string()),
        _ => Err(format!(
            "the value of '{key}' must be text, a number, true or false"
        )),
    }
}

async fn copy_lines(pipe: impl AsyncRead + Unpin, log: RunLog, level: &'static str) {
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        let (used, ends) = match reader.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&b| b == b'\n');
                let text = &bytes[..end.unwrap_or(bytes.len())];
                let room = MAX_LINE.saturating_sub(line.len());
                line.extend_from_slice(&text[..text.len().min(room)]);
                (end.map_or(bytes.len(), |at| at + 1), end.is_some())
            }
        };
        reader.consume(used);
        if ends {
            log.line(level, String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    if !line.is_empty() {
        log.line(level, String::from_utf8_lossy(&line));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn data_arg(key: &str) -> Argument {
        Argument(vec![Part::Data(key.to_owned())])
    }

    #[test]
    fn one_placeholder_is_one_argument_whatever_the_data_is() {
        let args = [data_arg("target")];
        for text in ["a b", "a;rm -rf /", "$(id)", "`id`", "a\nb", "'\"", "*", ""] {
            let data = json!({ "target": text });
            let filled = fill(&args, data.as_object().expect("an object"));
            assert_eq!(filled, Ok(vec![text.to_owned()]), "{text:?}");
        }
    }

    #[test]
    fn data_that_do_not_fit_are_refused_with_a_sentence() {
        let prefixed = Argument(vec![
            Part::Text("--to=".to_owned()),
            Part::Data("t".to_owned()),
        ]);
        let cases = [
            (data_arg("t"), json!({}), false),
            (data_arg("t"), json!({"t": "--delete"}), false),
            (data_arg("t"), json!({"t": -1}), false),
            (prefixed, json!({"t": "-x"}), true),
            (data_arg("t"), json!({"t": ["a"]}), false),
            (data_arg("t"), json!({"t": null}), false),
            (data_arg("t"), json!({"t": "a\0b"}), false),
            (data_arg("t"), json!({"t": 5}), true),
            (data_arg("t"), json!({"t": true}), true),
        ];
        for (argument, data, fits) in cases {
            let filled = fill(&[argument], data.as_object().expect("an object"));
            assert_eq!(filled.is_ok(), fits, "{data}");
        }
    }
}
