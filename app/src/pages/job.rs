//! One job: its head with the actions, and a tab below.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use self::{
    actions::Actions, code::CodeTab, edit::EditTab, summary::SummaryTab, triggers::TriggersTab,
};
use super::Loaded;
use crate::{
    components::{
        ActionAlert, Empty, Mark, MarkShape, OriginBadge, PageHead, Relative, RunTable, StateBadge,
        Tag,
    },
    contexts::{use_pulse, use_session},
    server_fns::{
        EnqueueJob, PauseJob, PauseTrigger, RestoreJob, ResumeJob, ResumeTrigger, RunJob,
        ScheduleJob, open_job,
    },
    text,
    views::{JobHead, JobPage as JobPageView, JobTab, Right},
};

mod actions;
mod code;
mod edit;
mod fires;
mod summary;
mod triggers;

/// The actions of the page, one per verb.
#[derive(Clone, Copy)]
pub(super) struct Verbs {
    pause: ServerAction<PauseJob>,
    resume: ServerAction<ResumeJob>,
    run: ServerAction<RunJob>,
    enqueue: ServerAction<EnqueueJob>,
    restore: ServerAction<RestoreJob>,
    pause_trigger: ServerAction<PauseTrigger>,
    resume_trigger: ServerAction<ResumeTrigger>,
    schedule: ServerAction<ScheduleJob>,
}

impl Verbs {
    fn new() -> Self {
        Self {
            pause: ServerAction::new(),
            resume: ServerAction::new(),
            run: ServerAction::new(),
            enqueue: ServerAction::new(),
            restore: ServerAction::new(),
            pause_trigger: ServerAction::new(),
            resume_trigger: ServerAction::new(),
            schedule: ServerAction::new(),
        }
    }

    /// Changes whenever any of them was answered.
    fn version(&self) -> usize {
        self.pause.version().get()
            + self.resume.version().get()
            + self.run.version().get()
            + self.enqueue.version().get()
            + self.restore.version().get()
            + self.pause_trigger.version().get()
            + self.resume_trigger.version().get()
            + self.schedule.version().get()
    }
}

/// The page of a job.
#[component]
pub fn JobPage() -> impl IntoView {
    let params = use_params_map();
    let query = use_query_map();
    let name = Memo::new(move |_| params.with(|p| p.get("name")).unwrap_or_default());
    let tab = Memo::new(move |_| JobTab::named(&query.with(|q| q.get("tab")).unwrap_or_default()));
    let verbs = Verbs::new();
    let beat = use_pulse().beat;
    let job = Resource::new(
        move || (name.get(), tab.get(), verbs.version(), beat.get()),
        |(name, tab, ..)| open_job(name, tab),
    );
    view! {
        <Title text=name />
        <ActionAlert action=verbs.pause />
        <ActionAlert action=verbs.resume />
        <ActionAlert action=verbs.run />
        <ActionAlert action=verbs.enqueue />
        <ActionAlert action=verbs.restore />
        <ActionAlert action=verbs.pause_trigger />
        <ActionAlert action=verbs.resume_trigger />
        <Loaded
            resource=job
            draw=move |page| {
                let tab = tab.get_untracked();
                view! { <Content page tab verbs /> }.into_any()
            }
        />
    }
}

#[component]
fn Content(page: JobPageView, tab: JobTab, verbs: Verbs) -> impl IntoView {
    let head = page.head.clone();
    let name = head.name.clone();
    let has_code = page.code.is_some();
    let operate = use_session().may(Right::Operate);
    let body = match tab {
        JobTab::Summary => page
            .summary
            .clone()
            .map(|summary| view! { <SummaryTab summary job=head.clone() /> }.into_any()),
        JobTab::Triggers => {
            let (job, triggers) = (name.clone(), page.triggers.clone());
            Some(view! { <TriggersTab job triggers verbs /> }.into_any())
        }
        JobTab::Runs => page.runs.clone().map(|rows| {
            let (job, total) = (name.clone(), page.runs_total);
            view! { <RunsTab job rows total /> }.into_any()
        }),
        JobTab::Code => Some(match page.code.clone() {
            Some(code) => view! { <CodeTab job=head.clone() code verbs /> }.into_any(),
            None => view! { <NoCode /> }.into_any(),
        }),
        JobTab::Edit => Some(match page.edit.clone() {
            Some(edit) => {
                let job = head.clone();
                // made anew when the definition has changed, so that no field keeps what belonged to another trigger;
                // left alone otherwise, so that nothing typed is lost
                view! {
                    <For each=move || [edit.clone()] key=|edit| format!("{edit:?}") let:edit>
                        <EditTab job=job.clone() edit verbs />
                    </For>
                }
                .into_any()
            }
            None => view! { <NoEdit /> }.into_any(),
        }),
    };
    view! {
        <Head job=head.clone() />
        {operate
            .then(|| {
                view! { <Actions job=head.clone() triggers=page.triggers.clone() verbs /> }
            })}
        <Tabs job=name tab has_code />
        {body}
    }
}

