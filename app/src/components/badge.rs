//! States as shape, word and colour.

use horarium_core::state::{JobOrigin, RunStatus, ShownState};
use leptos::prelude::*;

use super::{Mark, MarkShape};
use crate::text;

/// The state of a trigger or job.
#[component]
pub fn StateBadge(
    /// The state.
    state: ShownState,
) -> impl IntoView {
    view! {
        <span class="badge" data-state=state.as_str() title=text::state_hint(state)>
            <Mark shape=state />
            <span class="badge-word">{text::shown_state(state)}</span>
        </span>
    }
}

/// The state of a run.
#[component]
pub fn RunBadge(
    /// The state.
    status: RunStatus,
) -> impl IntoView {
    view! {
        <span class="badge" data-run=status.as_str()>
            <Mark shape=status />
            <span class="badge-word">{text::run_status(status)}</span>
        </span>
    }
}

/// Where a job's definition came from.
#[component]
pub fn OriginBadge(
    /// The origin.
    origin: JobOrigin,
) -> impl IntoView {
    let overridden = origin == JobOrigin::Overridden;
    view! {
        <span class="chip" data-origin=origin.as_str() title=text::origin_hint(origin)>
            {overridden.then(|| view! { <Mark shape=MarkShape::Triangle /> })}
            {text::origin(origin)}
        </span>
    }
}

/// A tag that leads to the jobs that carry it.
#[component]
pub fn Tag(
    /// The tag.
    name: String,
) -> impl IntoView {
    let href = text::address("/jobs", [("tag", name.as_str())]);
    view! {
        <a class="chip chip-link" href=href>
            {name}
        </a>
    }
}
