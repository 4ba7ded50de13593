//! The exclusion calendars.

use leptos::prelude::*;
use leptos_meta::Title;

use super::Loaded;
use crate::{
    components::{Empty, PageHead},
    server_fns::list_calendars,
    views::CalendarRow,
};

/// The list of calendars.
#[component]
pub fn CalendarsPage() -> impl IntoView {
    let calendars = Resource::new(|| (), |()| list_calendars());
    view! {
        <Title text="Calendars" />
        <PageHead title="Calendars" />
        <Loaded resource=calendars draw=|rows| view! { <List rows /> }.into_any() />
    }
}

#[component]
fn List(rows: Vec<CalendarRow>) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <Empty title="No calendars">
                <p>
                    "A calendar keeps triggers from firing on holidays, weekends or in certain hours. Write one into the configuration file as "
                    <code>"[calendars.NAME]"</code> " and name it in a schedule: "
                    <code>"calendar=NAME"</code> "."
                </p>
            </Empty>
        }
        .into_any();
    }
    view! {
        <div class="table-box">
            <table class="table">
                <caption class="only-heard">"Calendars"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"Excludes"</th>
                        <th scope="col">"Definition"</th>
                    </tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|row| {
                            view! {
                                <tr data-calendar=row.name.clone()>
                                    <th scope="row" data-label="Name" class="mono">
                                        {row.name.clone()}
                                    </th>
                                    <td data-label="Excludes">{row.words}</td>
                                    <td data-label="Definition">
                                        <details>
                                            <summary>"Show"</summary>
                                            <pre class="block">{row.definition}</pre>
                                        </details>
                                    </td>
                                </tr>
                            }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}
