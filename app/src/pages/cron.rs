//! The preview: what a schedule does, done by the engine's own evaluator.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use self::{
    form::AskForm,
    readings::Readings,
    result::{Fault, Rows},
};
use super::Loaded;
use crate::{
    components::PageHead,
    server_fns::{preview_schedule, zone_names},
    views::{CronAsk, Preview},
};

mod form;
mod readings;
mod result;

/// What to try first.
const EXAMPLES: [(&str, &str, &str); 6] = [
    ("0 9 * * MON-FRI", "Europe/Berlin", "Weekdays at nine"),
    ("*/15 * * * *", "", "Every quarter of an hour"),
    ("0 0 22 L * ?", "", "The last day of each month"),
    (
        "0 30 2 * * *",
        "Europe/Berlin",
        "A time that the clock change skips",
    ),
    ("0 0 8 LW * ?", "", "The last working day"),
    ("0 0 10 ? * FRI#2", "", "Every second Friday of the month"),
];

/// The cron preview.
#[component]
pub fn CronPage() -> impl IntoView {
    let params = use_query_map();
    let ask = Memo::new(move |_| CronAsk::from_params(&params.get()));
    let preview = Resource::new(move || ask.get(), preview_schedule);
    let zones = Resource::new(|| (), |()| zone_names());
    view! {
        <Title text=move || match ask.with(|a| a.expr.clone()) {
            expr if expr.is_empty() => "Cron preview".to_owned(),
            expr => expr,
        } />
        <PageHead
            title="Cron preview"
            lead=|| {
                "What a schedule does, computed by the engine that runs it. The address holds the question: share it."
            }
        />
        <AskForm ask />
        <datalist id="zones">
            <Transition fallback=|| ()>
                {move || Suspend::new(async move {
                    zones
                        .await
                        .unwrap_or_default()
                        .into_iter()
                        .map(|name| view! { <option value=name></option> })
                        .collect_view()
                })}
            </Transition>
        </datalist>
        <Loaded
            resource=preview
            draw=move |preview| {
                let ask = ask.get_untracked();
                view! { <Answer preview ask /> }.into_any()
            }
        />
    }
}

#[component]
fn Answer(preview: Preview, ask: CronAsk) -> impl IntoView {
    let Preview {
        readings,
        outcome,
        calendars,
    } = preview;
    let main = match outcome {
        _ if ask.expr.is_empty() => view! { <Examples /> }.into_any(),
        Ok(rows) => view! { <Rows rows ask=ask.clone() /> }.into_any(),
        Err(fault) => view! { <Fault fault=*fault ask=ask.clone() /> }.into_any(),
    };
    view! {
        <datalist id="calendars">
            {calendars
                .into_iter()
                .map(|name| view! { <option value=name></option> })
                .collect_view()}
        </datalist>
        <div class="preview">
            {main}
            {(!readings.is_empty()).then(|| view! { <Readings readings ask /> })}
        </div>
    }
}

#[component]
fn Examples() -> impl IntoView {
    view! {
        <div class="empty preview-wide">
            <p class="empty-title">"Type a cron expression, or a whole schedule"</p>
            <ul class="examples">
                {EXAMPLES
                    .into_iter()
                    .map(|(expr, tz, words)| {
                        let ask = CronAsk {
                            expr: expr.to_owned(),
                            tz: tz.to_owned(),
                            ..CronAsk::default()
                        };
                        view! {
                            <li>
                                <a class="mono" href=ask.address()>
                                    {expr}
                                </a>
                                <span class="quiet">{words}</span>
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        </div>
    }
}
