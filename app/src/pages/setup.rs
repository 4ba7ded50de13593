//! The first start: making the first administrator from a one-time link.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    components::{Alert, TextField, Tone},
    contexts::use_session,
    text,
};

/// The set-up page.
#[component]
pub fn SetupPage() -> impl IntoView {
    let params = use_query_map().get_untracked();
    let get = |key: &str| params.get(key).unwrap_or_default();
    // the link is of no use any more once there is an administrator, whatever its token says
    let code = if use_session().setup_needed {
        get("error")
    } else {
        "setup_done".to_owned()
    };
    let error = text::sign_in_error(&code);
    let token = get("token");
    let over = code == "setup_done" || code == "setup_expired";
    let form = (!over && !token.is_empty()).then(|| {
        view! {
            <p>"Choose the name and the password of the first administrator."</p>
            <form method="post" action="/setup" class="gate-form">
                <input type="hidden" name="token" value=token.clone() />
                <TextField label="Name" name="name" value=get("name") autocomplete="username" required=true />
                <TextField
                    label="Password"
                    name="password"
                    kind="password"
                    autocomplete="new-password"
                    required=true
                />
                <TextField
                    label="Password again"
                    name="password_again"
                    kind="password"
                    autocomplete="new-password"
                    required=true
                />
                <p class="hint">"At least 12 characters. Length beats symbols; a sentence is fine."</p>
                <button type="submit" class="button button-primary">
                    "Create administrator"
                </button>
            </form>
        }
    });
    let without = form.is_none();
    view! {
        <Title text="Set up" />
        <div class="gate">
            <h1>"Set up Horarium"</h1>
            {error
                .map(|error| {
                    view! {
                        <Alert tone=Tone::Bad>
                            <p>{error}</p>
                        </Alert>
                    }
                })}
            {form}
            {without
                .then(|| {
                    view! {
                        <p>
                            "This page opens from the one-time link that the server prints when it starts for the first time."
                        </p>
                        <p>
                            <a class="button" href="/sign-in">
                                "Sign in"
                            </a>
                        </p>
                    }
                })}
        </div>
    }
}
