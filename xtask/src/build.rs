//! The two builds: the quick one that `serve` and `test` share, and the release.

use crate::{
    checkout,
    install::{self, Need},
    sh::{Result, output, run, say, target_dir, tool},
};
use std::{env, fs, path::PathBuf, process::Command};

/// `cargo leptos …`, writing the file names' hashes into the site itself.
///
/// By default `hash.txt` lies beside the binary. In the site it is emptied with the site, so it is never older than
/// the files it speaks of, and it is embedded with them.
pub fn leptos(command: &str) -> Command {
    let mut c = tool("cargo");
    c.args(["leptos", command])
        .env("LEPTOS_HASH_FILE_NAME", "../site/hash.txt");
    c
}

/// Server and site with the development profile, which optimises what would be too slow.
pub fn debug() -> Result {
    run(leptos("build").arg("--cargo-locked"))
}

/// The server that `debug` builds.
pub fn binary() -> Result<PathBuf> {
    Ok(target_dir()?.join("debug").join(executable()))
}

/// The site of the latest build, whichever it was.
pub fn site() -> Result<PathBuf> {
    Ok(target_dir()?.join("site"))
}

/// One optimised binary with the site inside; it returns where it is.
pub fn release_binary() -> Result<PathBuf> {
    say("building the release: about 6 minutes on 2 cores the first time");
    let target = target_dir()?;
    run(leptos("build")
        .args(["--release", "--precompress", "--cargo-locked"])
        .args(["--bin-features", "embed"])
        // the server embeds $CARGO_TARGET_DIR/site, so the variable must be there
        .env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("release").join(executable()))
}

pub fn release() -> Result {
    install::all(&Need::BUILD)?;
    checkout::claim_target()?;
    let binary = release_binary()?;
    // started elsewhere and without our environment: it must need nothing of this work tree
    let version = output(
        Command::new(&binary)
            .arg("--version")
            .current_dir(env::temp_dir())
            .env_clear()
            .env("LC_ALL", "C"),
    )?;
    let size = fs::metadata(&binary)?.len();
    say(format!(
        "{version}, {:.1} MB, everything inside: copy it anywhere",
        size as f64 / 1e6
    ));
    println!("{}", binary.display());
    Ok(())
}

fn executable() -> String {
    format!("horarium{}", env::consts::EXE_SUFFIX)
}
