//! Schedules in words and as text.

use leptos::prelude::*;

use crate::{text, views::ScheduleWords};

/// A schedule as a sentence, its text below; a cron expression leads to the preview.
#[component]
pub fn ScheduleLine(
    /// The schedule.
    schedule: ScheduleWords,
) -> impl IntoView {
    let ScheduleWords {
        text: canonical,
        words,
        cron,
        ..
    } = schedule;
    let shown = match cron {
        Some(_) => {
            let href = text::address("/cron", [("expr", canonical.as_str())]);
            view! {
                <a class="mono" href=href title="Preview">
                    {canonical}
                </a>
            }
            .into_any()
        }
        None => view! { <span class="mono">{canonical}</span> }.into_any(),
    };
    view! {
        <span class="schedule">
            <span>{words}</span>
            <span class="schedule-text">{shown}</span>
        </span>
    }
}

/// A text with its wrong part marked, and a caret line below for those who read it as text.
#[component]
pub fn CaretText(
    /// The whole text.
    #[prop(into)]
    text: String,
    /// First wrong byte and the one after the last; clamped to whole characters.
    at: (usize, usize),
) -> impl IntoView {
    let (before, wrong, after) = split(&text, at);
    let caret = format!(
        "{}{}",
        " ".repeat(before.chars().count()),
        "^".repeat(wrong.chars().count().max(1))
    );
    // an empty part, for instance a missing field, is shown as a gap that can be seen
    let mark = if wrong.is_empty() { "\u{a0}" } else { wrong };
    view! {
        <pre class="caret" data-caret=format!("{}-{}", at.0, at.1)>
            {before.to_owned()}
            <mark>{mark.to_owned()}</mark>
            {after.to_owned()}
            "\n"
            <span aria-hidden="true">{caret}</span>
        </pre>
    }
}

fn split(text: &str, at: (usize, usize)) -> (&str, &str, &str) {
    let floor = |mut i: usize| {
        i = i.min(text.len());
        while !text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    let start = floor(at.0);
    let mut end = at.1.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (&text[..start], &text[start..end], &text[end..])
}
