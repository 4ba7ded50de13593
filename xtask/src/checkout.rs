//! A target directory shared by several clones, as some machines have for continuous integration.
//!
//! Cargo decides by file times. When the files of one clone are older than the last build of another in the same target
//! directory, it takes the other's artefacts as fresh, and the wrong code is tested. So the last clone leaves its name,
//! and another one renews the times of its own files first, which costs one build of our own crates.

use crate::sh::{Result, output, root, say, target_dir, tool};
use std::{fs, path::Path, time::SystemTime};

pub fn claim_target() -> Result {
    let (root, target) = (root(), target_dir()?);
    let marker = target.join("xtask-checkout");
    let ours = root.to_string_lossy().into_owned();
    if fs::read_to_string(&marker).is_ok_and(|last| last == ours) {
        return Ok(());
    }
    match output(tool("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ])) {
        Ok(files) => renew(&root, &files),
        Err(e) => say(format!(
            "{e}: if {} belongs to another clone, remove it",
            target.display()
        )),
    }
    fs::create_dir_all(&target)?;
    fs::write(marker, ours)?;
    Ok(())
}

fn renew(root: &Path, files: &str) {
    let now = SystemTime::now();
    // npm has its own lock file and its own times
    for name in files
        .split('\0')
        .filter(|name| !name.is_empty() && !name.starts_with("end2end/"))
    {
        if let Ok(file) = fs::File::options().append(true).open(root.join(name)) {
            let _ = file.set_modified(now);
        }
    }
}
