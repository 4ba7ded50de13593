//! The first page: is it alive, what runs, what comes, what went wrong.

use leptos::prelude::*;
use leptos_meta::Title;

use super::Loaded;
use crate::{
    components::{
        Alert, Empty, Fact, Facts, Mark, MarkShape, PageHead, RunTable, Section, Time, TimeOf, Tone,
    },
    contexts::use_pulse,
    server_fns::read_overview,
    text,
    views::{Overview, Problem, Upcoming},
};

/// The first page.
#[component]
pub fn OverviewPage() -> impl IntoView {
    let beat = use_pulse().beat;
    let overview = Resource::new(move || beat.get(), |_| read_overview());
    view! {
        <Title text="Overview" />
        <Loaded resource=overview draw=|overview| view! { <Content overview /> }.into_any() />
    }
}

#[component]
fn Content(overview: Overview) -> impl IntoView {
    let (word, shape, state) = match (overview.serving, overview.stalled) {
        (true, false) => ("Scheduling", MarkShape::Tick, "good"),
        (true, true) => ("Behind", MarkShape::Hourglass, "bad"),
        (false, _) => ("Not scheduling", MarkShape::Octagon, "bad"),
    };
    let jobs = overview.jobs;
    let lead = format!(
        "{} · {} running · {}",
        text::count(jobs, "job", "jobs"),
        text::grouped(overview.running_total),
        text::count(overview.failures_total, "failure", "failures") + " in 24 h"
    );
    view! {
        <PageHead title="Overview" lead=move || lead.clone()>
            <span class="pulse" data-alive=state>
                <Mark shape />
                {word}
            </span>
        </PageHead>
        {overview
            .stalled
            .then(|| {
                view! {
                    <Alert tone=Tone::Bad>
                        <p>
                            "The engine has not looked for work for a while. Runs may start late; look at the server's log."
                        </p>
                    </Alert>
                }
            })}
        <Vitals overview=overview.clone() />
        <div class="columns">
            <Coming upcoming=overview.upcoming jobs />
            <Problems problems=overview.problems />
        </div>
        <Section
            title="Running now"
            aside=move || view! { <a href="/runs?status=running&from=all">"All running"</a> }
        >
            {if overview.running.is_empty() {
                view! { <p class="quiet pad">"Nothing runs at the moment."</p> }.into_any()
            } else {
                view! { <RunTable rows=overview.running caption="Runs that go on now" /> }.into_any()
            }}
        </Section>
        <Section
            title="Failures of the last 24 hours"
            aside=move || {
                view! { <a href="/runs?status=failed&status=lost">"All failures"</a> }
            }
        >
            {if overview.failures.is_empty() {
                view! { <p class="quiet pad">"No run has failed or been lost."</p> }.into_any()
            } else {
                view! { <RunTable rows=overview.failures caption="Failed and lost runs" /> }.into_any()
            }}
        </Section>
    }
}

#[component]
fn Vitals(overview: Overview) -> impl IntoView {
    let nodes = i64::try_from(overview.nodes).unwrap_or(i64::MAX);
    let cycle = overview.last_cycle.clone();
    view! {
        <Facts>
            <Fact name="Node">
                <span class="mono truncate">{overview.node.clone()}</span>
            </Fact>
            <Fact name="Role">
                {if overview.leader { "Leader" } else { "Follower" }} " of "
                {text::count(nodes.max(1), "node", "nodes")}
            </Fact>
            <Fact name="Last cycle">
                {match cycle {
                    Some(at) => view! { <crate::components::Relative ms=at.ms /> }.into_any(),
                    None => view! { "none yet" }.into_any(),
                }}
            </Fact>
            <Fact name="Running here">
                <span class="figure">
                    {overview.running_here} " of " {overview.limit}
                </span>
            </Fact>
            <Fact name="Up since">
                <Time at=overview.started look=TimeOf::Inline />
            </Fact>
            <Fact name="Store">
                {overview.store} {if overview.shared { ", shared" } else { ", this node only" }}
            </Fact>
            <Fact name="Zone data">
                <span class="figure">{overview.zone_data}</span>
            </Fact>
        </Facts>
    }
}

#[component]
fn Coming(upcoming: Vec<Upcoming>, jobs: i64) -> impl IntoView {
    let content = if upcoming.is_empty() && jobs == 0 {
        view! {
            <Empty title="No jobs yet">
                <p>
                    "Register jobs in code, or write them into the configuration file as "
                    <code>"[[jobs]]"</code> " and start again. The "
                    <a href="/cron">"cron preview"</a> " helps with the schedule."
                </p>
            </Empty>
        }
        .into_any()
    } else if upcoming.is_empty() {
        view! { <p class="quiet pad">"No trigger has a next fire."</p> }.into_any()
    } else {
        view! {
            <ol class="fires">
                {upcoming.into_iter().map(|row| view! { <ComingRow row /> }).collect_view()}
            </ol>
        }
        .into_any()
    };
    view! {
        <Section title="Next fires" aside=|| "at most five of each trigger">
            {content}
        </Section>
    }
}

#[component]
fn ComingRow(row: Upcoming) -> impl IntoView {
    let struck = !row.fire.obstacle.is_empty();
    let href = format!("/jobs/{}", row.job);
    view! {
        <li class="fire" data-struck=struck.then_some("")>
            <Time at=row.fire.at look=TimeOf::Inline />
            <a class="strong truncate" href=href>
                {row.job}
            </a>
            <span class="quiet">{row.fire.trigger}</span>
            {struck.then(|| view! { <span class="fire-reason">{row.fire.obstacle}</span> })}
        </li>
    }
}

#[component]
fn Problems(problems: Vec<Problem>) -> impl IntoView {
    let content = if problems.is_empty() {
        view! { <p class="quiet pad">"Nothing needs a look."</p> }.into_any()
    } else {
        view! {
            <ul class="problems">
                {problems
                    .into_iter()
                    .map(|problem| {
                        let shape = match problem.kind.as_str() {
                            "error" => MarkShape::Octagon,
                            "paused" => MarkShape::Bars,
                            "never" => MarkShape::Flag,
                            _ => MarkShape::Triangle,
                        };
                        let href = text::address(
                            &format!("/jobs/{}", problem.job),
                            [("tab", problem.tab.as_str())],
                        );
                        view! {
                            <li class="problem" data-problem=problem.kind>
                                <Mark shape />
                                <span>
                                    <a class="strong" href=href>
                                        {problem.job}
                                    </a>
                                    " "
                                    <span class="quiet">{problem.text}</span>
                                </span>
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        }
        .into_any()
    };
    view! { <Section title="Needs a look">{content}</Section> }
}
