//! `horarium check FILE`: the whole file, and every fault at once.

use std::{path::Path, process::ExitCode};

use super::Failure;
use crate::config::{Config, Environment};

/// Reads the file alone, without the environment: it is checked for wherever it will be used.
pub fn run(file: &Path) -> Result<ExitCode, Failure> {
    let config = Config::load(Some(file), &Environment::default())?;
    let triggers: usize = config.jobs.iter().map(|job| job.triggers.len()).sum();
    println!(
        "{}: good, {} and {}",
        file.display(),
        counted(config.jobs.len(), "job"),
        counted(triggers, "trigger"),
    );
    Ok(ExitCode::SUCCESS)
}

fn counted(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}
