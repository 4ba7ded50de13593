//! A text to take along.

use leptos::prelude::*;

/// A line of text with a button that copies it. Without scripts, or without a clipboard, the text can be selected.
#[component]
pub fn CopyText(
    /// The text.
    #[prop(into)]
    text: Signal<String>,
    /// What it is, for the button's name.
    label: &'static str,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        #[cfg(feature = "hydrate")]
        {
            if copy_to_clipboard(&text.get_untracked()).is_some() {
                copied.set(true);
                set_timeout(move || copied.set(false), std::time::Duration::from_secs(2));
            }
        }
    };
    view! {
        <span class="copy">
            <code>{move || text.get()}</code>
            <button type="button" class="button button-small needs-scripts" aria-label=label on:click=copy>
                {move || if copied.get() { "Copied" } else { "Copy" }}
            </button>
        </span>
    }
}

/// Goes through the generic property access: the clipboard is absent on plain HTTP.
#[cfg(feature = "hydrate")]
fn copy_to_clipboard(text: &str) -> Option<()> {
    use leptos::{
        wasm_bindgen::{JsCast, JsValue},
        web_sys::js_sys::{Function, Reflect},
    };
    let get = |object: &JsValue, key: &str| Reflect::get(object, &JsValue::from_str(key)).ok();
    let navigator = get(&window().into(), "navigator")?;
    let clipboard = get(&navigator, "clipboard").filter(JsValue::is_object)?;
    let write: Function = get(&clipboard, "writeText")?.dyn_into().ok()?;
    write.call1(&clipboard, &JsValue::from_str(text)).ok()?;
    Some(())
}
