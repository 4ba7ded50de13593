//! Instants and spans.

use leptos::prelude::*;

use crate::{contexts::use_pulse, text, views::Moment};

/// How an instant is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeOf {
    /// Date, time and zone, with the distance from now below.
    #[default]
    Stacked,
    /// Date, time and zone, with the distance from now beside it.
    Inline,
    /// Date, time and zone alone.
    Plain,
}

/// An instant: absolute with its zone, and how far from now.
#[component]
pub fn Time(
    /// The instant.
    at: Moment,
    /// How it is drawn.
    #[prop(optional)]
    look: TimeOf,
) -> impl IntoView {
    let class = match look {
        TimeOf::Stacked => "time time-stacked",
        TimeOf::Inline | TimeOf::Plain => "time",
    };
    let ms = at.ms;
    let detail = at.detail();
    view! {
        <span class=class>
            <time datetime=at.iso title=detail>
                {at.date}
                " "
                {at.time}
                " "
                <span class="zone">{at.label}</span>
            </time>
            {(look != TimeOf::Plain).then(|| view! { <Relative ms /> })}
        </span>
    }
}

/// How far an instant is from now; ticks.
#[component]
pub fn Relative(
    /// The instant in milliseconds since 1970.
    ms: i64,
) -> impl IntoView {
    let now = use_pulse().now;
    view! { <span class="relative-time">{move || text::relative(ms, now.get())}</span> }
}

/// A span of time in tabular figures; a dash when there is none.
#[component]
pub fn Elapsed(
    /// The span in milliseconds.
    ms: Option<i64>,
) -> impl IntoView {
    match ms {
        Some(ms) => view! { <span class="figure">{text::duration(ms)}</span> }.into_any(),
        None => view! { <span class="nothing">"–"</span> }.into_any(),
    }
}
