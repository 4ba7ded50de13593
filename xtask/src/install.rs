//! What the commands need and how each part is installed, in exactly these versions.

use crate::{
    sh::{Result, output, root, run, say, succeeds, tool, tools_dir},
    system,
};
use std::{fs, path::Path, process::Command};

pub const WASM: &str = "wasm32-unknown-unknown";

/// 0.3.11 does not install with `--locked` on Rust 1.95: its lock file asks for a newer compiler.
const CARGO_LEPTOS: &str = "0.3.10";
/// The same as `wasm-bindgen` in Cargo.lock: both sides must agree to the patch (a test compares them).
const WASM_BINDGEN: &str = "0.2.129";
const NODE: u32 = 20;

/// A part that a command or a step of `test` can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// rustfmt and clippy.
    Lints,
    /// The compiler's library for the browser.
    Browser,
    /// cargo-leptos and wasm-bindgen, which build the console.
    Console,
    /// tailwind, wasm-opt and Playwright.
    Npm,
    Chromium,
}

impl Need {
    pub const ALL: [Self; 5] = [
        Self::Lints,
        Self::Browser,
        Self::Console,
        Self::Npm,
        Self::Chromium,
    ];
    pub const BUILD: [Self; 3] = [Self::Browser, Self::Console, Self::Npm];
}

struct Part {
    need: Need,
    name: &'static str,
    why: &'static str,
    /// On two cores and a fair connection.
    takes: &'static str,
    missing: fn() -> bool,
    install: fn() -> Result,
}

const PARTS: &[Part] = &[
    Part {
        need: Need::Console,
        name: "C compiler, pkg-config, libssl-dev",
        why: "to compile the next parts",
        takes: "10 s",
        missing: || !tools_installed() && !system::build_packages().is_empty(),
        install: || system::apt_install(&system::build_packages()),
    },
    Part {
        need: Need::Lints,
        name: "rustfmt, clippy",
        why: "format and lints",
        takes: "5 s",
        missing: || {
            ["fmt", "clippy"]
                .iter()
                .any(|name| !succeeds(tool("cargo").args([name, "--version"])))
        },
        install: || rustup(&["component", "add", "rustfmt", "clippy"]),
    },
    Part {
        need: Need::Browser,
        name: "Rust for WebAssembly",
        why: "the console runs in the browser, too",
        takes: "5 s",
        missing: browser_target_missing,
        install: || rustup(&["target", "add", WASM]),
    },
    Part {
        need: Need::Npm,
        name: "npm packages",
        why: "tailwind for the style, wasm-opt, Playwright for the browser tests",
        takes: "5 s",
        missing: || npm_outdated().unwrap_or(true),
        install: npm_ci,
    },
    Part {
        need: Need::Chromium,
        name: "Chromium",
        why: "the browser of the end-to-end tests",
        takes: "15 s",
        missing: || system::chromium().is_none(),
        install: || system::apt_install(&["chromium"]),
    },
    Part {
        need: Need::Console,
        name: "wasm-bindgen-cli 0.2.129",
        why: "joins the browser's half of the console to JavaScript",
        takes: "75 s",
        missing: || !installed("wasm-bindgen-cli", WASM_BINDGEN, "wasm-bindgen"),
        // optimised a little: it runs in every build
        install: || cargo_install("wasm-bindgen-cli", WASM_BINDGEN, "1", &[]),
    },
    Part {
        need: Need::Console,
        name: "cargo-leptos 0.3.10",
        why: "builds server, browser half and style of the console together",
        takes: "200 s",
        missing: || !installed("cargo-leptos", CARGO_LEPTOS, "cargo-leptos"),
        // no_downloads: a tool that is absent is an error, not another version from elsewhere
        install: || {
            cargo_install(
                "cargo-leptos",
                CARGO_LEPTOS,
                "0",
                &["--features", "no_downloads"],
            )
        },
    },
];

/// Installs what is missing; the first thing that cannot be installed is the error.
pub fn all(needs: &[Need]) -> Result {
    match each(needs).into_iter().next() {
        None => Ok(()),
        Some((_, why)) => Err(why.into()),
    }
}

/// Installs what is missing and returns what could not be, so that the rest can go on without it.
pub fn each(needs: &[Need]) -> Vec<(Need, String)> {
    let mut failed = Vec::new();
    let mut needs = needs.to_vec();
    // said before minutes are spent on the rest
    if needs.contains(&Need::Npm)
        && let Err(e) = node()
    {
        failed.push((Need::Npm, e.to_string()));
        needs.retain(|need| *need != Need::Npm);
    }
    let missing: Vec<&Part> = PARTS
        .iter()
        .filter(|p| needs.contains(&p.need) && (p.missing)())
        .collect();
    if !missing.is_empty() {
        say("this machine lacks something; it is installed now, once:");
        for part in &missing {
            say(format!(
                "    {:<34}  about {:>5}   {}",
                part.name, part.takes, part.why
            ));
        }
        say(format!("cargo's tools go to {}", tools_dir().display()));
    }
    for (i, part) in missing.iter().enumerate() {
        // another `cargo xtask` may have installed it while this one worked or waited
        if !(part.missing)() {
            continue;
        }
        say(format!(
            "[{}/{}] {} (about {})",
            i + 1,
            missing.len(),
            part.name,
            part.takes
        ));
        if let Err(e) = (part.install)() {
            say(format!("{}: {e}", part.name));
            // without the Debian packages the tools still build, only more slowly, when there is a C compiler
            if !part.name.starts_with("C compiler") {
                failed.push((part.need, format!("{}: {e}", part.name)));
            }
        }
    }
    failed
}

