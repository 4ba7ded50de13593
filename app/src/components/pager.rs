//! Links to the other pages of a list.

use leptos::prelude::*;

use crate::text;

/// Which rows of how many, and the way to the pages before and after.
#[component]
pub fn Pager(
    /// The present page, from 1.
    page: u32,
    /// Rows on a page.
    size: u32,
    /// Rows on all pages.
    total: i64,
    /// One row, many rows.
    noun: (&'static str, &'static str),
    /// The address of a page.
    address: impl Fn(u32) -> String + Send + Sync + 'static,
) -> impl IntoView {
    let first = i64::from(page - 1) * i64::from(size) + 1;
    let last = (first + i64::from(size) - 1).min(total);
    let pages = u32::try_from((total.max(1) - 1) / i64::from(size) + 1).unwrap_or(u32::MAX);
    let range = if total == 0 || first > total {
        text::count(total, noun.0, noun.1)
    } else {
        format!(
            "{}–{} of {}",
            text::grouped(first),
            text::grouped(last),
            text::count(total, noun.0, noun.1)
        )
    };
    let link = |label: &'static str, rel: &'static str, to: Option<u32>| match to {
        Some(to) => view! {
            <a class="button button-small" rel=rel href=address(to)>
                {label}
            </a>
        }
        .into_any(),
        None => view! {
            <span class="button button-small" aria-disabled="true">
                {label}
            </span>
        }
        .into_any(),
    };
    view! {
        <nav class="pager" aria-label="Pages">
            <span class="figure">{range}</span>
            {(pages > 1)
                .then(|| {
                    view! {
                        <span class="pager-links">
                            {link("First", "first", (page > 1).then_some(1))}
                            {link("Previous", "prev", (page > 1).then(|| (page - 1).min(pages)))}
                            <span class="figure">{format!("Page {page} of {pages}")}</span>
                            {link("Next", "next", (page < pages).then_some(page + 1))}
                            {link("Last", "last", (page < pages).then_some(pages))}
                        </span>
                    }
                })}
        </nav>
    }
}
