//! What comes from the operating system: Debian's packages, or a line that says what to install.

use crate::sh::{Result, find, output, run, say, succeeds};
use std::{env, path::PathBuf, process::Command};

/// Debian packages that compiling the tools wants and that are not there.
pub fn build_packages() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if find("cc").is_none() {
        missing.push("build-essential");
    }
    if find("pkg-config").is_none() {
        missing.push("pkg-config");
    }
    if !succeeds(Command::new("pkg-config").args(["--exists", "openssl"])) {
        missing.push("libssl-dev");
    }
    missing
}

/// The browser named by CHROMIUM, or an installed one.
pub fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM").filter(|name| !name.is_empty()) {
        return Some(named.into());
    }
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let bundle = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    names
        .iter()
        .find_map(|name| find(name))
        .or_else(|| bundle.exists().then_some(bundle))
}

/// Installs Debian packages, as root or through sudo.
pub fn apt_install(packages: &[&str]) -> Result {
    let list = packages.join(" ");
    if find("apt-get").is_none() {
        return Err(format!(
            "please install by hand what Debian calls: {list}{}",
            browser_hint(packages)
        )
        .into());
    }
    let by_hand = format!("apt-get install --no-install-recommends {list}");
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id == "0");
    if !root && find("sudo").is_none() {
        return Err(format!("there is no sudo here; as root, please run: {by_hand}").into());
    }
    let apt = |args: &[&str]| {
        let mut c = Command::new(if root { "apt-get" } else { "sudo" });
        if !root {
            c.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        }
        // another apt may be at work: wait for it
        c.env("DEBIAN_FRONTEND", "noninteractive")
            .args(["-q", "-o", "DPkg::Lock::Timeout=300"])
            .args(args);
        run(&mut c)
    };
    // a broken list of some other package source need not matter
    if let Err(e) = apt(&["update"]) {
        say(format!("{e}; going on with the lists there are"));
    }
    let mut args = vec!["install", "-y", "--no-install-recommends"];
    args.extend(packages);
    apt(&args)
}

fn browser_hint(packages: &[&str]) -> &'static str {
    if packages.contains(&"chromium") {
        " (or name a Chromium or Chrome in the environment variable CHROMIUM)"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::browser_hint;

    #[test]
    fn only_the_browser_can_be_named() {
        assert!(browser_hint(&["chromium"]).contains("CHROMIUM"));
        assert_eq!(browser_hint(&["pkg-config"]), "");
    }
}
