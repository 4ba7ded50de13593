//! The list of jobs.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use self::{filters::Filters, row::Row};
use super::{JOBS_PAGE_SIZE, Loaded};
use crate::{
    components::{ActionAlert, Alert, Empty, PageHead, Pager, Tone},
    contexts::use_pulse,
    server_fns::{PauseJob, ResumeJob, RunJob, list_jobs},
    views::{JobHead, JobsFilter, JobsList},
};

mod filters;
mod row;

/// The actions of the list, one per verb.
#[derive(Clone, Copy)]
pub struct Verbs {
    pause: ServerAction<PauseJob>,
    resume: ServerAction<ResumeJob>,
    run: ServerAction<RunJob>,
}

/// The list of jobs.
#[component]
pub fn JobsPage() -> impl IntoView {
    let params = use_query_map();
    let filter = Memo::new(move |_| JobsFilter::from_params(&params.get()));
    let verbs = Verbs {
        pause: ServerAction::new(),
        resume: ServerAction::new(),
        run: ServerAction::new(),
    };
    let beat = use_pulse().beat;
    let jobs = Resource::new(
        move || {
            let versions = (
                verbs.pause.version().get(),
                verbs.resume.version().get(),
                verbs.run.version().get(),
            );
            (filter.get(), versions, beat.get())
        },
        |(filter, ..)| list_jobs(filter),
    );
    view! {
        <Title text="Jobs" />
        <PageHead title="Jobs" />
        <ActionAlert action=verbs.pause />
        <ActionAlert action=verbs.resume />
        <ActionAlert action=verbs.run />
        <Started run=verbs.run />
        <Filters filter />
        <Loaded
            resource=jobs
            draw=move |list| {
                let filter = filter.get_untracked();
                view! { <Content list filter verbs /> }.into_any()
            }
        />
    }
}

/// Where to look after a run was started from the list.
#[component]
fn Started(run: ServerAction<RunJob>) -> impl IntoView {
    move || {
        let id = run.value().with(|v| v.clone()?.ok())?;
        let href = format!("/runs/{id}");
        Some(view! {
            <Alert tone=Tone::Note>
                <p>"Started. " <a href=href>"Open the run"</a></p>
            </Alert>
        })
    }
}

#[component]
fn Content(list: JobsList, filter: JobsFilter, verbs: Verbs) -> impl IntoView {
    let (total, page) = (list.total, filter.page);
    let rows = if list.rows.is_empty() {
        view! { <Nothing filter=filter.clone() total /> }.into_any()
    } else {
        view! { <Table rows=list.rows filter=filter.clone() verbs /> }.into_any()
    };
    let address = {
        let filter = filter.clone();
        move |page| filter.on_page(page).address()
    };
    view! {
        <datalist id="job-types">
            {list.types.into_iter().map(|name| view! { <option value=name></option> }).collect_view()}
        </datalist>
        {rows}
        <Pager page size=JOBS_PAGE_SIZE total noun=("job", "jobs") address />
    }
}

#[component]
fn Nothing(filter: JobsFilter, total: i64) -> impl IntoView {
    if filter.narrows() {
        view! {
            <Empty title="No job matches">
                <p>
                    "The filter is too narrow. " <a href="/jobs">"Clear it"</a> " to see all jobs."
                </p>
            </Empty>
        }
        .into_any()
    } else if total > 0 {
        view! {
            <Empty title="This page is past the end">
                <p>
                    <a href=filter.on_page(1).address()>"Back to the first page"</a>
                </p>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty title="No jobs yet">
                <p>
                    "Register jobs in code, or write them into the configuration file as "
                    <code>"[[jobs]]"</code>
                    " and start the server again. Check a schedule first in the "
                    <a href="/cron">"cron preview"</a> "."
                </p>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn Table(rows: Vec<JobHead>, filter: JobsFilter, verbs: Verbs) -> impl IntoView {
    let present = match filter.sort.as_str() {
        "next" | "last" => filter.sort.clone(),
        _ => "name".to_owned(),
    };
    let heading = |sort: &'static str, name: &'static str, order: &'static str| {
        let here = present == sort;
        view! {
            <th scope="col" aria-sort=here.then_some(order)>
                <a class="sort" href=filter.sorted(sort).address()>
                    {name}
                    {here.then(|| view! { <span aria-hidden="true">" ↓"</span> })}
                </a>
            </th>
        }
    };
    view! {
        <div class="table-box">
            <table class="table table-jobs">
                <caption class="only-heard">"Jobs"</caption>
                <thead>
                    <tr>
                        {heading("name", "Name", "ascending")}
                        <th scope="col">"Schedule"</th>
                        <th scope="col">"State"</th>
                        {heading("next", "Next fire", "ascending")}
                        {heading("last", "Last run", "descending")}
                        <th scope="col">"Last 30 runs"</th>
                        <th scope="col" class="right">
                            "Running"
                        </th>
                        <th scope="col">
                            <span class="only-heard">"Actions"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    {rows.into_iter().map(|job| view! { <Row job verbs /> }).collect_view()}
                </tbody>
            </table>
        </div>
    }
}
