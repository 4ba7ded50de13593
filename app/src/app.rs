//! The application: every address with its page.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    components::Frame,
    contexts::{provide_pulse, provide_session},
    pages::{
        AuditPage, CalendarsPage, CronPage, JobPage, JobsPage, NodesPage, NotFoundPage,
        OverviewPage, RunPage, RunsPage, SetupPage, SignInPage,
    },
};

/// The console.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let session = provide_session();
    provide_pulse(session.now_ms);
    #[cfg(feature = "hydrate")]
    wake();
    view! {
        <Title formatter=|text: String| {
            if text.is_empty() { "Horarium".to_owned() } else { format!("{text} · Horarium") }
        } />
        <Router>
            <Frame>
                <FlatRoutes fallback=NotFoundPage>
                    <Route path=path!("/") view=OverviewPage ssr=SsrMode::Async />
                    <Route path=path!("/jobs") view=JobsPage ssr=SsrMode::Async />
                    <Route path=path!("/jobs/:name") view=JobPage ssr=SsrMode::Async />
                    <Route path=path!("/runs") view=RunsPage ssr=SsrMode::Async />
                    <Route path=path!("/runs/:id") view=RunPage ssr=SsrMode::Async />
                    <Route path=path!("/cron") view=CronPage ssr=SsrMode::Async />
                    <Route path=path!("/nodes") view=NodesPage ssr=SsrMode::Async />
                    <Route path=path!("/calendars") view=CalendarsPage ssr=SsrMode::Async />
                    <Route path=path!("/audit") view=AuditPage ssr=SsrMode::Async />
                    <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async />
                    <Route path=path!("/setup") view=SetupPage ssr=SsrMode::Async />
                </FlatRoutes>
            </Frame>
        </Router>
    }
}

/// Marks the page as alive, and lets `/` lead to its search field.
#[cfg(feature = "hydrate")]
fn wake() {
    use leptos::{
        ev,
        wasm_bindgen::JsCast,
        web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement},
    };
    Effect::new(|| {
        if let Some(body) = document().body() {
            let _ = body.set_attribute("data-hydrated", "");
        }
    });
    window_event_listener(ev::keydown, |event| {
        let typing = event.target().is_some_and(|target| {
            target.is_instance_of::<HtmlInputElement>()
                || target.is_instance_of::<HtmlTextAreaElement>()
                || target.is_instance_of::<HtmlSelectElement>()
        });
        if event.key() != "/" || typing || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let field = document().query_selector("[data-search]").ok().flatten();
        if let Some(field) = field.and_then(|f| f.dyn_into::<HtmlElement>().ok()) {
            event.prevent_default();
            let _ = field.focus();
        }
    });
}
