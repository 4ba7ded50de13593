//! A text area whose content cannot break out of it.

use leptos::prelude::*;

/// Escapes a text for the inside of an element.
pub fn escape_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text area. Leptos 0.8 does not escape text children of `textarea`; so the content goes in escaped by hand, and
/// the page is right with and without scripts.
#[component]
pub fn TextArea(
    /// The field's name in the form.
    name: &'static str,
    /// Its id, for the label.
    id: String,
    /// What stands in it at first.
    #[prop(optional, into)]
    value: String,
    /// What an empty one suggests.
    #[prop(optional)]
    placeholder: &'static str,
    /// How many lines it is high.
    #[prop(default = 3)]
    rows: u32,
) -> impl IntoView {
    // a line break right after the tag is dropped by the parser, so one is added that may be
    let content = format!("\n{}", escape_text(&value));
    view! {
        <textarea
            class="input mono"
            id=id
            name=name
            rows=rows.to_string()
            placeholder=placeholder
            spellcheck="false"
            inner_html=content
        ></textarea>
    }
}
