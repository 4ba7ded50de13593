//! The code definition beside the running one.

use leptos::prelude::*;

use super::{Verbs, fires::FireList};
use crate::{
    components::{ActionButton, Alert, ButtonLook, Section, Tone},
    contexts::use_session,
    views::{Change, CodeView, JobHead, Right},
};

/// The tab that compares.
#[component]
pub(super) fn CodeTab(job: JobHead, code: CodeView, verbs: Verbs) -> impl IntoView {
    let operate = use_session().may(Right::Operate);
    let overridden = code.overridden;
    let changed = code.fields.iter().filter(|f| f.differs()).count();
    let words = match (overridden, code.kept_at_start) {
        (false, _) => {
            "The job runs exactly as the code says. A change made here would override the code: it stays through restarts while the code is unchanged, and gives way as soon as the code changes."
        }
        (true, true) => {
            "This job was changed at run time. The code has not changed since, so the next start keeps the change. As soon as the code changes, the code wins and this change is lost."
        }
        (true, false) => {
            "This job was changed at run time, and the code has changed since. The next start writes the code's definition; this change is lost then."
        }
    };
    let tone = match (overridden, code.kept_at_start) {
        (true, false) => Tone::Warning,
        _ => Tone::Note,
    };
    view! {
        <Alert tone>
            <p>{words}</p>
            {(overridden)
                .then(|| {
                    view! {
                        <p class="quiet">
                            "To make a change permanent, put it into the code. To hold a job back for a while, pause it."
                        </p>
                    }
                })}
        </Alert>
        {(overridden && operate)
            .then(|| {
                view! {
                    <div class="actions">
                        <ActionButton
                            action=verbs.restore
                            fields=vec![("name", job.name.clone())]
                            label="Restore the code definition"
                            look=ButtonLook::Danger
                        />
                        <span class="quiet">
                            {format!(
                                "{changed} changed {} back to the code. Pause and progress of triggers with the same name stay.",
                                if changed == 1 { "field goes" } else { "fields go" },
                            )}
                        </span>
                    </div>
                }
            })}
        <Section title="Definition">
            <Comparison fields=code.fields overridden />
        </Section>
        <div class="columns">
            <Section title="Next fires by the code">
                <FireList fires=code.code_fires none="The code plans nothing." />
            </Section>
            <Section title="Next fires as it runs">
                <FireList fires=code.running_fires none="Nothing is planned." />
            </Section>
        </div>
    }
}

#[component]
fn Comparison(fields: Vec<Change>, overridden: bool) -> impl IntoView {
    let value = |text: String| {
        if text.is_empty() {
            view! { <span class="nothing">"not set"</span> }.into_any()
        } else {
            view! { <pre class="value">{text}</pre> }.into_any()
        }
    };
    view! {
        <div class="table-box">
            <table class="table table-compare">
                <caption class="only-heard">"Definition in code and as it runs"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Field"</th>
                        <th scope="col">"Code"</th>
                        {overridden.then(|| view! { <th scope="col">"Running"</th> })}
                    </tr>
                </thead>
                <tbody>
                    {fields
                        .into_iter()
                        .map(|field| {
                            let differs = field.differs();
                            view! {
                                <tr data-differs=differs.then_some("")>
                                    <th scope="row" data-label="Field">
                                        {field.name}
                                        {differs.then(|| view! { <span class="chip">"changed"</span> })}
                                    </th>
                                    <td data-label="Code">{value(field.code)}</td>
                                    {overridden
                                        .then(|| view! { <td data-label="Running">{value(field.running)}</td> })}
                                </tr>
                            }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}
