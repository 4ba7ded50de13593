//! What a job is, and when it fires next.

use leptos::prelude::*;

use super::fires::FireList;
use crate::{
    components::{
        Fact, Facts, HistoryBar, Relative, RunBadge, ScheduleLine, Section, Time, TimeOf,
    },
    text,
    views::{JobHead, Summary},
};

/// The first tab.
#[component]
pub(super) fn SummaryTab(summary: Summary, job: JobHead) -> impl IntoView {
    let by = (!summary.updated_by.is_empty()).then(|| format!(" by {}", summary.updated_by));
    let changes = text::address("/audit", [("object", format!("job:{}", job.name).as_str())]);
    let last = job.last.clone().map(|run| {
        let href = format!("/runs/{}", run.id);
        view! {
            <a class="last-run" href=href title=run.scheduled.detail()>
                <RunBadge status=run.status />
                <Relative ms=run.scheduled.ms />
            </a>
        }
    });
    view! {
        <div class="columns">
            <Section title="Next fires">
                <FireList
                    fires=summary.next
                    none="Nothing is planned: the job runs by hand only, or its triggers have no next fire."
                />
            </Section>
            <div>
                <Section title="Schedule">
                    {if job.schedules.is_empty() {
                        view! { <p class="quiet pad">"Runs by hand only."</p> }.into_any()
                    } else {
                        view! {
                            <ul class="schedules">
                                {job
                                    .schedules
                                    .clone()
                                    .into_iter()
                                    .map(|schedule| {
                                        view! {
                                            <li>
                                                <span class="quiet mono">{schedule.trigger.clone()}</span>
                                                <ScheduleLine schedule />
                                            </li>
                                        }
                                    })
                                    .collect_view()}
                            </ul>
                        }
                            .into_any()
                    }}
                </Section>
                <Section title="Last runs">
                    <div class="pad history-line">
                        <HistoryBar runs=job.recent.clone() />
                        {last}
                    </div>
                </Section>
            </div>
        </div>
        <Section
            title="Definition"
            aside=move || view! { <a href=changes.clone()>"Changes of this job"</a> }
        >
            <Facts>
                <Fact name="Type">
                    <span class="mono">{job.job_type.clone()}</span>
                </Fact>
                <Fact name="Retry">{summary.retry}</Fact>
                <Fact name="Time limit">{summary.timeout}</Fact>
                <Fact name="Registered">
                    <Time at=summary.created look=TimeOf::Inline />
                </Fact>
                <Fact name="Last changed">
                    <Time at=summary.updated look=TimeOf::Inline />
                    {by}
                </Fact>
            </Facts>
            <ul class="flags">
                {summary.flags.into_iter().map(|flag| view! { <li>{flag}</li> }).collect_view()}
            </ul>
            <h3>"Data"</h3>
            <pre class="block" tabindex="0">
                {summary.data}
            </pre>
        </Section>
    }
}
