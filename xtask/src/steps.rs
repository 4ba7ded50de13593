//! The steps of `cargo xtask test`, in the order in which they run.

use crate::{
    build,
    counts::{Tally, rust_summary},
    end2end,
    install::{Need, WASM},
    sh::{Result, line, run, say, succeeds, tool},
};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

pub struct Step {
    pub name: &'static str,
    pub what: &'static str,
    pub needs: &'static [Need],
    /// It uses what this step makes.
    pub after: Option<&'static str>,
    pub by_default: bool,
    pub run: fn(&[&str]) -> Result<Done>,
}

pub enum Done {
    Checked,
    Tested(Tally),
    Skipped(&'static str),
}

pub const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "cargo fmt --check",
        needs: &[Need::Lints],
        after: None,
        by_default: true,
        run: |_| checked(cargo(&["fmt", "--all", "--check"])),
    },
    Step {
        // early: it can fail, and the end-to-end tests need it. `cargo leptos end-to-end` is not used, because it
        // succeeds when the build fails
        name: "site",
        what: "cargo leptos build: the console for the browser, its style, and the server",
        needs: &Need::BUILD,
        after: None,
        by_default: true,
        run: |_| build::debug().map(|()| Done::Checked),
    },
    Step {
        name: "test",
        what: "cargo test: unit and integration tests of all crates",
        needs: &[],
        after: None,
        by_default: true,
        run: rust_tests,
    },
    Step {
        name: "clippy",
        what: "clippy on all crates and their tests, warnings are errors",
        needs: &[Need::Lints],
        after: None,
        by_default: true,
        run: |_| {
            checked(cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ]))
        },
    },
    Step {
        name: "clippy-browser",
        what: "clippy on the console as the browser compiles it",
        needs: &[Need::Lints, Need::Browser],
        after: None,
        by_default: true,
        run: |_| {
            let mut c = cargo(&["clippy", "--package", "horarium-app", "--lib", "--locked"]);
            c.args([
                "--no-default-features",
                "--features",
                "hydrate",
                "--target",
                WASM,
                "--",
                "-D",
                "warnings",
            ]);
            checked(c)
        },
    },
    Step {
        name: "core-browser",
        what: "horarium-core without its features compiles for the browser",
        needs: &[Need::Browser],
        after: None,
        by_default: true,
        run: |_| {
            let mut c = cargo(&["check", "--package", "horarium-core", "--locked"]);
            c.args(["--no-default-features", "--target", WASM]);
            checked(c)
        },
    },
    Step {
        name: "doc",
        what: "rustdoc of our crates, warnings are errors",
        needs: &[],
        after: None,
        by_default: true,
        run: |_| {
            let mut c = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
            c.env("RUSTDOCFLAGS", "-D warnings");
            checked(c)
        },
    },
    Step {
        name: "deny",
        what: "cargo-deny: licences, banned crates, sources (skipped where it is not installed)",
        needs: &[],
        after: None,
        by_default: true,
        run: |_| {
            if !succeeds(tool("cargo").args(["deny", "--version"])) {
                return Ok(Done::Skipped("cargo-deny is not installed"));
            }
            checked(cargo(&[
                "deny",
                "--log-level",
                "error",
                "check",
                "bans",
                "licenses",
                "sources",
            ]))
        },
    },
    Step {
        name: "end2end",
        what: "Playwright in Chromium against the built server",
        needs: &[Need::Npm, Need::Chromium],
        after: Some("site"),
        by_default: true,
        run: |args| end2end::run(&build::binary()?, Some(&build::site()?), args).map(Done::Tested),
    },
    Step {
        // wasm-opt can break a bundle so that only a browser notices
        name: "release",
        what: "the release binary, built and then tested like end2end",
        needs: &[Need::Browser, Need::Console, Need::Npm, Need::Chromium],
        after: None,
        by_default: false,
        run: |args| end2end::run(&build::release_binary()?, None, args).map(Done::Tested),
    },
];

pub fn find(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

fn cargo(args: &[&str]) -> Command {
    let mut c = tool("cargo");
    c.args(args);
    c
}

fn checked(mut c: Command) -> Result<Done> {
    run(&mut c)?;
    Ok(Done::Checked)
}

/// Runs the Rust tests, passing their output on and adding up their summaries.
fn rust_tests(args: &[&str]) -> Result<Done> {
    let mut c = cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]);
    c.args(args).stdout(Stdio::piped());
    let mut child = c.spawn()?;
    let mut sum = Tally::default();
    for text in BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n') {
        let text = text?;
        let text = String::from_utf8_lossy(&text);
        println!("{text}");
        if let Some(tally) = rust_summary(&text) {
            sum += tally;
        }
    }
    let status = child.wait()?;
    if !status.success() {
        say(format!("failed ({status}): {}", line(&c)));
        if sum.failed == 0 {
            // it did not compile, or a test program died before it could count
            sum.failed = 1;
        }
    }
    Ok(Done::Tested(sum))
}

#[cfg(test)]
mod tests {
    use super::{STEPS, find};

    #[test]
    fn a_step_comes_after_what_it_uses() {
        for (i, step) in STEPS.iter().enumerate() {
            assert_eq!(
                STEPS.iter().filter(|s| s.name == step.name).count(),
                1,
                "{} is there once",
                step.name
            );
            if let Some(after) = step.after {
                let before = STEPS[..i].iter().find(|s| s.name == after);
                assert!(
                    before.is_some_and(|s| s.by_default),
                    "{} needs {after} before it",
                    step.name
                );
            }
        }
        assert!(find("nothing").is_none());
    }
}
