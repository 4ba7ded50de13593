//! The form that changes when a job fires.

use horarium_core::state::{JobOrigin, MisfirePolicy};
use leptos::{form::ActionForm, prelude::*};

use super::Verbs;
use crate::{
    components::{ActionAlert, Alert, ButtonLook, CaretText, Submit, Tone, use_busy},
    error::{AppError, FieldError},
    text,
    views::{EditTrigger, EditView, JobHead},
};

/// The tab with the form. The values typed come back with an error, so nothing is lost, with or without scripts.
#[component]
pub(super) fn EditTab(job: JobHead, edit: EditView, verbs: Verbs) -> impl IntoView {
    let (busy, note) = use_busy(verbs.schedule.pending());
    let value = verbs.schedule.value();
    let error = Memo::new(move |_| value.with(|v| v.clone().and_then(Result::err)));
    let saved = move || value.with(|v| matches!(v, Some(Ok(()))));
    let before = error.get_untracked();
    let typed = |name: &str, else_: &str| -> String {
        before
            .as_ref()
            .and_then(|e| e.typed(name))
            .unwrap_or(else_)
            .to_owned()
    };
    let warning = match job.origin {
        JobOrigin::Runtime => {
            "This job was made at run time; the change takes effect at once and stays."
        }
        JobOrigin::Code | JobOrigin::Overridden => {
            "This job comes from code. Saving overrides it, at once: the override stays through restarts while the code is unchanged, and can be taken back with Restore on the tab Code."
        }
    };
    let mut triggers = edit.triggers.clone();
    triggers.push(EditTrigger {
        name: String::new(),
        schedule: String::new(),
        misfire: MisfirePolicy::default(),
        priority: 5,
    });
    let last = triggers.len() - 1;
    let rows: Vec<_> = triggers
        .into_iter()
        .enumerate()
        .map(|(i, trigger)| {
            let key = |field: &str| format!("triggers[{i}][{field}]");
            let trigger = EditTrigger {
                name: typed(&key("name"), &trigger.name),
                schedule: typed(&key("schedule"), &trigger.schedule),
                misfire: typed(&key("misfire"), trigger.misfire.as_str())
                    .parse()
                    .unwrap_or(trigger.misfire),
                priority: typed(&key("priority"), &trigger.priority.to_string())
                    .parse()
                    .unwrap_or(trigger.priority),
            };
            view! { <Fields index=i trigger new=i == last error /> }
        })
        .collect();
    let description = typed("description", &edit.description);
    view! {
        <Alert tone=Tone::Note>
            <p>{warning}</p>
        </Alert>
        <ActionAlert action=verbs.schedule />
        {move || {
            saved()
                .then(|| {
                    view! {
                        <Alert tone=Tone::Note>
                            <p>"Saved. The new schedule is in force."</p>
                        </Alert>
                    }
                })
        }}
        <ActionForm action=verbs.schedule on:submit=note attr:class="form">
            <input type="hidden" name="name" value=job.name.clone() />
            <div class="field">
                <label for="edit-description">"Description"</label>
                <input
                    class="input"
                    id="edit-description"
                    name="description"
                    value=description
                    autocomplete="off"
                />
            </div>
            {rows}
            <p class="hint">
                "A schedule reads " <code>"cron 0 0 6 * * MON-FRI tz=Europe/Berlin"</code> ", "
                <code>"every 00:10:00"</code> " or " <code>"once 2027-01-01T00:00:00Z"</code>
                ", with " <code>"start="</code> ", " <code>"end="</code> " and " <code>"calendar="</code>
                " after it. " <a href="/cron">"Try it in the preview"</a> " first."
                {(!edit.calendars.is_empty())
                    .then(|| format!(" Calendars: {}.", edit.calendars.join(", ")))}
            </p>
            <div class="actions">
                <Submit label="Save" busy look=ButtonLook::Primary />
                <a class="button" href=format!("/jobs/{}", job.name)>
                    "Cancel"
                </a>
            </div>
        </ActionForm>
    }
}

#[component]
fn Fields(
    index: usize,
    trigger: EditTrigger,
    new: bool,
    error: Memo<Option<AppError>>,
) -> impl IntoView {
    let key = move |field: &str| format!("triggers[{index}][{field}]");
    let id = move |field: &str| format!("trigger-{index}-{field}");
    let at = move |field: &'static str| {
        move || {
            let error = error.get()?;
            let found = error.field(&key(field))?.clone();
            let typed = error.typed(&key(field)).unwrap_or_default().to_owned();
            Some(view! { <Wrong error=found typed id=format!("{}-error", id(field)) /> })
        }
    };
    let wrong = move |field: &'static str| {
        move || {
            error
                .with(|e| e.as_ref().is_some_and(|e| e.field(&key(field)).is_some()))
                .to_string()
        }
    };
    let legend = if new {
        "Another trigger".to_owned()
    } else {
        format!("Trigger {}", trigger.name)
    };
    let name_field = if new {
        view! {
            <div class="field">
                <label for=id("name")>"Name"</label>
                <input
                    class="input mono"
                    id=id("name")
                    name=key("name")
                    value=trigger.name.clone()
                    placeholder="Leave empty to add none"
                    autocomplete="off"
                    aria-invalid=wrong("name")
                    aria-describedby=format!("{}-error", id("name"))
                />
                {at("name")}
            </div>
        }
        .into_any()
    } else {
        view! { <input type="hidden" name=key("name") value=trigger.name.clone() /> }.into_any()
    };
    view! {
        <fieldset class="form-part" data-edit-trigger=trigger.name.clone()>
            <legend>{legend}</legend>
            {name_field}
            <div class="field field-wide">
                <label for=id("schedule")>"Schedule"</label>
                <input
                    class="input mono"
                    id=id("schedule")
                    name=key("schedule")
                    value=trigger.schedule.clone()
                    autocomplete="off"
                    spellcheck="false"
                    aria-invalid=wrong("schedule")
                    aria-describedby=format!("{}-error", id("schedule"))
                />
                {at("schedule")}
            </div>
            <div class="field">
                <label for=id("misfire")>"Missed fires"</label>
                <select class="input" id=id("misfire") name=key("misfire")>
                    {MisfirePolicy::ALL
                        .iter()
                        .map(|policy| {
                            view! {
                                <option
                                    value=policy.as_str()
                                    selected=*policy == trigger.misfire
                                    title=text::misfire_effect(*policy)
                                >
                                    {text::misfire(*policy)}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </div>
            <div class="field field-short">
                <label for=id("priority")>"Priority"</label>
                <input
                    class="input"
                    id=id("priority")
                    name=key("priority")
                    type="number"
                    value=trigger.priority.to_string()
                    aria-invalid=wrong("priority")
                    aria-describedby=format!("{}-error", id("priority"))
                />
                {at("priority")}
            </div>
            {(!new)
                .then(|| {
                    view! {
                        <label class="check">
                            <input type="checkbox" name=key("remove") value="yes" />
                            "Remove this trigger"
                        </label>
                    }
                })}
        </fieldset>
    }
}

/// What is wrong with one field, at the character.
#[component]
fn Wrong(error: FieldError, typed: String, id: String) -> impl IntoView {
    view! {
        <div class="field-error" id=id>
            <p>{error.message}</p>
            {error.at.map(|at| view! { <CaretText text=typed at /> })}
            {error
                .suggestion
                .map(|suggestion| view! { <p>"Try " <code>{suggestion}</code></p> })}
        </div>
    }
}
