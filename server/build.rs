//! With the feature `embed`, lists the built site so that it becomes part of the binary.
#![allow(
    clippy::disallowed_methods,
    reason = "cargo speaks to build scripts by variables"
)]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../migrations");
    if env::var_os("CARGO_FEATURE_EMBED").is_some() {
        embed();
    }
}

fn embed() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // <target>/<profile>/build/<package>/out, or one folder deeper with a named target
    let profile = out.ancestors().nth(3).expect("a profile's folder");
    let site = profile
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join("site"))
        .find(|site| site.join("pkg").is_dir())
        .unwrap_or_else(|| {
            panic!("the feature `embed` needs the built site; run `cargo xtask build --release`")
        });
    println!("cargo::rerun-if-changed={}", site.display());
    let mut files = Vec::new();
    list(&site, &mut files);
    files.sort();
    let mut code = String::from("pub static FILES: &[(&str, &[u8])] = &[\n");
    for file in &files {
        let name = file.strip_prefix(&site).expect("a file of the site");
        code.push_str(&format!("({name:?}, include_bytes!({file:?})),\n"));
    }
    code.push_str("];\n");
    let text = fs::read_to_string(site.join("hash.txt")).unwrap_or_default();
    code.push_str(&format!("pub static HASHES: &str = {text:?};\n"));
    fs::write(out.join("site.rs"), code).expect("OUT_DIR can be written");
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the site can be read") {
        let path = entry.expect("the site can be read").path();
        if path.is_dir() {
            list(&path, files);
        } else {
            files.push(path);
        }
    }
}