fn rustup(args: &[&str]) -> Result {
    run(tool("rustup").args(args))
        .map_err(|e| format!("{e} (the toolchain must come from https://rustup.rs)").into())
}

fn browser_target_missing() -> bool {
    let dir = output(tool("rustc").args(["--print", "target-libdir", "--target", WASM]));
    !dir.is_ok_and(|dir| Path::new(&dir).exists())
}

fn tools_installed() -> bool {
    installed("cargo-leptos", CARGO_LEPTOS, "cargo-leptos")
        && installed("wasm-bindgen-cli", WASM_BINDGEN, "wasm-bindgen")
}

fn installed(name: &str, version: &str, binary: &str) -> bool {
    let list = fs::read_to_string(tools_dir().join(".crates.toml")).unwrap_or_default();
    lists(&list, name, version) && tools_dir().join("bin").join(binary).exists()
}

/// cargo notes each installed package as `"name version (source)" = [binaries]`.
fn lists(crates_toml: &str, name: &str, version: &str) -> bool {
    crates_toml.contains(&format!("\"{name} {version} "))
}

/// Installs one pinned tool; without link-time optimisation, which would take three times as long.
fn cargo_install(name: &str, version: &str, opt_level: &str, more: &[&str]) -> Result {
    let tools = tools_dir();
    fs::create_dir_all(&tools)?;
    // one at a time on a machine: the second waits and finds the work done
    let lock = fs::File::create(tools.join(".lock"))?;
    lock.lock()?;
    let build = tools.join("build");
    let mut c = tool("cargo");
    c.args(["install", name, "--version", version, "--locked"])
        .args(more)
        .arg("--root")
        .arg(&tools)
        .env("CARGO_TARGET_DIR", &build)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level);
    // compiling OpenSSL alone takes a minute
    if succeeds(Command::new("pkg-config").args(["--exists", "openssl"])) {
        c.env("OPENSSL_NO_VENDOR", "1");
    }
    run(&mut c)?;
    // two gigabytes that nobody needs again
    fs::remove_dir_all(&build)?;
    Ok(())
}

fn node() -> Result {
    let needed = format!(
        "Node {NODE} or newer with npm is needed (https://nodejs.org, or your system's packages)"
    );
    let found = output(tool("node").arg("--version"))
        .map_err(|_| format!("{needed}; there is no `node` on PATH"))?;
    if major(&found).is_none_or(|major| major < NODE) {
        return Err(format!("{needed}; `node` on PATH is {found}").into());
    }
    if !succeeds(tool("npm").arg("--version")) {
        return Err(format!("{needed}; there is no `npm` on PATH").into());
    }
    Ok(())
}

/// `v20.20.2` gives 20.
fn major(version: &str) -> Option<u32> {
    version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse()
        .ok()
}

/// npm writes a copy of the lock file at the end of an installation, so its age tells.
fn npm_outdated() -> Result<bool> {
    let end2end = root().join("end2end");
    let done = end2end.join("node_modules/.package-lock.json");
    let asked = fs::metadata(end2end.join("package-lock.json"))?.modified()?;
    Ok(!done.exists() || asked > fs::metadata(done)?.modified()?)
}

fn npm_ci() -> Result {
    run(tool("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(root().join("end2end")))
}

#[cfg(test)]
mod tests {
    use super::{CARGO_LEPTOS, PARTS, WASM_BINDGEN, lists, major};

    #[test]
    fn node_versions() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("22.1.0"), Some(22));
        assert_eq!(major("none"), None);
    }

    #[test]
    fn installed_means_this_very_version() {
        let list =
            "[v1]\n\"cargo-leptos 0.3.10 (registry+https://example)\" = [\"cargo-leptos\"]\n";
        assert!(lists(list, "cargo-leptos", "0.3.10"));
        assert!(!lists(list, "cargo-leptos", "0.3.1"));
        assert!(!lists(list, "leptos", "0.3.10"));
        assert!(!lists("", "cargo-leptos", "0.3.10"));
    }

    #[test]
    fn wasm_bindgen_is_the_one_of_the_lock_file() {
        let lock = include_str!("../../Cargo.lock");
        let wanted = format!("name = \"wasm-bindgen\"\nversion = \"{WASM_BINDGEN}\"\n");
        assert!(
            lock.contains(&wanted),
            "Cargo.lock and xtask must name the same wasm-bindgen"
        );
    }

    #[test]
    fn announced_versions_are_the_installed_ones() {
        for text in [
            format!("cargo-leptos {CARGO_LEPTOS}"),
            format!("wasm-bindgen-cli {WASM_BINDGEN}"),
        ] {
            assert!(PARTS.iter().any(|part| part.name == text), "{text}");
        }
    }
}
