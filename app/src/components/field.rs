//! Labelled fields of forms.

use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Event, HtmlSelectElement},
};

/// A field of one line.
#[component]
pub fn TextField(
    /// What it asks for.
    label: &'static str,
    /// The field's name in the form.
    name: &'static str,
    /// What stands in it at first.
    #[prop(optional, into)]
    value: String,
    /// The type of the input.
    #[prop(default = "text")]
    kind: &'static str,
    /// What an empty one suggests.
    #[prop(optional)]
    placeholder: &'static str,
    /// The id of a list of suggestions.
    #[prop(optional)]
    list: Option<&'static str>,
    /// What the browser may fill in.
    #[prop(default = "off")]
    autocomplete: &'static str,
    /// Whether it must be filled in.
    #[prop(optional)]
    required: bool,
    /// Whether it holds code: no spelling help, equal widths.
    #[prop(optional)]
    mono: bool,
    /// A class of the whole field, for its width.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let id = format!("field-{name}");
    let look = if mono { "input mono" } else { "input" };
    view! {
        <div class=format!("field {class}")>
            <label for=id.clone()>{label}</label>
            <input
                class=look
                id=id
                name=name
                type=kind
                value=value
                placeholder=placeholder
                list=list
                autocomplete=autocomplete
                required=required
                spellcheck="false"
                autocapitalize="off"
            />
        </div>
    }
}

/// One choice of a select: value and name.
pub type Choice = (String, String);

/// A select with a first choice that chooses nothing.
#[component]
pub fn SelectField(
    /// What it asks for.
    label: &'static str,
    /// The field's name in the form.
    name: &'static str,
    /// The chosen value; empty for none.
    #[prop(into)]
    value: String,
    /// The choices.
    choices: Vec<Choice>,
    /// What choosing nothing means; without it there is always a choice.
    #[prop(optional)]
    any: Option<&'static str>,
    /// A class of the whole field, for its width.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let id = format!("field-{name}");
    // an address may hold a value that no choice has: it stays visible, so that it can be cleared
    let stray = !value.is_empty() && !choices.iter().any(|(choice, _)| *choice == value);
    let stray = stray.then(|| (value.clone(), value.clone()));
    view! {
        <div class=format!("field {class}")>
            <label for=id.clone()>{label}</label>
            <select class="input" id=id name=name>
                {any.map(|any| view! { <option value="">{any}</option> })}
                {choices
                    .into_iter()
                    .chain(stray)
                    .map(|(choice, text)| {
                        let selected = choice == value;
                        view! {
                            <option value=choice selected=selected>
                                {text}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </div>
    }
}

/// Choices from a closed set with its texts.
pub fn options<T: Copy + ToString>(all: &[T], text: impl Fn(T) -> &'static str) -> Vec<Choice> {
    all.iter()
        .map(|&member| (member.to_string(), text(member).to_owned()))
        .collect()
}

/// Sends a form as soon as a select in it was changed; other fields wait for the button.
pub fn submit_on_choice(event: Event) {
    let select = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
    if let Some(form) = select.and_then(|select| select.form()) {
        // a form that the browser finds incomplete stays as it is
        let _ = form.request_submit();
    }
}
