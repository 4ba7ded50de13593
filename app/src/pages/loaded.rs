//! What every page does with what it asked for.

use leptos::prelude::*;

use crate::{components::ProblemPage, error::AppError};

/// Draws what a resource answered, or the page about its error. While it is asked again the old content stays.
#[component]
pub fn Loaded<T>(
    /// What the page asked for.
    resource: Resource<Result<T, AppError>>,
    /// How it is drawn.
    draw: impl Fn(T) -> AnyView + Clone + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    view! {
        <Transition fallback=|| ()>
            {move || {
                let draw = draw.clone();
                Suspend::new(async move {
                    match resource.await {
                        Ok(value) => draw(value),
                        Err(error) => view! { <ProblemPage error /> }.into_any(),
                    }
                })
            }}
        </Transition>
    }
}
