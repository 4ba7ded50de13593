//! A place where there is nothing, and what to do about it.

use leptos::prelude::*;

/// An empty list that explains itself.
#[component]
pub fn Empty(
    /// What is missing.
    title: &'static str,
    /// Why, and what to do.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="empty-title">{title}</p>
            <div class="empty-text">{children()}</div>
        </div>
    }
}
