//! What stands around every page: the bar at the top, the line at the bottom.

use leptos::prelude::*;
use leptos_router::{components::A, hooks::use_location};

use crate::{
    contexts::use_session,
    text,
    views::{Session, Theme},
};

const PAGES: [(&str, &str, bool); 7] = [
    ("/", "Overview", true),
    ("/jobs", "Jobs", false),
    ("/runs", "Runs", false),
    ("/cron", "Cron", false),
    ("/nodes", "Nodes", false),
    ("/calendars", "Calendars", false),
    ("/audit", "Changes", false),
];

/// The frame of every page. Who is not signed in sees only the product's name.
#[component]
pub fn Frame(
    /// The page.
    children: Children,
) -> impl IntoView {
    let session = use_session();
    let known = session.role.is_some();
    let version = session.version.clone();
    view! {
        <a class="skip" href="#main" rel="external">
            "Skip to the content"
        </a>
        <header class="bar">
            <div class="bar-inner">
                <a class="brand" href="/">
                    <Logo />
                    "Horarium"
                </a>
                {known.then(|| view! { <Pages /> })}
                <div class="bar-end">
                    <Preferences session=session.clone() />
                    {session.user.clone().filter(|_| session.auth).map(|user| view! { <Account user role=session.role.map(|r| r.as_str()).unwrap_or_default() /> })}
                </div>
            </div>
        </header>
        <main id="main" tabindex="-1">
            {children()}
        </main>
        <footer class="foot">
            <span>"Horarium " {version}</span>
            <span>
                "Times in " <strong>{session.zone.clone()}</strong>
            </span>
            {(!session.auth).then(|| view! { <span>"Nobody has to sign in (--no-auth)"</span> })}
        </footer>
    }
}

#[component]
fn Pages() -> impl IntoView {
    view! {
        <nav class="pages" aria-label="Pages">
            {PAGES
                .into_iter()
                .map(|(href, name, exact)| {
                    view! {
                        <A href=href exact=exact>
                            {name}
                        </A>
                    }
                })
                .collect_view()}
        </nav>
    }
}

/// A dial whose hand has just passed the hour.
#[component]
fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6.25" />
            <path d="M8 4.25V8l2.75 2.25" />
            <path d="M8 .5v1.75M15.5 8h-1.75M8 15.5v-1.75M.5 8h1.75" />
        </svg>
    }
}

/// Colours and display zone: a plain form, remembered in cookies.
#[component]
fn Preferences(session: Session) -> impl IntoView {
    let location = use_location();
    let back = move || {
        let search = location.search.get();
        let path = location.pathname.get();
        if search.is_empty() {
            path
        } else {
            format!("{path}?{}", search.trim_start_matches('?'))
        }
    };
    let zone = RwSignal::new(session.zone.clone());
    let suggestion = suggested_zone(&session);
    view! {
        <details class="menu">
            <summary class="button button-small" title="Colours and time zone">
                <span class="only-heard">"Preferences: "</span>
                {session.zone.clone()}
            </summary>
            <form class="menu-body" method="post" action="/preferences">
                <input type="hidden" name="back" value=back />
                <div class="field">
                    <label for="preferences-theme">"Colours"</label>
                    <select class="input" id="preferences-theme" name="theme">
                        {Theme::ALL
                            .into_iter()
                            .map(|(theme, name)| {
                                view! {
                                    <option value=theme.as_str() selected=theme == session.theme>
                                        {name}
                                    </option>
                                }
                            })
                            .collect_view()}
                    </select>
                </div>
                <div class="field">
                    <label for="preferences-zone">"Show times in"</label>
                    <input
                        class="input"
                        id="preferences-zone"
                        name="zone"
                        value=session.zone.clone()
                        prop:value=zone
                        on:input:target=move |ev| zone.set(ev.target().value())
                        autocomplete="off"
                        spellcheck="false"
                        placeholder="UTC"
                    />
                    <p class="hint">"An IANA name such as Europe/Berlin. Empty means UTC."</p>
                    {move || {
                        suggestion
                            .get()
                            .map(|name| {
                                let chosen = name.clone();
                                view! {
                                    <button
                                        type="button"
                                        class="button button-small"
                                        on:click=move |_| zone.set(chosen.clone())
                                    >
                                        "Use " {name}
                                    </button>
                                }
                            })
                    }}
                </div>
                <button type="submit" class="button button-primary">
                    "Save"
                </button>
            </form>
        </details>
    }
}

/// The browser's zone, once the page is alive, when it is not the one in use.
fn suggested_zone(session: &Session) -> RwSignal<Option<String>> {
    let suggestion = RwSignal::new(None);
    #[cfg(feature = "hydrate")]
    {
        let zone = session.zone.clone();
        Effect::new(move || suggestion.set(browser_zone().filter(|name| *name != zone)));
    }
    #[cfg(not(feature = "hydrate"))]
    let _ = session;
    suggestion
}

#[cfg(feature = "hydrate")]
fn browser_zone() -> Option<String> {
    use leptos::{
        wasm_bindgen::JsValue,
        web_sys::js_sys::{Array, Intl::DateTimeFormat, Object, Reflect},
    };
    let options = DateTimeFormat::new(&Array::new(), &Object::new()).resolved_options();
    Reflect::get(&options, &JsValue::from_str("timeZone"))
        .ok()?
        .as_string()
}

#[component]
fn Account(user: String, role: &'static str) -> impl IntoView {
    let hint = role
        .parse()
        .map(text::right)
        .map(|right| format!("{role}: {right}"))
        .unwrap_or_default();
    view! {
        <span class="account" title=hint>
            <span class="strong">{user}</span>
            <span class="quiet">{role}</span>
        </span>
        <form method="post" action="/sign-out">
            <button type="submit" class="button button-small">
                "Sign out"
            </button>
        </form>
    }
}
