//! `serve` and `dev`: Horarium with the example jobs, on this machine.

use crate::{
    build, checkout,
    install::{self, Need},
    sh::{Result, become_program, copy_folder, say, target_dir, tool},
};

/// How the server is told where the built site is, when it does not carry it inside.
pub const SITE_ROOT: &str = "HORARIUM_SERVER__SITE_ROOT";

const CONFIG: &str = "examples/horarium.toml";

pub fn serve(args: &[&str]) -> Result {
    prepare()?;
    say("building console and server (about 3 minutes on 2 cores the first time, then seconds)");
    build::debug()?;
    // its own copy: the next build, a `cargo xtask test` perhaps, empties the site while this server uses it
    let site = target_dir()?.join("serve-site");
    copy_folder(&build::site()?, &site)?;
    let mut server = tool(build::binary()?);
    server
        .arg("serve")
        .args(arguments(args)?)
        .env(SITE_ROOT, site);
    // from here on only the server speaks: its last lines are the address and, the first time, the sign-in link
    become_program(&mut server)
}

pub fn dev(args: &[&str]) -> Result {
    prepare()?;
    say("building, then watching: the browser reloads at every change; Ctrl-C ends it");
    let mut watch = build::leptos("watch");
    watch
        // cargo-leptos does not rename the files again when it rebuilds: here they keep their plain names
        .env("LEPTOS_HASH_FILES", "false")
        .env(SITE_ROOT, build::site()?)
        .args(["--", "serve"])
        .args(arguments(args)?);
    become_program(&mut watch)
}

fn prepare() -> Result {
    install::all(&Need::BUILD)?;
    checkout::claim_target()
}

/// Our data folder and the example jobs, unless the caller names others.
fn arguments(args: &[&str]) -> Result<Vec<String>> {
    let data = target_dir()?.join("serve").to_string_lossy().into_owned();
    Ok(with_defaults(
        args,
        &[("--data", &data), ("--config", CONFIG)],
    ))
}

fn with_defaults(args: &[&str], defaults: &[(&str, &str)]) -> Vec<String> {
    let named = |option: &str| {
        args.iter()
            .any(|a| *a == option || a.starts_with(&format!("{option}=")))
    };
    let mut all: Vec<String> = Vec::new();
    for (option, value) in defaults {
        if !named(option) {
            all.extend([(*option).to_owned(), (*value).to_owned()]);
        }
    }
    all.extend(args.iter().map(|a| (*a).to_owned()));
    all
}

#[cfg(test)]
mod tests {
    use super::with_defaults;

    #[test]
    fn the_caller_overrides() {
        let defaults = [("--data", "d"), ("--config", "c")];
        assert_eq!(
            with_defaults(&[], &defaults),
            ["--data", "d", "--config", "c"]
        );
        assert_eq!(
            with_defaults(&["--config", "x"], &defaults),
            ["--data", "d", "--config", "x"]
        );
        assert_eq!(
            with_defaults(&["--data=x", "--config=y"], &defaults),
            ["--data=x", "--config=y"]
        );
        assert_eq!(
            with_defaults(&["--listen", "127.0.0.1:9000"], &defaults[..1]),
            ["--data", "d", "--listen", "127.0.0.1:9000"]
        );
    }
}
