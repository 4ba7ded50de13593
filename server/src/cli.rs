//! The command line. Exit status 0 when all went well, 1 when it could not be done, 2 when what was asked for is wrong.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand};
use horarium_core::cron::Dialect;

mod audit;
mod batch;
mod check;
mod next;
mod output;
mod serve;

use crate::{
    config::{Config, ConfigError, Environment, FILE_NAME},
    start_error::StartError,
};

/// A job scheduler with its own admin console.
#[derive(Debug, Parser)]
#[command(name = "horarium", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the scheduler and its console.
    Serve(ServeArgs),
    /// Show when a schedule fires.
    Next(NextArgs),
    /// Check a configuration file with all its jobs.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Prove that every nominal instant of every trigger has exactly one verdict.
    Audit(AuditArgs),
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
struct ServeArgs {
    /// The configuration; without it, horarium.toml in the data folder, if there is one.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder for the store; the platform's data folder without it.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The address to listen on, over the configuration's.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Let everybody on this machine in without signing in.
    #[arg(long)]
    no_auth: bool,
}

/// Arguments of `next`.
#[derive(Debug, Args)]
struct NextArgs {
    /// A cron expression, or the full text of a schedule.
    #[arg(required_unless_present = "batch", allow_hyphen_values = true)]
    schedule: Option<String>,
    /// The time zone of a cron expression; UTC without it.
    #[arg(long, value_name = "ZONE", default_value = "")]
    tz: String,
    /// Fires after this instant, for instance 2026-10-01T06:00:00Z; now without it.
    #[arg(long, value_name = "INSTANT")]
    from: Option<String>,
    /// How many fires to show.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
    /// How to read a cron expression: horarium, unix, spring or quartz.
    #[arg(long, value_name = "DIALECT", default_value = "horarium")]
    dialect: Dialect,
    /// Say in words what the schedule means, and show what does not fire and why.
    #[arg(long)]
    explain: bool,
    /// Show the fires before the instant, latest first.
    #[arg(long)]
    previous: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Read JSON lines from standard input and answer each with one.
    #[arg(long, conflicts_with_all = ["schedule", "json", "explain", "previous"])]
    batch: bool,
    /// Where the calendars are that the schedule names.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Arguments of `audit`.
#[derive(Debug, Args)]
struct AuditArgs {
    /// The folder of the store; the platform's data folder without it.
    #[arg(long, value_name = "DIR", conflicts_with = "store")]
    data: Option<PathBuf>,
    /// The store, for instance sqlite:/var/lib/horarium/horarium.db.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Only instants after this one.
    #[arg(long, value_name = "INSTANT")]
    from: Option<String>,
    /// Only instants up to this one.
    #[arg(long, value_name = "INSTANT")]
    to: Option<String>,
    /// Print one JSON object before the last line.
    #[arg(long)]
    json: bool,
}

/// Why a command failed: what to print on standard error, and the exit status.
struct Failure {
    text: String,
    status: u8,
}

impl Failure {
    /// What was asked for is wrong.
    fn asked(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            status: 2,
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        Self {
            status: error.exit_status(),
            text: error.to_string(),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::asked(error.to_string())
    }
}

/// Reads the arguments, does the work, answers the exit status.
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    let environment = Environment::of_process();
    let done = match command {
        Command::Serve(args) => serve::run(args, &environment),
        Command::Next(args) if args.batch => batch::run(&args),
        Command::Next(args) => next::run(&args),
        Command::Check { file } => check::run(&file),
        Command::Audit(args) => audit::run(args, &environment),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("horarium: {}", failure.text);
            ExitCode::from(failure.status)
        }
    }
}

/// The configuration that `serve` and `audit` use: the named file, or the data folder's.
fn load(
    file: Option<&Path>,
    data: &Path,
    environment: &Environment,
) -> Result<Config, ConfigError> {
    let default = data.join(FILE_NAME);
    let file = file.or_else(|| default.is_file().then_some(default.as_path()));
    Config::load(file, environment)
}

/// A runtime for the commands that need one.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure {
            text: format!("no threads to work with: {error}"),
            status: 1,
        })
}
