//! What the components draw, checked natively.
#![cfg(feature = "ssr")]

mod addresses;
mod caret;
mod colours;
mod escaping;
mod history;
mod states;
mod words;

use leptos::prelude::*;

/// The HTML of a view, without the marks that only hydration needs.
fn html<V: RenderHtml>(view: impl FnOnce() -> V) -> String {
    Owner::new().with(|| view().to_html()).replace("<!>", "")
}
