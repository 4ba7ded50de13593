//! One run.

use horarium_core::state::RunStatus;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use super::Loaded;
use crate::{
    components::{
        ActionAlert, ActionButton, ButtonLook, Elapsed, Fact, Facts, PageHead, Relative, RunBadge,
        RunTable, Section, Time, TimeOf,
    },
    contexts::{use_pulse, use_session},
    server_fns::{CancelRun, RunJob, open_run},
    text,
    views::{LogRow, Moment, Right, RunPage as RunPageView},
};

/// The page of a run.
#[component]
pub fn RunPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|p| p.get("id")).unwrap_or_default());
    let cancel = ServerAction::<CancelRun>::new();
    let again = ServerAction::<RunJob>::new();
    let beat = use_pulse().beat;
    // an ended run never changes again: it is not asked for by every beat
    let ended = RwSignal::new(false);
    let tick = Memo::new(move |last: Option<&u32>| match (ended.get(), last) {
        (true, Some(last)) => *last,
        _ => beat.get(),
    });
    let run = Resource::new(
        move || (id.get(), cancel.version().get(), tick.get()),
        |(id, ..)| open_run(id),
    );
    Effect::new(move || {
        let over = run.with(|run| match run {
            Some(Ok(run)) => run.row.status.is_final(),
            _ => false,
        });
        ended.set(over);
    });
    view! {
        <ActionAlert action=cancel />
        <ActionAlert action=again />
        <Loaded
            resource=run
            draw=move |run| view! { <Content run cancel again /> }.into_any()
        />
    }
}

#[component]
fn Content(
    run: RunPageView,
    cancel: ServerAction<CancelRun>,
    again: ServerAction<RunJob>,
) -> impl IntoView {
    let row = run.row.clone();
    let operate = use_session().may(Right::Operate);
    let title = format!("Run of {}", row.job);
    let id = row.id.clone();
    let running = !row.status.is_final();
    let chain = run.chain.clone();
    view! {
        <Title text=title />
        <PageHead
            title=row.job.clone()
            lead=move || {
                view! {
                    "Run "
                    <span class="mono">{id.clone()}</span>
                }
            }
        >
            <RunBadge status=row.status />
            {(running && operate)
                .then(|| {
                    view! {
                        <ActionButton
                            action=cancel
                            fields=vec![("id", row.id.clone())]
                            label="Cancel this run"
                            look=ButtonLook::Danger
                        />
                    }
                })}
            {(run.job_exists && operate)
                .then(|| {
                    view! {
                        <ActionButton
                            action=again
                            fields=vec![("name", row.job.clone()), ("follow", "run".to_owned())]
                            label="Run again"
                        />
                    }
                })}
            {if run.job_exists {
                view! {
                    <a class="button" href=format!("/jobs/{}", row.job)>
                        "Open the job"
                    </a>
                }
                    .into_any()
            } else {
                view! { <span class="chip">"The job was deleted"</span> }.into_any()
            }}
        </PageHead>
        {run
            .error
            .clone()
            .map(|error| {
                view! {
                    <Section title="Error" class="section-bad">
                        <p class="pad">
                            <code>{row.error_code.clone()}</code>
                        </p>
                        <pre class="block" tabindex="0">
                            {error}
                        </pre>
                    </Section>
                }
            })}
        <Course run=run.clone() />
        <Details run=run.clone() />
        {(chain.len() > 1)
            .then(move || {
                view! {
                    <Section title="Attempts">
                        <RunTable
                            rows=chain
                            caption="All runs of this chain, oldest first"
                            one_job=true
                        />
                    </Section>
                }
            })}
        <Texts run=run.clone() />
        <Log lines=run.log.clone() cut=run.log_cut status=row.status />
    }
}

