//! The answer: words, warnings, fires; or what is wrong, at the character.

use leptos::prelude::*;

use crate::{
    components::{Alert, CaretText, CopyText, Section, Time, TimeOf, Tone},
    text,
    views::{CronAsk, DaySection, FieldWords, Fire, PreviewFault, PreviewRows, Verdict},
};

/// What is wrong, where, and the way out.
#[component]
pub(super) fn Fault(fault: PreviewFault, ask: CronAsk) -> impl IntoView {
    let PreviewFault {
        field,
        text: wrong,
        at,
        message,
        allowed,
        suggestions,
    } = fault;
    let label = match field.as_str() {
        "tz" => "The time zone cannot be read",
        "from" => "The start cannot be read",
        "calendar" => "The calendar is unknown",
        _ => "The expression cannot be read",
    };
    let ways: Vec<_> = suggestions
        .into_iter()
        .map(|suggestion| {
            let fixed = match field.as_str() {
                "tz" => CronAsk {
                    tz: suggestion.clone(),
                    ..ask.clone()
                },
                "calendar" => CronAsk {
                    calendar: suggestion.clone(),
                    ..ask.clone()
                },
                _ => ask.for_text(&suggestion),
            };
            view! {
                <a class="button mono" href=fixed.address()>
                    {suggestion}
                </a>
            }
        })
        .collect();
    let has_ways = !ways.is_empty();
    view! {
        <section class="fault preview-wide" role="alert" data-field=field>
            <h2>{label}</h2>
            {at.map(|at| view! { <CaretText text=wrong at /> })}
            <p>{message}</p>
            {(!allowed.is_empty()).then(|| view! { <p class="quiet">"Allowed here: " {allowed} "."</p> })}
            {has_ways.then(|| view! { <p class="ways">"Did you mean " {ways} " ?"</p> })}
        </section>
    }
}

/// What the schedule does.
#[component]
pub(super) fn Rows(rows: PreviewRows, ask: CronAsk) -> impl IntoView {
    let compare = rows.zone != rows.display_zone;
    let more = (rows.end.is_empty() && ask.count < CronAsk::MOST).then(|| {
        let next = ask.with_count(ask.count.max(CronAsk::COUNT) + 20);
        view! {
            <a class="button" href=next.address()>
                "More"
            </a>
        }
    });
    let title = format!("Next {}", text::count(rows.running as i64, "fire", "fires"));
    let (zone, display) = (rows.zone.clone(), rows.display_zone.clone());
    view! {
        <section class="answer preview-wide">
            <p class="sentence">{rows.sentence}</p>
            {rows
                .warnings
                .into_iter()
                .map(|warning| {
                    view! {
                        <Alert tone=Tone::Warning>
                            <p>{warning}</p>
                        </Alert>
                    }
                })
                .collect_view()}
        </section>
        <Section title=title class="preview-main">
            <Table days=rows.days zone display compare />
            <div class="pad after">
                {(!rows.end.is_empty()).then(|| view! { <p class="quiet">{rows.end}</p> })} {more}
            </div>
        </Section>
        <div class="preview-side">
            {(!rows.fields.is_empty()).then(|| view! { <FieldTable fields=rows.fields /> })}
            {(!rows.density.is_empty()).then(|| view! { <Density facts=rows.density /> })}
            <Section title="To take along">
                <div class="pad stack">
                    <span class="quiet">"Schedule text"</span>
                    <CopyText text=rows.canonical label="Copy the schedule text" />
                    <span class="quiet">"The same on the command line"</span>
                    <CopyText text=rows.cli label="Copy the command line" />
                </div>
            </Section>
        </div>
    }
}

#[component]
fn Density(facts: Vec<(String, String)>) -> impl IntoView {
    view! {
        <Section title="Density">
            <dl class="facts facts-narrow">
                {facts
                    .into_iter()
                    .map(|(name, value)| {
                        view! {
                            <div>
                                <dt>{name}</dt>
                                <dd class="figure">{value}</dd>
                            </div>
                        }
                    })
                    .collect_view()}
            </dl>
        </Section>
    }
}

#[component]
fn FieldTable(fields: Vec<FieldWords>) -> impl IntoView {
    view! {
        <Section title="Field by field">
            <table class="table table-fields">
                <caption class="only-heard">"Each field in words"</caption>
                <tbody>
                    {fields
                        .into_iter()
                        .map(|field| {
                            view! {
                                <tr>
                                    <th scope="row">{field.name}</th>
                                    <td class="mono">{field.text}</td>
                                    <td>{field.words}</td>
                                </tr>
                            }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </Section>
    }
}

#[component]
fn Table(days: Vec<DaySection>, zone: String, display: String, compare: bool) -> impl IntoView {
    let columns = if compare { "5" } else { "4" };
    view! {
        <div class="table-box">
            <table class="table table-preview">
                <caption class="only-heard">"Fires by day"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Planned, " {zone}</th>
                        {compare.then(|| view! { <th scope="col">"In " {display}</th> })}
                        <th scope="col">"From now"</th>
                        <th scope="col" class="right">
                            "Gap"
                        </th>
                        <th scope="col">"Verdict"</th>
                    </tr>
                </thead>
                {days
                    .into_iter()
                    .map(|day| {
                        view! {
                            <tbody>
                                <tr class="day">
                                    <th scope="rowgroup" colspan=columns>
                                        {day.title}
                                        {(!day.note.is_empty())
                                            .then(|| view! { <span class="chip chip-warning">{day.note}</span> })}
                                    </th>
                                </tr>
                                {day
                                    .fires
                                    .into_iter()
                                    .map(|fire| view! { <Row fire compare /> })
                                    .collect_view()}
                            </tbody>
                        }
                    })
                    .collect_view()}
            </table>
        </div>
    }
}

#[component]
fn Row(fire: Fire, compare: bool) -> impl IntoView {
    let runs = fire.verdict == Verdict::Runs;
    let kind = match fire.verdict {
        Verdict::Runs => "runs",
        Verdict::Missing => "missing",
        Verdict::Second => "second",
        Verdict::Excluded => "excluded",
        Verdict::Outside => "outside",
    };
    let dash = || view! { <span class="nothing">"–"</span> }.into_any();
    let iso = fire.at.as_ref().map(|at| at.iso.clone());
    view! {
        <tr data-verdict=kind data-fire=iso>
            <td data-label="Planned" class="planned">
                <span class="figure">{fire.local}</span>
                " "
                <span class="zone">{fire.offset}</span>
            </td>
            {compare
                .then(|| {
                    view! {
                        <td data-label="Display zone">
                            {match fire.at.clone() {
                                Some(at) => view! { <Time at look=TimeOf::Plain /> }.into_any(),
                                None => dash(),
                            }}
                        </td>
                    }
                })}
            <td data-label="From now">
                {match fire.at.clone() {
                    Some(at) => view! { <crate::components::Relative ms=at.ms /> }.into_any(),
                    None => dash(),
                }}
            </td>
            <td data-label="Gap" class="right figure">
                {fire.gap}
            </td>
            <td data-label="Verdict">
                {if runs {
                    view! { "Runs" }.into_any()
                } else {
                    view! { <span class="fire-reason">{fire.reason}</span> }.into_any()
                }}
            </td>
        </tr>
    }
}
