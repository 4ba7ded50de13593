//! What others wrote is text, never markup.

use horarium_app::components::{Tag, TextArea, TextField};
use leptos::prelude::*;

use crate::html;

const EVIL: &str = "</textarea><script>alert(1)</script>\"'&";

#[test]
fn a_text_area_cannot_be_left() {
    let html = html(|| view! { <TextArea name="data" id="a".to_owned() value=EVIL /> });
    assert!(!html.contains("<script"), "{html}");
    assert_eq!(html.matches("</textarea>").count(), 1, "{html}");
    assert!(html.contains("&lt;script&gt;"), "{html}");
}

/// Why the component exists. When this fails, Leptos escapes by itself and would escape twice.
#[test]
fn leptos_itself_does_not_escape_the_children_of_a_text_area() {
    let html = html(|| view! { <textarea>{EVIL.to_owned()}</textarea> });
    assert!(html.contains("<script>"), "{html}");
}

#[test]
fn attributes_and_text_are_escaped() {
    let field = html(|| view! { <TextField label="Tag" name="tag" value=EVIL /> });
    let tag = html(|| view! { <Tag name=EVIL.to_owned() /> });
    for html in [field, tag] {
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("\"'&\""), "{html}");
    }
}
