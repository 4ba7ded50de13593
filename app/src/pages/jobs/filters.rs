//! The search field and the filters: a plain GET form, live once the page is alive.

use horarium_core::state::{JobOrigin, ShownState};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, components::Form, hooks::use_navigate};

use crate::{
    components::{SelectField, TextField, options, submit_on_choice},
    text,
    views::{JobsFilter, RESULTS},
};

/// The filters. Made anew when the address changes them; not while somebody types into the search field.
#[component]
pub(super) fn Filters(filter: Memo<JobsFilter>) -> impl IntoView {
    let chosen = Memo::new(move |_| JobsFilter {
        q: String::new(),
        page: 1,
        ..filter.get()
    });
    view! {
        <search>
            <For each=move || [chosen.get()] key=JobsFilter::address let:chosen>
                <Fields chosen filter />
            </For>
        </search>
    }
}

#[component]
fn Fields(chosen: JobsFilter, filter: Memo<JobsFilter>) -> impl IntoView {
    let clear = move || {
        filter
            .with(JobsFilter::narrows)
            .then(|| view! { <a class="button" href="/jobs">"Clear"</a> })
    };
    view! {
        <Form action="/jobs" attr:class="filters" on:change=submit_on_choice>
            <SearchField filter />
            <SelectField
                label="State"
                name="state"
                value=chosen.state
                choices=options(ShownState::ALL, text::shown_state)
                any="Any state"
            />
            <SelectField
                label="Origin"
                name="origin"
                value=chosen.origin
                choices=options(JobOrigin::ALL, text::origin)
                any="Any origin"
            />
            <SelectField
                label="Last result"
                name="result"
                value=chosen.result
                choices=options(&RESULTS, text::run_status)
                any="Any result"
            />
            <TextField
                label="Type"
                name="type"
                value=chosen.kind
                list="job-types"
                class="field-short"
                placeholder="Any type"
            />
            <TextField
                label="Tag"
                name="tag"
                value=chosen.tag
                class="field-short"
                placeholder="Any tag"
            />
            <input type="hidden" name="sort" value=chosen.sort />
            <div class="filters-end">
                <button type="submit" class="button">
                    "Apply"
                </button>
                {clear}
            </div>
        </Form>
    }
}

/// Searches while typing. What the address says is taken over only when it is not what was just typed.
#[component]
fn SearchField(filter: Memo<JobsFilter>) -> impl IntoView {
    let typed = RwSignal::new(filter.with_untracked(|f| f.q.clone()));
    let sent = StoredValue::new(typed.get_untracked());
    Effect::new(move || {
        let q = filter.with(|f| f.q.clone());
        if sent.get_value() != q {
            sent.set_value(q.clone());
            typed.set(q);
        }
    });
    let navigate = use_navigate();
    let mut search = debounce(std::time::Duration::from_millis(200), move |q: String| {
        let next = JobsFilter {
            q: q.trim().to_owned(),
            page: 1,
            ..filter.get_untracked()
        };
        sent.set_value(next.q.clone());
        let options = NavigateOptions {
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&next.address(), options);
    });
    let initial = typed.get_untracked();
    view! {
        <div class="field field-wide">
            <label for="field-q">"Search"</label>
            <input
                class="input"
                id="field-q"
                name="q"
                type="search"
                value=initial
                prop:value=typed
                placeholder="Name, type, description, tag"
                autocomplete="off"
                spellcheck="false"
                data-search=""
                aria-keyshortcuts="/"
                on:input:target=move |ev| {
                    let text = ev.target().value();
                    typed.set(text.clone());
                    search(text);
                }
            />
        </div>
    }
}
