//! What an action answered.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{Mark, MarkShape};
use crate::{error::AppError, text};

/// Whether a message is good or bad news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something went wrong.
    Bad,
    /// Something deserves a second look.
    Warning,
    /// Something worked, or is good to know.
    Note,
}

/// A message across the page.
#[component]
pub fn Alert(
    /// Good or bad.
    tone: Tone,
    /// The message.
    children: Children,
) -> impl IntoView {
    let (name, role, shape) = match tone {
        Tone::Bad => ("bad", "alert", MarkShape::Octagon),
        Tone::Warning => ("warning", "status", MarkShape::Triangle),
        Tone::Note => ("note", "status", MarkShape::Info),
    };
    view! {
        <div class="alert" data-tone=name role=role>
            <Mark shape />
            <div>{children()}</div>
        </div>
    }
}

/// The error of an action, in words; nothing while there is none. After a form without scripts it comes from the
/// address.
#[component]
pub fn ActionAlert<S>(
    /// The action.
    action: ServerAction<S>,
) -> impl IntoView
where
    S: ServerFn<Error = AppError> + Clone + Send + Sync + 'static,
    S::Output: Clone + Send + Sync + 'static,
{
    let value = action.value();
    move || {
        let error = value.with(|v| match v {
            Some(Err(error)) => Some(error.clone()),
            _ => None,
        })?;
        let out = text::way_out(&error);
        Some(view! {
            <Alert tone=Tone::Bad>
                <p>{text::sentence(&error)}</p>
                {out.map(|out| view! { <p class="quiet">{out}</p> })}
            </Alert>
        })
    }
}
