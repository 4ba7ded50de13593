//! The same text as each dialect reads it.

use leptos::prelude::*;

use crate::{
    components::Section,
    views::{CronAsk, Reading},
};

/// The table that finds out whose expression it is.
#[component]
pub(super) fn Readings(readings: Vec<Reading>, ask: CronAsk) -> impl IntoView {
    let chosen = if ask.dialect.is_empty() {
        "horarium".to_owned()
    } else {
        ask.dialect.clone()
    };
    view! {
        <Section title="The same text in other dialects" class="preview-wide">
            <div class="table-box">
                <table class="table table-readings">
                    <caption class="only-heard">"How each dialect reads the text"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Dialect"</th>
                            <th scope="col">"Reads it as"</th>
                            <th scope="col">"First fires"</th>
                            <th scope="col">"Written for Horarium"</th>
                        </tr>
                    </thead>
                    <tbody>
                        {readings
                            .into_iter()
                            .map(|reading| {
                                let here = reading.dialect == chosen;
                                view! { <Row reading here ask=ask.clone() /> }
                            })
                            .collect_view()}
                    </tbody>
                </table>
            </div>
        </Section>
    }
}

#[component]
fn Row(reading: Reading, here: bool, ask: CronAsk) -> impl IntoView {
    let (words, readable) = match reading.words {
        Ok(words) => (words, true),
        Err(words) => (words, false),
    };
    let written = reading.horarium.map(|text| {
        let href = CronAsk {
            expr: text.clone(),
            dialect: String::new(),
            ..ask.clone()
        }
        .address();
        view! {
            <a class="mono" href=href>
                {text}
            </a>
        }
    });
    view! {
        <tr data-dialect=reading.dialect.clone() data-readable=readable.then_some("")>
            <th scope="row" data-label="Dialect">
                <a
                    class="strong"
                    href=ask.read_as(&reading.dialect).address()
                    aria-current=here.then_some("true")
                >
                    {reading.title}
                </a>
                {here.then(|| view! { <span class="chip">"chosen"</span> })}
                {(reading.differs && readable && !here)
                    .then(|| view! { <span class="chip chip-warning">"other fires"</span> })}
            </th>
            <td data-label="Reads it as">
                {if readable {
                    view! { <span>{words}</span> }.into_any()
                } else {
                    view! { <span class="quiet">"Cannot read it. " {words}</span> }.into_any()
                }}
            </td>
            <td data-label="First fires">
                <span class="stack figure">
                    {reading.next.into_iter().map(|at| view! { <span>{at}</span> }).collect_view()}
                </span>
            </td>
            <td data-label="Written for Horarium">{written}</td>
        </tr>
    }
}
