//! How many tests passed and failed, read from what the test programs print.

use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u32,
    pub failed: u32,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// One line of a Rust test program, if it is its summary:
/// `test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s`.
pub fn rust_summary(line: &str) -> Option<Tally> {
    let rest = line.trim().strip_prefix("test result: ")?;
    let (_, counts) = rest.split_once(". ")?;
    let count = |word: &str| {
        counts
            .split(';')
            .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
    };
    Some(Tally {
        passed: count("passed")?,
        failed: count("failed")?,
    })
}

/// Playwright's JSON report ends with `"stats": { …, "expected": 3, "skipped": 0, "unexpected": 0, "flaky": 0 }`.
pub fn playwright_report(json: &str) -> Option<Tally> {
    let stats = &json[json.rfind("\"stats\"")?..];
    let count = |key: &str| -> Option<u32> {
        let (_, after) = stats.split_once(&format!("\"{key}\":"))?;
        let digits: String = after
            .trim_start()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse().ok()
    };
    // a test that passed only when tried again did pass
    Some(Tally {
        passed: count("expected")? + count("flaky")?,
        failed: count("unexpected")?,
    })
}

/// The first address in the text that sets up the first account: `http://127.0.0.1:8787/setup?token=…`.
pub fn setup_link(log: &str) -> Option<&str> {
    log.lines()
        .filter_map(|line| Some(&line[line.find("http://").or_else(|| line.find("https://"))?..]))
        .map(|from| {
            from.split(|c: char| c.is_whitespace() || c == '\u{1b}' || "\"'<>`".contains(c))
                .next()
                .unwrap_or(from)
        })
        .find(|link| link.contains("/setup?token="))
}

#[cfg(test)]
mod tests {
    use super::{Tally, playwright_report, rust_summary, setup_link};

    #[test]
    fn rust() {
        let ok = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.02s";
        assert_eq!(
            rust_summary(ok),
            Some(Tally {
                passed: 12,
                failed: 0
            })
        );
        let bad = "test result: FAILED. 7 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        assert_eq!(
            rust_summary(bad),
            Some(Tally {
                passed: 7,
                failed: 2
            })
        );
        assert_eq!(rust_summary("test counts::rust ... ok"), None);
        assert_eq!(rust_summary("test result: unknown"), None);
    }

    #[test]
    fn playwright() {
        let json = r#"{"suites":[{"title":"\"stats\""}],"errors":[],
            "stats": {"startTime": "2026-01-01", "duration": 3000.5, "expected": 10, "skipped": 1,
            "unexpected": 2, "flaky": 1}}"#;
        assert_eq!(
            playwright_report(json),
            Some(Tally {
                passed: 11,
                failed: 2
            })
        );
        assert_eq!(playwright_report("{}"), None);
        assert_eq!(playwright_report(""), None);
    }

    #[test]
    fn link() {
        let log = "Horarium listens on http://127.0.0.1:8787\nFirst start: open \u{1b}[1mhttp://127.0.0.1:8787/setup?token=aB-3_x\u{1b}[0m once\n";
        assert_eq!(
            setup_link(log),
            Some("http://127.0.0.1:8787/setup?token=aB-3_x")
        );
        assert_eq!(setup_link("listening on http://127.0.0.1:8787"), None);
    }
}
