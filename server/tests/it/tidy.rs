//! What the tree must not hold: the invariants of the architecture are absences, so a test looks for them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The most lines of a file without its tests.
const MOST_LINES: usize = 600;

/// A file of the tree, with its path from the root.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The text before the tests that stand in the same file.
    fn product(&self) -> &str {
        self.text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or(&self.text)
    }

    /// The lines without comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.product()
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line.split("//").next().unwrap_or(line)))
    }

    fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the path that cargo gives at run time"
)]
fn root() -> PathBuf {
    // as it is now: the path compiled in could be another clone's
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("run by cargo");
    Path::new(&package)
        .parent()
        .expect("the workspace")
        .to_owned()
}

fn sources(extension: &str) -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    for folder in ["core", "engine", "app", "server", "xtask", "examples"] {
        collect(&root, &root.join(folder), extension, &mut found);
    }
    assert!(!found.is_empty());
    found
}

fn collect(root: &Path, folder: &Path, extension: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let hidden = |name: &std::ffi::OsStr| name == "target" || name == "node_modules";
        if path.is_dir() {
            if !path.file_name().is_some_and(hidden) {
                collect(root, &path, extension, found);
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            let name = path
                .strip_prefix(root)
                .expect("inside")
                .to_string_lossy()
                .replace('\\', "/");
            let text = fs::read_to_string(&path).expect("text");
            found.push(Source { path: name, text });
        }
    }
}

/// The product's files: no tests, no build scripts, no tools of the developers.
fn product() -> Vec<Source> {
    let mut files = sources("rs");
    files.retain(|file| {
        !file.path.contains("/tests/")
            && !file.path.ends_with("/tests.rs")
            && !file.path.ends_with("build.rs")
            && !file.path.starts_with("xtask/")
    });
    files
}

#[track_caller]
fn assert_none(rule: &str, faults: Vec<String>) {
    assert!(faults.is_empty(), "{rule}:\n{}", faults.join("\n"));
}

/// Lines that hold one of the words, outside of the allowed places.
fn lines_with(words: &[&str], allowed: &[&str], files: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| !file.is_in(allowed)) {
        for (number, line) in file.code() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                faults.push(format!("{}:{number}: {word}", file.path));
            }
        }
    }
    faults
}

#[test]
fn packages_depend_in_one_direction_and_not_on_what_they_must_not_know() {
    let forbidden = [
        (
            "core",
            &[
                "tokio",
                "sqlx",
                "axum",
                "leptos",
                "async-trait",
                "tracing",
                "horarium-engine",
                "horarium-app",
            ][..],
        ),
        (
            "engine",
            &[
                "axum",
                "leptos",
                "leptos_axum",
                "tower-http",
                "reqwest",
                "horarium-app",
            ],
        ),
        ("app", &["sqlx", "tokio", "reqwest", "jiff", "argon2"]),
        ("server", &["sqlx", "chrono-tz", "croner"]),
    ];
    let mut faults = Vec::new();
    for (package, names) in forbidden {
        let text = fs::read_to_string(root().join(package).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        let dependencies = manifest["dependencies"].as_table().expect("dependencies");
        faults.extend(
            names
                .iter()
                .filter(|name| dependencies.contains_key(**name))
                .map(|name| format!("{package} depends on {name}")),
        );
    }
    assert_none("forbidden dependencies", faults);
}

#[test]
fn only_stores_and_the_database_election_name_sqlx() {
    let allowed = ["engine/src/store/", "engine/src/leader/database.rs"];
    assert_none(
        "sqlx outside of the stores",
        lines_with(&["sqlx::"], &allowed, &product()),
    );
}

#[test]
fn only_the_configuration_reads_the_environment() {
    let words = ["env::var", "env::vars", "option_env!"];
    let allowed = ["server/src/config.rs", "server/src/config/"];
    assert_none(
        "the environment is read",
        lines_with(&words, &allowed, &product()),
    );
}

#[test]
fn only_the_clock_asks_the_time() {
    let words = [
        "Utc::now",
        "Local::now",
        "SystemTime::now",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
    ];
    let allowed = ["engine/src/clock.rs"];
    assert_none(
        "the system's time is asked",
        lines_with(&words, &allowed, &product()),
    );
}

#[test]
fn components_call_no_server_function() {
    let mut files = product();
    files.retain(|file| file.path.starts_with("app/src/components/"));
    let words = ["server_fns::", "ServerAction::new", "Resource::new"];
    assert_none(
        "components call the server",
        lines_with(&words, &[], &files),
    );
}

#[test]
fn pages_have_no_style_attributes_and_no_raw_markup() {
    // the content policy blocks the first, the second would bring markup in
    let mut files = product();
    files.retain(|file| file.path.starts_with("app/src/"));
    let styles = lines_with(&[" style=", " style:"], &[], &files);
    assert_none("style attributes", styles);
    // these two escape by themselves what they put in: a text area's text, and a drawing of figures
    let escaping = [
        "app/src/components/text_area.rs",
        "app/src/components/history_bar.rs",
    ];
    assert_none("raw markup", lines_with(&["inner_html"], &escaping, &files));
}

#[test]
fn functions_that_change_something_are_not_called_by_address() {
    // T3: a GET may not change anything
    let verbs = [
        "pause",
        "resume",
        "run_job",
        "enqueue",
        "cancel",
        "restore",
        "schedule_job",
        "save",
        "delete",
    ];
    let mut faults = Vec::new();
    for file in product()
        .iter()
        .filter(|file| file.path.starts_with("app/src/server_fns/"))
    {
        let mut by_address = false;
        for (number, line) in file.code() {
            if line.contains("#[server(") {
                by_address = line.contains("GetUrl");
            }
            let name = line.split("pub async fn ").nth(1);
            let changes = name.is_some_and(|name| verbs.iter().any(|verb| name.starts_with(verb)));
            if by_address && changes {
                faults.push(format!("{}:{number}", file.path));
            }
        }
    }
    assert_none("functions that change something by GET", faults);
}

#[test]
fn no_unfinished_work_and_no_leftovers() {
    // put together here, so that this file does not hold them
    let words = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["XX", "X"],
        ["dbg", "!("],
        ["un", "implemented!("],
        ["to", "do!("],
    ]
    .map(|[a, b]| format!("{a}{b}"));
    let mut faults = Vec::new();
    for file in sources("rs") {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(word.as_str())) {
                faults.push(format!("{}:{}: {word}", file.path, at + 1));
            }
        }
    }
    assert_none("unfinished work", faults);
}

#[test]
fn files_stay_short() {
    let mut faults = Vec::new();
    for file in product() {
        let lines = file.product().lines().count();
        if lines > MOST_LINES {
            faults.push(format!(
                "{}: {lines} lines, at most {MOST_LINES}",
                file.path
            ));
        }
    }
    assert_none("files that nobody wants to open", faults);
}

#[test]
fn migrations_have_the_same_numbers_and_names_everywhere() {
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    };
    let folders = fs::read_dir(root().join("migrations")).expect("migrations");
    let mut folders: Vec<PathBuf> = folders
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.sort();
    for pair in folders.windows(2) {
        assert_eq!(names(&pair[0]), names(&pair[1]), "{pair:?}");
    }
}
