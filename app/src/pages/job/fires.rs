//! A list of coming fires.

use leptos::prelude::*;

use crate::{
    components::{Time, TimeOf},
    views::NextFireRow,
};

/// Coming fires; those that will not run are struck through with the reason.
#[component]
pub(super) fn FireList(
    /// The fires.
    fires: Vec<NextFireRow>,
    /// What to say when there is none.
    none: &'static str,
) -> impl IntoView {
    if fires.is_empty() {
        return view! { <p class="quiet pad">{none}</p> }.into_any();
    }
    view! {
        <ol class="fires">
            {fires
                .into_iter()
                .map(|fire| {
                    let struck = !fire.obstacle.is_empty();
                    view! {
                        <li class="fire" data-struck=struck.then_some("")>
                            <Time at=fire.at look=TimeOf::Inline />
                            <span class="quiet">{fire.trigger}</span>
                            {fire
                                .local
                                .map(|local| {
                                    view! {
                                        <span class="quiet figure" title=local.detail()>
                                            {local.full()}
                                        </span>
                                    }
                                })}
                            {struck.then(|| view! { <span class="fire-reason">{fire.obstacle}</span> })}
                        </li>
                    }
                })
                .collect_view()}
        </ol>
    }
    .into_any()
}
