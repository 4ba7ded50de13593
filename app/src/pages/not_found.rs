//! An address that leads nowhere.

use leptos::prelude::*;

use crate::{
    components::ProblemPage,
    error::{AppError, NO_PAGE},
};

/// The page for unknown addresses, with status 404.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    let error = AppError::plain(NO_PAGE);
    view! { <ProblemPage error /> }
}
