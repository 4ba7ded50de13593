//! Buttons that are forms: they work before the scripts arrive.

use leptos::{
    ev::SubmitEvent,
    form::ActionForm,
    prelude::*,
    server_fn::{Http, ServerFn, client::Client, codec::PostUrl, request::ClientReq},
    web_sys::FormData,
};
use serde::de::DeserializeOwned;

use crate::error::AppError;

/// How much a button stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ButtonLook {
    /// The one thing to do here.
    Primary,
    /// One of several.
    #[default]
    Plain,
    /// In a row of a table.
    Small,
    /// Ends or undoes something.
    Danger,
}

impl ButtonLook {
    /// The classes of the button.
    pub fn class(self) -> &'static str {
        match self {
            Self::Primary => "button button-primary",
            Self::Plain => "button",
            Self::Small => "button button-small",
            Self::Danger => "button button-danger",
        }
    }
}

/// Whether this very form waits for its answer, and the handler that notes its submission. Other forms of the same
/// action stay as they are.
pub fn use_busy(pending: Memo<bool>) -> (Memo<bool>, impl Fn(SubmitEvent) + Clone + 'static) {
    let mine = RwSignal::new(false);
    Effect::new(move |was: Option<bool>| {
        let is = pending.get();
        if was == Some(true) && !is {
            mine.set(false);
        }
        is
    });
    let busy = Memo::new(move |_| mine.get() && pending.get());
    (busy, move |_| mine.set(true))
}

/// The submit button of a form, with its pending state.
#[component]
pub fn Submit(
    /// What it says.
    label: &'static str,
    /// Whether the form waits for its answer.
    busy: Memo<bool>,
    /// How much it stands out.
    #[prop(optional)]
    look: ButtonLook,
    /// What it is about, for those who do not see the row it stands in.
    #[prop(optional, into)]
    about: String,
) -> impl IntoView {
    let name = (!about.is_empty()).then(|| format!("{label} {about}"));
    view! {
        <button
            type="submit"
            class=look.class()
            aria-label=name
            aria-busy=move || busy.get().to_string()
            disabled=busy
        >
            <span class="button-spinner" aria-hidden="true"></span>
            {label}
        </button>
    }
}

/// A form that is one button: hidden fields and a label.
#[component]
pub fn ActionButton<S, Out>(
    /// What it does.
    action: ServerAction<S>,
    /// The hidden fields.
    fields: Vec<(&'static str, String)>,
    /// What the button says.
    label: &'static str,
    /// How much it stands out.
    #[prop(optional)]
    look: ButtonLook,
    /// What it is about, for those who do not see the row it stands in.
    #[prop(optional, into)]
    about: String,
) -> impl IntoView
where
    S: DeserializeOwned
        + ServerFn<Protocol = Http<PostUrl, Out>, Error = AppError>
        + Clone
        + Send
        + Sync
        + 'static,
    S::Client: Client<AppError>,
    <<S::Client as Client<AppError>>::Request as ClientReq<AppError>>::FormData: From<FormData>,
    S::Output: Send + Sync + 'static,
    Out: 'static,
{
    let (busy, note) = use_busy(action.pending());
    view! {
        <ActionForm action on:submit=note attr:class="action">
            {fields
                .into_iter()
                .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
                .collect_view()}
            <Submit label busy look about />
        </ActionForm>
    }
}
