//! Signing in: a plain form that needs no scripts.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    components::{Alert, TextField, Tone},
    contexts::use_session,
    text,
};

/// The sign-in page.
#[component]
pub fn SignInPage() -> impl IntoView {
    let params = use_query_map().get_untracked();
    let get = |key: &str| params.get(key).unwrap_or_default();
    let error = text::sign_in_error(&get("error"));
    let setup_needed = use_session().setup_needed;
    view! {
        <Title text="Sign in" />
        <div class="gate">
            <h1>"Sign in"</h1>
            {error
                .map(|error| {
                    view! {
                        <Alert tone=Tone::Bad>
                            <p>{error}</p>
                        </Alert>
                    }
                })}
            {setup_needed
                .then(|| {
                    view! {
                        <Alert tone=Tone::Note>
                            <p>
                                "There is no administrator yet. The server printed a one-time set-up link when it started: open that link first."
                            </p>
                        </Alert>
                    }
                })}
            <form method="post" action="/sign-in" class="gate-form">
                <input type="hidden" name="next" value=get("next") />
                <TextField label="Name" name="name" value=get("name") autocomplete="username" required=true />
                <TextField
                    label="Password"
                    name="password"
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <button type="submit" class="button button-primary">
                    "Sign in"
                </button>
            </form>
        </div>
    }
}
