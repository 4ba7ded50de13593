//! A table of runs.

use leptos::prelude::*;

use super::{Elapsed, RunBadge, Time, TimeOf};
use crate::{
    text,
    views::{Moment, RunRow},
};

/// Runs, one a row: planned, started and finished apart, and so lateness and duration.
#[component]
pub fn RunTable(
    /// The runs.
    rows: Vec<RunRow>,
    /// What the table shows, for those who do not see it.
    caption: &'static str,
    /// Whether all runs are of one job, so that its name need not stand in every row.
    #[prop(optional)]
    one_job: bool,
) -> impl IntoView {
    view! {
        <div class="table-box">
            <table class="table table-runs">
                <caption class="only-heard">{caption}</caption>
                <thead>
                    <tr>
                        {(!one_job).then(|| view! { <th scope="col">"Job"</th> })}
                        <th scope="col">"Status"</th>
                        <th scope="col">"Planned"</th>
                        <th scope="col">"Started"</th>
                        <th scope="col">"Finished"</th>
                        <th scope="col" class="right">
                            "Lateness"
                        </th>
                        <th scope="col" class="right">
                            "Duration"
                        </th>
                        <th scope="col">"Cause"</th>
                        <th scope="col">"Node"</th>
                        <th scope="col">
                            <span class="only-heard">"Open"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|row| view! { <RunLine row one_job /> })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn RunLine(row: RunRow, one_job: bool) -> impl IntoView {
    let href = format!("/runs/{}", row.id);
    let job = (!one_job).then(|| {
        let href = format!("/jobs/{}", row.job);
        view! {
            <th scope="row" data-label="Job">
                <a class="strong" href=href>
                    {row.job.clone()}
                </a>
            </th>
        }
    });
    let attempt = (row.attempt > 1).then(|| format!(" · attempt {}", row.attempt));
    let trigger = (!row.trigger.is_empty()).then(|| format!(" · {}", row.trigger));
    let error = (!row.error_code.is_empty()).then(|| {
        view! {
            <span class="cell-note" title=row.error.clone()>
                {row.error_code.clone()}
            </span>
        }
    });
    let planned = row.scheduled.clone();
    let name = format!("Open the run of {} planned {}", row.job, planned.full());
    view! {
        <tr data-run-row=row.id.clone()>
            {job}
            <td data-label="Status">
                <RunBadge status=row.status />
                {error}
            </td>
            <td data-label="Planned">
                <Time at=row.scheduled look=TimeOf::Inline />
            </td>
            <td data-label="Started">{brief_time(row.started, &planned)}</td>
            <td data-label="Finished">{brief_time(row.finished, &planned)}</td>
            <td data-label="Lateness" class="right">
                {match row.lateness_ms {
                    Some(ms) => view! { <span class="figure">{text::lateness(ms)}</span> }.into_any(),
                    None => view! { <span class="nothing">"–"</span> }.into_any(),
                }}
            </td>
            <td data-label="Duration" class="right">
                <Elapsed ms=row.duration_ms />
            </td>
            <td data-label="Cause">
                {text::cause(row.cause)} <span class="quiet">{trigger} {attempt}</span>
            </td>
            <td data-label="Node">
                <span class="mono truncate" title=row.node.clone()>
                    {row.node.clone()}
                </span>
            </td>
            <td class="right">
                <a class="button button-small" href=href aria-label=name>
                    "Open"
                </a>
            </td>
        </tr>
    }
}

/// An instant beside the planned one: the time alone when it is the same day.
fn brief_time(at: Option<Moment>, beside: &Moment) -> AnyView {
    match at {
        None => view! { <span class="nothing">"–"</span> }.into_any(),
        Some(at) => {
            let text = if at.date == beside.date {
                at.time.clone()
            } else {
                format!("{} {}", at.date, at.time)
            };
            let detail = at.detail();
            view! {
                <time class="figure" datetime=at.iso title=detail>
                    {text}
                    " "
                    <span class="zone">{at.label}</span>
                </time>
            }
            .into_any()
        }
    }
}
