//! Recent changes: who did what.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::Loaded;
use crate::{
    components::{Empty, PageHead, Time},
    server_fns::list_audit,
    text,
    views::AuditRow,
};

/// The list of changes, of one object or of all.
#[component]
pub fn AuditPage() -> impl IntoView {
    let params = use_query_map();
    let ask = Memo::new(move |_| {
        params.with(|params| {
            let page: u32 = params
                .get("page")
                .and_then(|page| page.parse().ok())
                .unwrap_or(1);
            (params.get("object").unwrap_or_default(), page.max(1))
        })
    });
    let entries = Resource::new(move || ask.get(), |(object, page)| list_audit(object, page));
    view! {
        <Title text="Changes" />
        <PageHead title="Changes" />
        {move || {
            let (object, _) = ask.get();
            (!object.is_empty())
                .then(|| {
                    view! {
                        <p class="quiet window">
                            "Only " <code>{object}</code> ". " <a href="/audit">"Show all changes"</a>
                        </p>
                    }
                })
        }}
        <Loaded
            resource=entries
            draw=move |rows| {
                let (object, page) = ask.get_untracked();
                view! { <List rows object page /> }.into_any()
            }
        />
    }
}

#[component]
fn List(rows: Vec<AuditRow>, object: String, page: u32) -> impl IntoView {
    if rows.is_empty() && page == 1 {
        return view! {
            <Empty title="No changes yet">
                <p>"Whatever somebody pauses, resumes, runs, cancels or changes is listed here."</p>
            </Empty>
        }
        .into_any();
    }
    let full = rows.len() >= 100;
    let address = move |page: u32| {
        let page = page.to_string();
        text::address(
            "/audit",
            [("object", object.as_str()), ("page", page.as_str())],
        )
    };
    view! {
        <div class="table-box">
            <table class="table">
                <caption class="only-heard">"Changes, latest first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"When"</th>
                        <th scope="col">"Who"</th>
                        <th scope="col">"What"</th>
                        <th scope="col">"Object"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col">"Detail"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|entry| view! { <Row entry /> }).collect_view()}</tbody>
            </table>
        </div>
        <nav class="pager" aria-label="Pages">
            <span class="figure">{format!("Page {page}")}</span>
            <span class="pager-links">
                {(page > 1)
                    .then(|| {
                        view! {
                            <a class="button button-small" href=address(page - 1)>
                                "Later"
                            </a>
                        }
                    })}
                {full
                    .then(|| {
                        view! {
                            <a class="button button-small" href=address(page + 1)>
                                "Earlier"
                            </a>
                        }
                    })}
            </span>
        </nav>
    }
    .into_any()
}

#[component]
fn Row(entry: AuditRow) -> impl IntoView {
    let object = if entry.href.is_empty() {
        view! { <span class="mono">{entry.object}</span> }.into_any()
    } else {
        view! {
            <a class="mono" href=entry.href>
                {entry.object}
            </a>
        }
        .into_any()
    };
    let ok = entry.outcome == "ok";
    view! {
        <tr>
            <td data-label="When">
                <Time at=entry.at />
            </td>
            <td data-label="Who">
                <span class="strong">{entry.actor}</span>
                {(!entry.address.is_empty())
                    .then(|| view! { <span class="cell-note mono">{entry.address}</span> })}
            </td>
            <td data-label="What" class="mono">
                {entry.action}
            </td>
            <td data-label="Object">{object}</td>
            <td data-label="Outcome">
                {if ok {
                    view! { "Done" }.into_any()
                } else {
                    view! { <span class="mono strong">{entry.outcome}</span> }.into_any()
                }}
            </td>
            <td data-label="Detail">{detail(entry.detail)}</td>
        </tr>
    }
}

/// A long detail is folded, so that the list stays a list.
fn detail(text: String) -> AnyView {
    if text.len() <= 120 {
        return view! { <span class="detail">{text}</span> }.into_any();
    }
    view! {
        <details>
            <summary>"Before and after"</summary>
            <span class="detail">{text}</span>
        </details>
    }
    .into_any()
}
