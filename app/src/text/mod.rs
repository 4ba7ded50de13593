//! The English words of the console: what codes, states, times and numbers are called.

mod errors;
mod query;
mod sign_in;
mod states;
mod time;

pub use errors::{Trouble, sentence, status, trouble, way_out};
pub use query::{address, encode};
pub use sign_in::sign_in_error;
pub use states::{
    cause, complete_reason, misfire, misfire_effect, origin, origin_hint, right, run_status,
    shown_state, state_hint,
};
pub use time::{duration, lateness, relative};

/// `1 run`, `2 runs`: a number with its noun.
pub fn count(n: i64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A number with a thin space between its thousands.
pub fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if n < 0 {
        text.push('-');
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
