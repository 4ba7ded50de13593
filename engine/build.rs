//! The migrations are part of the binary: a change of theirs builds it again.

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
}
