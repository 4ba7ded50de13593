//! The history of runs.

use horarium_core::state::{RunCause, RunStatus};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{components::Form, hooks::use_query_map};

use super::{Loaded, RUNS_PAGE_SIZE};
use crate::{
    components::{Choice, Empty, Mark, PageHead, Pager, RunTable, SelectField, TextField, options},
    contexts::use_session,
    server_fns::list_runs,
    text,
    views::{RunsFilter, RunsList},
};

/// The history of runs.
#[component]
pub fn RunsPage() -> impl IntoView {
    let params = use_query_map();
    let filter = Memo::new(move |_| RunsFilter::from_params(&params.get()));
    let refreshed = RwSignal::new(0_u32);
    let runs = Resource::new(
        move || (filter.get(), refreshed.get()),
        |(filter, _)| list_runs(filter),
    );
    view! {
        <Title text="Runs" />
        <PageHead title="Runs">
            <button
                type="button"
                class="button needs-scripts"
                on:click=move |_| refreshed.update(|n| *n += 1)
            >
                "Refresh"
            </button>
        </PageHead>
        <search>
            <For each=move || [filter.get()] key=RunsFilter::address let:filter>
                <Filters filter />
            </For>
        </search>
        <Loaded
            resource=runs
            draw=move |list| {
                let filter = filter.get_untracked();
                view! { <Content list filter /> }.into_any()
            }
        />
    }
}

#[component]
fn Filters(filter: RunsFilter) -> impl IntoView {
    let zone = use_session().zone;
    let present = filter.from.clone();
    let windows = RunsFilter::WINDOWS.map(|(window, name)| {
        let here = present == window
            || (present.is_empty() && filter.to.is_empty() && window == RunsFilter::DEFAULT_WINDOW);
        view! {
            <a
                class="chip chip-link"
                href=filter.over(window).address()
                aria-current=here.then_some("true")
            >
                {name}
            </a>
        }
    });
    let clear = filter
        .narrows()
        .then(|| view! { <a class="button" href="/runs">"Clear"</a> });
    let errors: Vec<Choice> = vec![
        ("yes".to_owned(), "With an error".to_owned()),
        ("no".to_owned(), "Without an error".to_owned()),
    ];
    let statuses = filter.status.clone();
    // a relative window is no value of a date field: it travels hidden and gives way to a date
    let relative = filter.from.starts_with('-') || filter.from == "all";
    let (from, window) = if relative {
        (String::new(), filter.from.clone())
    } else {
        (filter.from.clone(), String::new())
    };
    let more = [
        &from,
        &filter.to,
        &filter.trigger,
        &filter.node,
        &filter.error,
        &filter.cause,
    ]
    .iter()
    .any(|text| !text.is_empty());
    view! {
        <div class="windows">
            <span class="quiet">"Planned within"</span>
            {windows.into_iter().collect_view()}
        </div>
        <Form action="/runs" attr:class="filters">
            <TextField label="Job" name="job" value=filter.job class="field-wide" placeholder="Any job" />
            <fieldset class="field checks">
                <legend>"Status"</legend>
                {RunStatus::ALL
                    .iter()
                    .map(|status| {
                        let checked = statuses.iter().any(|s| s == status.as_str());
                        view! {
                            <label class="check" data-run=status.as_str()>
                                <input
                                    type="checkbox"
                                    name="status"
                                    value=status.as_str()
                                    checked=checked
                                />
                                <Mark shape=*status />
                                {text::run_status(*status)}
                            </label>
                        }
                    })
                    .collect_view()}
            </fieldset>
            {(!window.is_empty()).then(|| view! { <input type="hidden" name="from" value=window /> })}
            <details class="more" open=more>
                <summary class="button">"More filters"</summary>
                <div class="filters">
                    <TextField label="Planned from" name="from" value=from kind="datetime-local" />
                    <TextField label="Planned before" name="to" value=filter.to kind="datetime-local" />
                    <TextField label="Trigger" name="trigger" value=filter.trigger placeholder="Any trigger" />
                    <TextField label="Node" name="node" value=filter.node placeholder="Any node" />
                    <SelectField label="Error" name="error" value=filter.error choices=errors any="With or without" />
                    <SelectField
                        label="Cause"
                        name="cause"
                        value=filter.cause
                        choices=options(RunCause::ALL, text::cause)
                        any="Any cause"
                    />
                    <p class="hint">"Dates and times are read as " {zone} "."</p>
                </div>
            </details>
            <div class="filters-end">
                <button type="submit" class="button">
                    "Apply"
                </button>
                {clear}
            </div>
        </Form>
    }
}

#[component]
fn Content(list: RunsList, filter: RunsFilter) -> impl IntoView {
    let (total, page) = (list.total, filter.page);
    let default = filter.from.is_empty() && filter.to.is_empty();
    let window = match (&list.from, &list.to) {
        (Some(_), None) if default => {
            "Showing runs planned in the last 24 hours, the default.".to_owned()
        }
        (Some(from), None) => format!("Showing runs planned since {}.", from.full()),
        (None, Some(to)) => format!("Showing runs planned before {}.", to.full()),
        (Some(from), Some(to)) => {
            format!(
                "Showing runs planned from {} to {}.",
                from.full(),
                to.full()
            )
        }
        (None, None) => "Showing all runs that are kept.".to_owned(),
    };
    let rows = if list.rows.is_empty() {
        view! { <Nothing filter=filter.clone() open=list.from.is_none() total /> }.into_any()
    } else {
        view! { <RunTable rows=list.rows caption="Runs, latest planned first" /> }.into_any()
    };
    view! {
        <p class="quiet window">{window}</p>
        {rows}
        <Pager
            page
            size=RUNS_PAGE_SIZE
            total
            noun=("run", "runs")
            address=move |page| filter.on_page(page).address()
        />
    }
}

#[component]
fn Nothing(filter: RunsFilter, open: bool, total: i64) -> impl IntoView {
    if total > 0 {
        return view! {
            <Empty title="This page is past the end">
                <p>
                    <a href=filter.on_page(1).address()>"Back to the first page"</a>
                </p>
            </Empty>
        }
        .into_any();
    }
    let all = filter.over("all").address();
    match (filter.narrows(), open) {
        (true, _) => view! {
            <Empty title="No run matches">
                <p>
                    "The filter is too narrow. " <a href="/runs">"Clear it"</a>
                    {(!open).then(|| view! { ", or look at " <a href=all>"all time"</a> })} "."
                </p>
            </Empty>
        }
        .into_any(),
        (false, false) => view! {
            <Empty title="No run in this time">
                <p>
                    "Look at " <a href=all>"all time"</a>
                    ". Finished runs are deleted after the retention period."
                </p>
            </Empty>
        }
        .into_any(),
        (false, true) => view! {
            <Empty title="No runs yet">
                <p>
                    "A run appears here as soon as a trigger fires, or when you run a job by hand from "
                    <a href="/jobs">"the list of jobs"</a> "."
                </p>
            </Empty>
        }
        .into_any(),
    }
}
