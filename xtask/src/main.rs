//! `cargo xtask COMMAND`: installs what is missing, then builds, serves or tests Horarium.
//!
//! It needs rustup's cargo, a C compiler and Node; everything else comes from crates.io, npm and Debian. It uses the
//! standard library only, so that it compiles in two seconds before anything else can be said.
#![allow(
    clippy::disallowed_methods,
    reason = "a developer's command: it lives from the environment and measures real time"
)]

mod build;
mod checkout;
mod counts;
mod end2end;
mod install;
mod serve;
mod sh;
mod steps;
mod system;
mod test;

use install::Need;
use sh::Result;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  serve [-- ARGS]     build and start Horarium with the example jobs; ARGS go to `horarium serve`
  dev [-- ARGS]       the same, rebuilding and reloading the browser at every change
  check               format, lints and the browser's half: fast, for before a commit
  test                everything that continuous integration runs
  test --only STEP [-- ARGS]
                      one step of it; ARGS go to `cargo test` or to Playwright
  build               one release binary with the console inside: target/release/horarium
  setup               install everything the commands above need, and do nothing else

What is missing is installed at the first use, in pinned versions.
Steps of `test`:";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["serve", rest @ ..] => serve::serve(after_dashes(rest)),
        ["dev" | "watch", rest @ ..] => serve::dev(after_dashes(rest)),
        ["check"] => test::check(),
        ["test"] => test::all(),
        ["test", "--only", step] => test::only(step, &[]),
        ["test", "--only", step, rest @ ..] => test::only(step, after_dashes(rest)),
        ["build"] => build::release(),
        ["setup"] => setup(),
        [] | ["help" | "--help" | "-h", ..] => {
            println!("{}", usage());
            Ok(())
        }
        _ => Err(format!("no such command: {}\n\n{}", args.join(" "), usage()).into()),
    };
    if let Err(e) = done {
        eprintln!("xtask: {e}");
        std::process::exit(1);
    }
}

/// `cargo xtask serve -- --listen …` and `cargo xtask serve --listen …` mean the same.
fn after_dashes<'a, 'b>(args: &'a [&'b str]) -> &'a [&'b str] {
    match args {
        ["--", rest @ ..] => rest,
        all => all,
    }
}

fn usage() -> String {
    let mut text = USAGE.to_owned();
    for step in steps::STEPS {
        text.push_str(&format!("\n  {:<18}  {}", step.name, step.what));
        if !step.by_default {
            text.push_str(" (only when asked for)");
        }
    }
    text
}

fn setup() -> Result {
    install::all(&Need::ALL)?;
    sh::say("everything is installed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{after_dashes, usage};

    #[test]
    fn dashes_are_optional() {
        assert_eq!(after_dashes(&["--", "--listen", "x"]), ["--listen", "x"]);
        assert_eq!(after_dashes(&["--listen", "x"]), ["--listen", "x"]);
        assert!(after_dashes(&[]).is_empty());
    }

    #[test]
    fn usage_names_every_step() {
        assert!(usage().contains("end2end"));
        assert!(usage().contains("only when asked for"));
    }
}
