//! The designed pages for trouble: signed out, no right, not found, engine unreachable.

use leptos::prelude::*;
use leptos_meta::Title;

use super::{Mark, MarkShape};
use crate::{
    error::AppError,
    text::{self, Trouble},
};

/// A whole page about an error. On the server it also sets the status of the answer.
#[component]
pub fn ProblemPage(
    /// The error.
    error: AppError,
) -> impl IntoView {
    let kind = text::trouble(&error.code);
    set_status(text::status(&error.code));
    let out = text::way_out(&error);
    let shape = match kind {
        Trouble::SignedOut | Trouble::NoRight => MarkShape::Slash,
        Trouble::NotFound => MarkShape::BrokenRing,
        Trouble::Unreachable => MarkShape::Hourglass,
        Trouble::Failed => MarkShape::Octagon,
    };
    let way = match kind {
        Trouble::SignedOut => view! {
            <a class="button button-primary" href="/sign-in" rel="external">
                "Sign in"
            </a>
        }
        .into_any(),
        Trouble::Unreachable => {
            // the browser loads the page anew: a link to the page itself would only move the focus
            view! {
                <a class="button button-primary" href="" rel="external">
                    "Try again"
                </a>
            }
            .into_any()
        }
        _ => view! {
            <a class="button" href="/">
                "Overview"
            </a>
            <a class="button" href="/jobs">
                "All jobs"
            </a>
        }
        .into_any(),
    };
    view! {
        <Title text=kind.heading() />
        <div class="trouble" data-trouble=error.code.clone()>
            <span class="trouble-mark">
                <Mark shape />
            </span>
            <h1>{kind.heading()}</h1>
            <p>{text::sentence(&error)}</p>
            {out.map(|out| view! { <p class="quiet">{out}</p> })}
            <p class="trouble-ways">{way}</p>
            <p class="quiet">
                <code>{error.code.clone()}</code>
            </p>
        </div>
    }
}

/// Sets the status of the answer, on the server.
pub(crate) fn set_status(status: u16) {
    #[cfg(feature = "ssr")]
    if let (Some(options), Ok(status)) = (
        use_context::<leptos_axum::ResponseOptions>(),
        axum::http::StatusCode::from_u16(status),
    ) {
        options.set_status(status);
    }
    #[cfg(not(feature = "ssr"))]
    let _ = status;
}
