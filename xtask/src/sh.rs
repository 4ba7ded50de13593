//! Running other programs: where they are found, what they inherit, how they are reported.

use std::{
    env,
    error::Error,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

pub type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// All our own lines go to standard error, so that the output of what we run stays usable.
pub fn say(text: impl AsRef<str>) {
    eprintln!("xtask: {}", text.as_ref());
}

/// The work tree, as `cargo run` names it now: a path compiled in could be another clone's.
pub fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").expect("run it as `cargo xtask`");
    Path::new(&package)
        .parent()
        .expect("a workspace")
        .to_owned()
}

/// Outside the work tree: a new clone finds the tools of the last one.
pub fn tools_dir() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_else(|| ".".into())).join(".cache");
    env::var_os("XDG_CACHE_HOME")
        .filter(|dir| !dir.is_empty())
        .map_or_else(home, PathBuf::from)
        .join("horarium-tools")
}

/// Where cargo builds: CARGO_TARGET_DIR or a configuration file may name another folder than `target`.
pub fn target_dir() -> Result<PathBuf> {
    let meta = output(tool("cargo").args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let key = "\"target_directory\":\"";
    let from = meta
        .find(key)
        .ok_or("cargo metadata names no target directory")?
        + key.len();
    let path = meta[from..].split('"').next().unwrap_or_default();
    Ok(path.into())
}

/// A program started in the work tree that finds the pinned tools before any other.
pub fn tool(name: impl AsRef<Path>) -> Command {
    let root = root();
    let modules = root.join("end2end/node_modules");
    let mut path = vec![tools_dir().join("bin"), modules.join(".bin")];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path: OsString = env::join_paths(path).expect("a folder of PATH holds a separator");
    let mut c = Command::new(name.as_ref());
    c.current_dir(&root)
        .env("PATH", path)
        // where tailwind finds `@import "tailwindcss"`: style/ has no node_modules above it
        .env("NODE_PATH", modules);
    // `cargo run` sets these for this package; they would leak into the nested cargo
    for (key, _) in env::vars_os() {
        let name = key.to_string_lossy();
        let ours = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
            "CARGO_PRIMARY_",
        ];
        if ours.iter().any(|prefix| name.starts_with(prefix)) {
            c.env_remove(key);
        }
    }
    c
}

/// Runs it with our own input and output and says how long it took.
pub fn run(c: &mut Command) -> Result {
    let started = Instant::now();
    let status = c.status().map_err(|e| not_started(c, &e))?;
    say(format!(
        "{:>6.1}s  {}",
        started.elapsed().as_secs_f32(),
        line(c)
    ));
    if status.success() {
        Ok(())
    } else {
        Err(format!("failed ({status}): {}", line(c)).into())
    }
}

/// Becomes that program, so that Ctrl-C and every other signal reach it and nothing stands between.
#[cfg(unix)]
pub fn become_program(c: &mut Command) -> Result {
    use std::os::unix::process::CommandExt;
    let e = c.exec();
    Err(not_started(c, &e).into())
}

#[cfg(not(unix))]
pub fn become_program(c: &mut Command) -> Result {
    run(c)
}

/// What it prints, trimmed.
pub fn output(c: &mut Command) -> Result<String> {
    let out = c
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| not_started(c, &e))?;
    if out.status.success() {
        Ok(String::from_utf8(out.stdout)?.trim().to_owned())
    } else {
        Err(format!("failed ({}): {}", out.status, line(c)).into())
    }
}

/// Whether it exists and succeeds; it is not heard.
pub fn succeeds(c: &mut Command) -> bool {
    c.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// A program on the user's PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
}

/// The command as one would type it.
pub fn line(c: &Command) -> String {
    let mut s = c.get_program().to_string_lossy().into_owned();
    for a in c.get_args() {
        s.push(' ');
        s.push_str(&a.to_string_lossy());
    }
    s
}

/// A copy of a folder in place of an older copy.
pub fn copy_folder(from: &Path, to: &Path) -> Result {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn not_started(c: &Command, e: &std::io::Error) -> String {
    format!("{} did not start: {e}", c.get_program().to_string_lossy())
}
