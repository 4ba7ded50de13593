//! The question: a plain GET form, live while typing once the page is alive.

use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Element, Event, FormData, HtmlFormElement},
};
use leptos_router::{NavigateOptions, components::Form, hooks::use_navigate};

use crate::{
    components::{Choice, SelectField, TextField},
    contexts::use_session,
    views::CronAsk,
};

/// The dialects: name in the address, and for people.
const DIALECTS: [(&str, &str); 4] = [
    ("horarium", "Horarium"),
    ("unix", "Unix crontab"),
    ("spring", "Spring"),
    ("quartz", "Quartz"),
];

/// The form. Typing moves the address; when the address moves by itself, for instance by a link, the fields are made
/// anew from it.
#[component]
pub(super) fn AskForm(ask: Memo<CronAsk>) -> impl IntoView {
    let sent = StoredValue::new(None::<String>);
    let shown = Memo::new(move |last: Option<&(u32, CronAsk)>| {
        let now = ask.get();
        match last {
            Some(last) if sent.with_value(|s| s.as_ref() == Some(&now.address())) => last.clone(),
            Some((n, _)) => (n + 1, now),
            None => (0, now),
        }
    });
    let navigate = use_navigate();
    let live = debounce(
        std::time::Duration::from_millis(150),
        move |next: CronAsk| {
            let address = next.address();
            sent.set_value(Some(address.clone()));
            let options = NavigateOptions {
                replace: true,
                scroll: false,
                ..NavigateOptions::default()
            };
            navigate(&address, options);
        },
    );
    let live = StoredValue::new(live);
    let on_input = move |event: Event| {
        if let Some(next) = read(&event) {
            live.update_value(|live| live(next));
        }
    };
    view! {
        <search on:input=on_input>
            <For each=move || [shown.get()] key=|(n, _)| *n let:shown>
                <Fields ask=shown.1 />
            </For>
        </search>
    }
}

/// What the form holds now.
fn read(event: &Event) -> Option<CronAsk> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let form: HtmlFormElement = target.closest("form").ok()??.dyn_into().ok()?;
    let data = FormData::new_with_form(&form).ok()?;
    let get = |name: &str| {
        data.get(name)
            .as_string()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    Some(CronAsk {
        expr: get("expr"),
        tz: get("tz"),
        dialect: get("dialect"),
        from: get("from"),
        count: get("count")
            .parse()
            .unwrap_or(CronAsk::COUNT)
            .clamp(1, CronAsk::MOST),
        calendar: get("calendar"),
    })
}

#[component]
fn Fields(ask: CronAsk) -> impl IntoView {
    let zone = use_session().zone;
    let dialects: Vec<Choice> = DIALECTS
        .iter()
        .map(|(value, name)| ((*value).to_owned(), (*name).to_owned()))
        .collect();
    let dialect = if ask.dialect.is_empty() {
        "horarium".to_owned()
    } else {
        ask.dialect
    };
    view! {
        <Form action="/cron" attr:class="ask">
            <div class="field ask-expr">
                <label for="field-expr">"Cron expression or schedule"</label>
                <input
                    class="input mono input-large"
                    id="field-expr"
                    name="expr"
                    value=ask.expr
                    placeholder="0 9 * * MON-FRI"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    data-search=""
                    aria-keyshortcuts="/"
                />
            </div>
            <div class="ask-rest">
                <TextField
                    label="Time zone"
                    name="tz"
                    value=ask.tz
                    list="zones"
                    placeholder="UTC"
                />
                <SelectField label="Dialect" name="dialect" value=dialect choices=dialects />
                <TextField label="From" name="from" value=ask.from kind="datetime-local" />
                <TextField
                    label="Fires"
                    name="count"
                    value=ask.count.to_string()
                    kind="number"
                    class="field-short"
                />
                <TextField
                    label="Calendar"
                    name="calendar"
                    value=ask.calendar
                    list="calendars"
                    placeholder="None"
                    mono=true
                />
                <div class="filters-end">
                    <button type="submit" class="button button-primary">
                        "Show"
                    </button>
                </div>
            </div>
            <p class="hint">"“From” is read as " {zone} "; empty means now."</p>
        </Form>
    }
}
