//! An error stands under the very characters.

use horarium_app::components::CaretText;
use leptos::prelude::*;

use crate::html;

/// What the reader sees: marked text and caret line.
fn check(text: &str, at: (usize, usize), marked: &str, carets: &str) {
    let html = html(|| view! { <CaretText text=text.to_owned() at /> });
    assert!(html.contains(&format!("<mark>{marked}</mark>")), "{html}");
    assert!(html.contains(&format!(">{carets}</span>")), "{html}");
}

#[test]
fn the_caret_points_at_the_wrong_characters() {
    check("0 99 * * *", (2, 4), "99", "  ^^");
    check("* * * * FRX", (8, 11), "FRX", "        ^^^");
}

#[test]
fn a_missing_part_is_a_visible_gap() {
    check("* * *", (5, 5), "\u{a0}", "     ^");
}

#[test]
fn places_in_the_middle_of_a_character_or_past_the_end_do_no_harm() {
    check("é *", (1, 1), "é", "^");
    check("ab", (1, 99), "b", " ^");
}