#[component]
fn Head(job: JobHead) -> impl IntoView {
    let described = job.description.clone();
    view! {
        <PageHead title=job.name.clone() lead=move || described.clone()>
            {job.state.map(|state| view! { <StateBadge state /> })}
            <OriginBadge origin=job.origin />
            <span class="chip mono" title="Job type">
                {job.job_type.clone()}
            </span>
            {job.tags.clone().into_iter().map(|name| view! { <Tag name /> }).collect_view()}
        </PageHead>
        {job
            .pause
            .clone()
            .map(|pause| {
                let reason = if pause.reason.is_empty() {
                    "without a reason".to_owned()
                } else {
                    format!("“{}”", pause.reason)
                };
                view! {
                    <div class="alert" data-tone="paused" role="status">
                        <Mark shape=MarkShape::Bars />
                        <div>
                            <p>
                                "Paused by " <strong>{pause.by}</strong> " " <Relative ms=pause.at.ms />
                                ", " {reason} ". "
                                {pause
                                    .until
                                    .map(|until| {
                                        view! {
                                            "Resumes by itself at " <strong>{until.full()}</strong> " ("
                                            <Relative ms=until.ms /> "). "
                                        }
                                    })} "Run now still works."
                            </p>
                        </div>
                    </div>
                }
            })}
        {(job.pause.is_none() && !job.reason.is_empty())
            .then(|| view! { <p class="lead">{job.reason.clone()}</p> })}
    }
}

#[component]
fn Tabs(job: String, tab: JobTab, has_code: bool) -> impl IntoView {
    let define = use_session().may(Right::Define);
    let shown = move |which: JobTab| match which {
        JobTab::Code => has_code,
        JobTab::Edit => define,
        _ => true,
    };
    view! {
        <nav class="tabs" aria-label="Parts of the job">
            {JobTab::ALL
                .into_iter()
                .filter(|which| shown(*which))
                .map(|which| {
                    let value = if which == JobTab::Summary { "" } else { which.as_str() };
                    let href = text::address(&format!("/jobs/{job}"), [("tab", value)]);
                    view! {
                        <a href=href aria-current=(which == tab).then_some("page")>
                            {which.title()}
                        </a>
                    }
                })
                .collect_view()}
        </nav>
    }
}

#[component]
fn RunsTab(job: String, rows: Vec<crate::views::RunRow>, total: i64) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <Empty title="No runs kept">
                <p>
                    "This job has not run yet, or its runs are older than the retention period."
                </p>
            </Empty>
        }
        .into_any();
    }
    let all = text::address("/runs", [("job", job.as_str()), ("from", "all")]);
    let shown = rows.len();
    view! {
        <p class="quiet window">
            {format!("The last {shown} of {}. ", text::count(total, "run", "runs"))}
            <a href=all>"All runs of this job"</a>
        </p>
        <RunTable rows caption="Runs of this job, latest planned first" one_job=true />
    }
    .into_any()
}

#[component]
fn NoCode() -> impl IntoView {
    view! {
        <Empty title="No code behind this job">
            <p>"It was made at run time, so there is nothing to compare it with or to restore."</p>
        </Empty>
    }
}

#[component]
fn NoEdit() -> impl IntoView {
    view! {
        <Empty title="Your role does not allow this">
            <p>"Changing a schedule takes the role admin. To hold a job back for a while, pause it."</p>
        </Empty>
    }
}
