//! The triggers of a job.

use horarium_core::state::ShownState;
use leptos::{form::ActionForm, prelude::*};

use super::Verbs;
use crate::{
    components::{
        ActionButton, ButtonLook, Empty, Relative, ScheduleLine, StateBadge, Submit, Time, use_busy,
    },
    contexts::use_session,
    text,
    views::{Right, TriggerRow},
};

/// The second tab.
#[component]
pub(super) fn TriggersTab(job: String, triggers: Vec<TriggerRow>, verbs: Verbs) -> impl IntoView {
    if triggers.is_empty() {
        return view! {
            <Empty title="No triggers">
                <p>"This job runs only when somebody, or another job, asks for it."</p>
            </Empty>
        }
        .into_any();
    }
    let operate = use_session().may(Right::Operate);
    view! {
        <div class="table-box">
            <table class="table">
                <caption class="only-heard">"Triggers"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Trigger"</th>
                        <th scope="col">"Schedule"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">"Next fire"</th>
                        <th scope="col">"Missed fires"</th>
                        <th scope="col" class="right">
                            "Priority"
                        </th>
                        <th scope="col">"Calendar"</th>
                        <th scope="col" class="right">
                            "Fired"
                        </th>
                        <th scope="col">
                            <span class="only-heard">"Actions"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    {triggers
                        .into_iter()
                        .map(|trigger| {
                            view! { <Row job=job.clone() trigger operate verbs /> }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Row(job: String, trigger: TriggerRow, operate: bool, verbs: Verbs) -> impl IntoView {
    let note =
        |text: String| (!text.is_empty()).then(|| view! { <span class="cell-note">{text}</span> });
    let data = (!trigger.data.is_empty()).then(|| {
        view! {
            <details>
                <summary class="cell-note">"Data"</summary>
                <pre class="block">{trigger.data.clone()}</pre>
            </details>
        }
    });
    let pause = trigger.pause.clone().map(|pause| {
        let reason = (!pause.reason.is_empty()).then(|| format!(": {}", pause.reason));
        view! {
            <span class="cell-note">
                "by " {pause.by} {reason}
                {pause.until.map(|until| view! { ", resumes " <Relative ms=until.ms /> })}
            </span>
        }
    });
    view! {
        <tr data-trigger=trigger.name.clone()>
            <th scope="row" data-label="Trigger">
                <span class="mono strong">{trigger.name.clone()}</span>
                {note(trigger.description.clone())}
                {data}
            </th>
            <td data-label="Schedule">
                <ScheduleLine schedule=trigger.schedule.clone() />
            </td>
            <td data-label="State">
                <StateBadge state=trigger.state />
                {note(trigger.reason.clone())}
                {pause}
                {(trigger.job_paused && trigger.pause.is_none())
                    .then(|| view! { <span class="cell-note">"with the whole job"</span> })}
            </td>
            <td data-label="Next fire">
                {match trigger.next.clone() {
                    Some(at) => view! { <Time at /> }.into_any(),
                    None => view! { <span class="nothing">"–"</span> }.into_any(),
                }}
            </td>
            <td data-label="Missed fires" title=text::misfire_effect(trigger.misfire)>
                {text::misfire(trigger.misfire)}
            </td>
            <td data-label="Priority" class="right">
                <span class="figure">{trigger.priority}</span>
            </td>
            <td data-label="Calendar">
                {if trigger.calendar.is_empty() {
                    view! { <span class="nothing">"–"</span> }.into_any()
                } else {
                    view! {
                        <a class="mono" href="/calendars">
                            {trigger.calendar.clone()}
                        </a>
                    }
                        .into_any()
                }}
            </td>
            <td data-label="Fired" class="right">
                <span class="figure">{text::grouped(i64::from(trigger.fired))}</span>
            </td>
            <td class="right">
                {operate.then(|| view! { <TriggerActions job trigger=trigger.clone() verbs /> })}
            </td>
        </tr>
    }
}

#[component]
fn TriggerActions(job: String, trigger: TriggerRow, verbs: Verbs) -> impl IntoView {
    let fields = vec![("job", job.clone()), ("trigger", trigger.name.clone())];
    if trigger.pause.is_some() || trigger.state == ShownState::Error {
        return view! {
            <ActionButton
                action=verbs.resume_trigger
                fields
                label="Resume"
                look=ButtonLook::Small
                about=trigger.name.clone()
            />
        }
        .into_any();
    }
    if trigger.state == ShownState::Complete {
        return ().into_any();
    }
    let (busy, note) = use_busy(verbs.pause_trigger.pending());
    let id = format!("pause-{}", trigger.name);
    view! {
        <details class="menu menu-left">
            <summary class="button button-small">
                "Pause…" <span class="only-heard">{trigger.name.clone()}</span>
            </summary>
            <div class="menu-body">
                <ActionForm action=verbs.pause_trigger on:submit=note>
                    <input type="hidden" name="job" value=job />
                    <input type="hidden" name="trigger" value=trigger.name.clone() />
                    <div class="field">
                        <label for=id.clone()>"Reason"</label>
                        <input class="input" id=id name="reason" autocomplete="off" />
                    </div>
                    <p class="hint">"The other triggers of the job go on."</p>
                    <Submit label="Pause" busy look=ButtonLook::Primary />
                </ActionForm>
            </div>
        </details>
    }
    .into_any()
}
