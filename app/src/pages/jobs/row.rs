//! One job as a row.

use leptos::prelude::*;

use super::Verbs;
use crate::{
    components::{
        ActionButton, ButtonLook, HistoryBar, OriginBadge, Relative, RunBadge, ScheduleLine,
        StateBadge, Tag, Time,
    },
    contexts::use_session,
    views::{JobHead, PauseNote, Right, RunBrief, ScheduleWords},
};

/// How many schedules a row shows before it only counts them.
const SCHEDULES: usize = 2;

#[component]
pub(super) fn Row(job: JobHead, verbs: Verbs) -> impl IntoView {
    let href = format!("/jobs/{}", job.name);
    let operate = use_session().may(Right::Operate);
    let described = (!job.description.is_empty()).then(|| {
        view! {
            <span class="cell-note truncate" title=job.description.clone()>
                {job.description.clone()}
            </span>
        }
    });
    let running = match job.running {
        0 => view! { <span class="nothing">"–"</span> }.into_any(),
        n => view! { <span class="figure">{n}</span> }.into_any(),
    };
    view! {
        <tr data-job=job.name.clone()>
            <th scope="row" data-label="Name">
                <span class="name">
                    <a class="strong" href=href>
                        {job.name.clone()}
                    </a>
                    <OriginBadge origin=job.origin />
                </span>
                {described}
                <span class="tags">
                    {job.tags.clone().into_iter().map(|name| view! { <Tag name /> }).collect_view()}
                </span>
            </th>
            <td data-label="Schedule">{schedules(job.schedules.clone())}</td>
            <td data-label="State">
                {match job.state {
                    Some(state) => view! { <StateBadge state /> }.into_any(),
                    None => view! { <span class="quiet">"No trigger"</span> }.into_any(),
                }}
                {(!job.reason.is_empty()).then(|| view! { <span class="cell-note">{job.reason.clone()}</span> })}
                {job.pause.clone().map(paused)}
            </td>
            <td data-label="Next fire">
                {match job.next.clone() {
                    Some(at) => view! { <Time at /> }.into_any(),
                    None => view! { <span class="nothing">"–"</span> }.into_any(),
                }}
            </td>
            <td data-label="Last run">{last(job.last.clone())}</td>
            <td data-label="Last 30 runs">
                <HistoryBar runs=job.recent.clone() />
            </td>
            <td data-label="Running" class="right">
                {running}
            </td>
            <td class="right">
                {operate.then(|| view! { <RowActions job=job.clone() verbs /> })}
            </td>
        </tr>
    }
}

fn schedules(mut schedules: Vec<ScheduleWords>) -> AnyView {
    if schedules.is_empty() {
        return view! { <span class="quiet">"Runs by hand only"</span> }.into_any();
    }
    let more = schedules.len().saturating_sub(SCHEDULES);
    schedules.truncate(SCHEDULES);
    view! {
        {schedules
            .into_iter()
            .map(|schedule| view! { <ScheduleLine schedule /> })
            .collect_view()}
        {(more > 0).then(|| view! { <span class="quiet">{format!("and {more} more")}</span> })}
    }
    .into_any()
}

fn paused(pause: PauseNote) -> impl IntoView {
    let reason = (!pause.reason.is_empty()).then(|| format!(": {}", pause.reason));
    view! {
        <span class="cell-note">
            "by " {pause.by} {reason}
            {pause.until.map(|until| view! { ", resumes " <Relative ms=until.ms /> })}
        </span>
    }
}

fn last(run: Option<RunBrief>) -> AnyView {
    match run {
        None => view! { <span class="nothing">"–"</span> }.into_any(),
        Some(run) => {
            let href = format!("/runs/{}", run.id);
            view! {
                <a class="last-run" href=href title=run.scheduled.detail()>
                    <RunBadge status=run.status />
                    <Relative ms=run.scheduled.ms />
                </a>
            }
            .into_any()
        }
    }
}

#[component]
fn RowActions(job: JobHead, verbs: Verbs) -> impl IntoView {
    let fields = || vec![("name", job.name.clone())];
    let pause_or_resume = if job.pause.is_some() {
        view! {
            <ActionButton
                action=verbs.resume
                fields=fields()
                label="Resume"
                look=ButtonLook::Small
                about=job.name.clone()
            />
        }
        .into_any()
    } else {
        view! {
            <ActionButton
                action=verbs.pause
                fields=fields()
                label="Pause"
                look=ButtonLook::Small
                about=job.name.clone()
            />
        }
        .into_any()
    };
    view! {
        <span class="row-actions">
            {pause_or_resume}
            <ActionButton
                action=verbs.run
                fields=fields()
                label="Run now"
                look=ButtonLook::Small
                about=job.name.clone()
            />
        </span>
    }
}