/// The four instants, and what lies between them.
#[component]
fn Course(run: RunPageView) -> impl IntoView {
    let row = run.row;
    let step = |name: &'static str, at: Option<Moment>, between: &'static str, ms: Option<i64>| {
        let reached = at.is_some().then_some("");
        view! {
            <li class="step" data-reached=reached>
                <span class="step-name">{name}</span>
                {match at {
                    Some(at) => view! { <Time at look=TimeOf::Plain /> }.into_any(),
                    None => view! { <span class="nothing">"not yet"</span> }.into_any(),
                }}
                {(!between.is_empty())
                    .then(|| {
                        view! {
                            <span class="step-span">
                                {between} " " <Elapsed ms />
                            </span>
                        }
                    })}
            </li>
        }
    };
    let started_ms = row.started.as_ref().map(|at| at.ms);
    let running = row.status == RunStatus::Running;
    view! {
        <Section
            title="Course"
            aside=move || {
                running
                    .then(|| {
                        started_ms.map(|ms| view! { "started " <Relative ms /> })
                    })
            }
        >
            <ol class="steps">
                {step("Planned", Some(row.scheduled), "", None)}
                {step("Dispatched", Some(run.dispatched.clone()), "", None)}
                {step("Started", row.started, "Lateness", row.lateness_ms)}
                {step("Finished", row.finished, "Duration", row.duration_ms)}
            </ol>
            <p class="quiet pad">
                "Lateness is from planned to started; of it " <Elapsed ms=run.queued_ms />
                " passed between dispatch and start. Duration is from started to finished."
            </p>
        </Section>
    }
}

#[component]
fn Details(run: RunPageView) -> impl IntoView {
    let row = run.row;
    let trigger = if row.trigger.is_empty() {
        view! { <span class="nothing">"none"</span> }.into_any()
    } else {
        let href = text::address(&format!("/jobs/{}", row.job), [("tab", "triggers")]);
        view! {
            <a class="mono" href=href>
                {row.trigger.clone()}
            </a>
        }
        .into_any()
    };
    view! {
        <Section title="Details">
            <Facts>
                <Fact name="Cause">{text::cause(row.cause)}</Fact>
                <Fact name="Trigger">{trigger}</Fact>
                <Fact name="Attempt">
                    <span class="figure">{row.attempt}</span>
                </Fact>
                <Fact name="Node">
                    <span class="mono">{row.node.clone()}</span>
                </Fact>
                <Fact name="Fencing token">
                    <span class="mono">{run.token}</span>
                </Fact>
                {run
                    .nominal
                    .map(|at| {
                        view! {
                            <Fact name="Stands for">
                                <Time at look=TimeOf::Inline />
                            </Fact>
                        }
                    })}
                {(!run.requested_by.is_empty())
                    .then(|| view! { <Fact name="Asked for by">{run.requested_by.clone()}</Fact> })}
                {(!run.cancel.is_empty())
                    .then(|| view! { <Fact name="Stopped because">{run.cancel.clone()}</Fact> })}
                {run
                    .recovered_from
                    .map(|id| {
                        view! {
                            <Fact name="Stands in for">
                                <a class="mono" href=format!("/runs/{id}")>
                                    "a lost run"
                                </a>
                            </Fact>
                        }
                    })}
            </Facts>
        </Section>
    }
}

/// Data, result, and what came too late.
#[component]
fn Texts(run: RunPageView) -> impl IntoView {
    let block = |title: &'static str, text: Option<String>| {
        text.filter(|text| !text.is_empty()).map(|text| {
            view! {
                <Section title=title>
                    <pre class="block" tabindex="0">
                        {text}
                    </pre>
                </Section>
            }
        })
    };
    view! {
        <div class="columns">
            {block("Data", Some(run.data))}
            {block("Result", run.result)}
            {block("Answered after it had been given up", run.late_result)}
        </div>
    }
}

#[component]
fn Log(lines: Vec<LogRow>, cut: bool, status: RunStatus) -> impl IntoView {
    if lines.is_empty() {
        let text = if status.is_final() {
            "The run wrote nothing to its log."
        } else {
            "Nothing yet. New lines appear here while the run goes on."
        };
        return view! {
            <Section title="Log">
                <p class="quiet pad">{text}</p>
            </Section>
        }
        .into_any();
    }
    let shown = text::count(i64::try_from(lines.len()).unwrap_or(0), "line", "lines");
    view! {
        <Section title="Log" aside=move || shown.clone()>
            <div class="log" tabindex="0" role="log" aria-label="Log of the run">
                {lines
                    .into_iter()
                    .map(|line| {
                        let level = line.level.clone();
                        let iso = line.iso.clone();
                        view! {
                            <div class="log-line" data-level=level>
                                <span class="log-number">{line.number}</span>
                                <time datetime=iso title=line.iso>
                                    {line.time}
                                </time>
                                <span class="log-level">{line.level}</span>
                                <span class="log-text">{line.text}</span>
                            </div>
                        }
                    })
                    .collect_view()}
            </div>
            {cut
                .then(|| {
                    view! { <p class="quiet pad">"The log goes on; only its first lines are shown."</p> }
                })}
        </Section>
    }
    .into_any()
}
