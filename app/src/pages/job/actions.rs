//! What can be done with a job: run, enqueue, pause, resume.

use leptos::{form::ActionForm, prelude::*};

use super::Verbs;
use crate::{
    components::{ActionButton, Alert, ButtonLook, Submit, TextArea, TextField, Tone, use_busy},
    contexts::use_session,
    error::AppError,
    text,
    views::{JobHead, TriggerRow},
};

/// The actions below the head.
#[component]
pub(super) fn Actions(job: JobHead, triggers: Vec<TriggerRow>, verbs: Verbs) -> impl IntoView {
    let name = job.name.clone();
    view! {
        <div class="actions">
            <ActionButton
                action=verbs.run
                fields=vec![("name", name.clone()), ("follow", "run".to_owned())]
                label="Run now"
                look=ButtonLook::Primary
            />
            <RunWith job=name.clone() verbs />
            {if job.pause.is_some() {
                view! { <Resume job=name triggers verbs /> }.into_any()
            } else {
                view! { <Pause job=name verbs /> }.into_any()
            }}
        </div>
        <Queued verbs />
    }
}

/// Where to look after a run was put into the queue.
#[component]
fn Queued(verbs: Verbs) -> impl IntoView {
    move || {
        let trigger = verbs.enqueue.value().with(|v| v.clone()?.ok())?;
        Some(view! {
            <Alert tone=Tone::Note>
                <p>"In the queue as " <code>{trigger}</code> ". A node starts it within a moment."</p>
            </Alert>
        })
    }
}

/// Run now or enqueue, with data that replaces the job's key by key.
#[component]
fn RunWith(job: String, verbs: Verbs) -> impl IntoView {
    let (run_busy, run_note) = use_busy(verbs.run.pending());
    let (queue_busy, queue_note) = use_busy(verbs.enqueue.pending());
    let queued = job.clone();
    // a page drawn again without scripts after a refused form shows what was typed
    let refused = |error: Option<AppError>| {
        error
            .and_then(|e| e.typed("data").map(str::to_owned))
            .unwrap_or_default()
    };
    let run_data = refused(verbs.run.value().get_untracked().and_then(Result::err));
    let queue_data = refused(verbs.enqueue.value().get_untracked().and_then(Result::err));
    let open = !run_data.is_empty() || !queue_data.is_empty();
    view! {
        <details class="menu" open=open>
            <summary class="button">"Run with data…"</summary>
            <div class="menu-body menu-wide">
                <ActionForm action=verbs.run on:submit=run_note>
                    <input type="hidden" name="name" value=job />
                    <input type="hidden" name="follow" value="run" />
                    <div class="field">
                        <label for="run-data">"Data, a JSON object"</label>
                        <TextArea
                            name="data"
                            id="run-data".to_owned()
                            value=run_data
                            placeholder="{ \"format\": \"pdf\" }"
                        />
                        <p class="hint">
                            "Each key replaces the job's own. Runs here, now, even while the job is paused."
                        </p>
                    </div>
                    <Submit label="Run with this data" busy=run_busy look=ButtonLook::Primary />
                </ActionForm>
                <ActionForm action=verbs.enqueue on:submit=queue_note>
                    <input type="hidden" name="name" value=queued />
                    <div class="field">
                        <label for="queue-data">"Data, a JSON object"</label>
                        <TextArea
                            name="data"
                            id="queue-data".to_owned()
                            value=queue_data
                            placeholder="{}"
                            rows=2
                        />
                        <p class="hint">
                            "Enqueue: any node starts it as soon as the job is free. Works while this node is stopping, too."
                        </p>
                    </div>
                    <Submit label="Enqueue" busy=queue_busy />
                </ActionForm>
            </div>
        </details>
    }
}

#[component]
fn Pause(job: String, verbs: Verbs) -> impl IntoView {
    let (busy, note) = use_busy(verbs.pause.pending());
    let zone = use_session().zone;
    view! {
        <details class="menu">
            <summary class="button">"Pause…"</summary>
            <div class="menu-body">
                <ActionForm action=verbs.pause on:submit=note>
                    <input type="hidden" name="name" value=job />
                    <input type="hidden" name="zone" value=zone.clone() />
                    <TextField label="Reason" name="reason" placeholder="Shown to everybody" />
                    <TextField label="Resume by itself at" name="until" kind="datetime-local" />
                    <p class="hint">
                        "Time of " {zone}
                        ". Leave it empty to pause until somebody resumes. Runs that go on are not touched."
                    </p>
                    <Submit label="Pause" busy look=ButtonLook::Primary />
                </ActionForm>
            </div>
        </details>
    }
}

#[component]
fn Resume(job: String, triggers: Vec<TriggerRow>, verbs: Verbs) -> impl IntoView {
    let (busy, note) = use_busy(verbs.resume.pending());
    view! {
        <details class="menu">
            <summary class="button button-primary">"Resume…"</summary>
            <div class="menu-body menu-wide">
                <p>"What happens with fires that were missed meanwhile:"</p>
                <ul class="effects">
                    {triggers
                        .into_iter()
                        .map(|trigger| {
                            view! {
                                <li>
                                    <span class="mono">{trigger.name}</span>
                                    ": missed fires "
                                    {text::misfire_effect(trigger.misfire)}
                                    "."
                                    {trigger
                                        .pause
                                        .is_some()
                                        .then_some(" It stays paused: it has a pause of its own.")}
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
                <ActionForm action=verbs.resume on:submit=note>
                    <input type="hidden" name="name" value=job />
                    <Submit label="Resume" busy look=ButtonLook::Primary />
                </ActionForm>
            </div>
        </details>
    }
}
