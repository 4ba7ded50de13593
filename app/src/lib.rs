//! The console: pages, components and server functions, drawn on the server and brought to life in the browser.
#![recursion_limit = "512"]

pub mod components;
pub mod contexts;
pub mod error;
pub mod pages;
pub mod server_fns;
pub mod text;
pub mod views;

mod app;
#[cfg(feature = "ssr")]
mod mapping;
#[cfg(feature = "ssr")]
mod shell;

pub use app::App;
#[cfg(feature = "ssr")]
pub use shell::shell;

/// Brings the page to life.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(App);
}
