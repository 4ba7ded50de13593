//! `test` and `check`: run steps, go on after a failure, and report.

use crate::{
    checkout,
    counts::Tally,
    install::{self, Need},
    sh::{Result, say},
    steps::{self, Done, STEPS, Step},
};
use std::time::{Duration, Instant};

pub fn all() -> Result {
    let steps: Vec<&Step> = STEPS.iter().filter(|step| step.by_default).collect();
    conclude_tests(run(&steps, &[]))
}

/// Type errors are among what clippy reports, so `cargo check` has nothing to add to it.
pub fn check() -> Result {
    let names = ["fmt", "clippy", "clippy-browser", "core-browser"];
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| names.contains(&step.name))
        .collect();
    let sum = run(&steps, &[]);
    let last_line = match sum.failed {
        0 => "ok".to_owned(),
        failed => format!("{failed} failed"),
    };
    conclude(sum, &last_line)
}

pub fn only(name: &str, args: &[&str]) -> Result {
    let step = steps::find(name).ok_or_else(|| {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        format!("no such step: {name}; there are {}", names.join(", "))
    })?;
    let mut steps = vec![step];
    if let Some(before) = step.after {
        steps.insert(0, steps::find(before).expect("a test of this list"));
    }
    conclude_tests(run(&steps, args))
}

/// One line of the table at the end.
struct Row {
    step: &'static str,
    took: Duration,
    result: String,
    tally: Tally,
}

impl Row {
    fn ok(&self) -> bool {
        self.tally.failed == 0
    }

    fn failed(step: &'static str, took: Duration, why: &str) -> Self {
        Self {
            step,
            took,
            result: format!("FAILED: {why}"),
            tally: Tally {
                passed: 0,
                failed: 1,
            },
        }
    }
}

fn run(steps: &[&Step], args: &[&str]) -> Tally {
    let begun = Instant::now();
    let mut rows = Vec::new();
    let (setup, lacking) = prepare(steps);
    rows.extend(setup);
    for (i, step) in steps.iter().enumerate() {
        eprintln!(
            "\n── {}/{}  {}: {}",
            i + 1,
            steps.len(),
            step.name,
            step.what
        );
        // nothing of what was not made or not installed: it would only fail for a reason already reported
        let broken = step
            .after
            .filter(|after| rows.iter().any(|row: &Row| row.step == *after && !row.ok()));
        let started = Instant::now();
        let row = if let Some(before) = broken {
            Row::failed(
                step.name,
                Duration::ZERO,
                &format!("not run, because {before} failed"),
            )
        } else if step.needs.iter().any(|need| lacking.contains(need)) {
            Row::failed(
                step.name,
                Duration::ZERO,
                "not run, because its tools could not be installed",
            )
        } else {
            // the arguments are for the step that was asked for, not for the one before it
            let args = if i + 1 == steps.len() { args } else { &[] };
            perform(step, args, started)
        };
        if !row.ok() {
            say(format!("{}: {}", row.step, row.result));
        }
        rows.push(row);
    }
    report(&rows, begun.elapsed())
}

fn perform(step: &Step, args: &[&str], started: Instant) -> Row {
    let outcome = (step.run)(args);
    let took = started.elapsed();
    let (result, tally) = match outcome {
        Ok(Done::Checked) => ("ok".to_owned(), Tally::default()),
        Ok(Done::Skipped(why)) => (format!("skipped: {why}"), Tally::default()),
        Ok(Done::Tested(t)) if t.failed == 0 => (format!("ok: {} passed", t.passed), t),
        Ok(Done::Tested(t)) => (
            format!("FAILED: {} passed, {} failed", t.passed, t.failed),
            t,
        ),
        Err(e) => return Row::failed(step.name, took, &e.to_string()),
    };
    Row {
        step: step.name,
        took,
        result,
        tally,
    }
}

/// Installs what the steps need; it returns its line of the table, if there was anything to tell, and what is lacking.
fn prepare(steps: &[&Step]) -> (Option<Row>, Vec<Need>) {
    let started = Instant::now();
    let needs: Vec<Need> = Need::ALL
        .into_iter()
        .filter(|need| steps.iter().any(|step| step.needs.contains(need)))
        .collect();
    let failed = install::each(&needs);
    let mut why: Vec<String> = failed.iter().map(|(_, why)| why.clone()).collect();
    why.extend(checkout::claim_target().err().map(|e| e.to_string()));
    let lacking = failed.into_iter().map(|(need, _)| need).collect();
    let took = started.elapsed();
    let row = if !why.is_empty() {
        Some(Row::failed("setup", took, &why.join("; ")))
    } else if took > Duration::from_secs(3) {
        Some(Row {
            step: "setup",
            took,
            result: "ok".to_owned(),
            tally: Tally::default(),
        })
    } else {
        None
    };
    (row, lacking)
}

/// The table, to standard output; it returns the sum.
fn report(rows: &[Row], took: Duration) -> Tally {
    let mut sum = Tally::default();
    println!();
    for row in rows {
        sum += row.tally;
        // a table has one line for each step
        let result = row.result.lines().next().unwrap_or_default();
        println!(
            "{:<15} {:>7.1} s  {result}",
            row.step,
            row.took.as_secs_f32()
        );
    }
    println!("{:<15} {:>7.1} s", "all", took.as_secs_f32());
    for row in rows.iter().filter(|row| !row.ok() && row.step != "setup") {
        println!("alone: cargo xtask test --only {}", row.step);
    }
    sum
}

/// The last line of all, whatever the result; a failure is told by the exit code, not by another line.
fn conclude(sum: Tally, last_line: &str) -> ! {
    println!("{last_line}");
    std::process::exit(i32::from(sum.failed > 0))
}

fn conclude_tests(sum: Tally) -> ! {
    conclude(
        sum,
        &format!("{} passed, {} failed", sum.passed, sum.failed),
    )
}
