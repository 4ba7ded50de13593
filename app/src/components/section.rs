//! Headings and the blocks below them.

use leptos::prelude::*;

/// The head of a page: its heading, what stands beside it, and its actions.
#[component]
pub fn PageHead(
    /// The heading.
    #[prop(into)]
    title: String,
    /// A line below the heading.
    #[prop(optional, into)]
    lead: ViewFn,
    /// Badges and actions beside the heading.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="page-head">
            <div class="page-title">
                <h1>{title}</h1>
                <div class="lead">{lead.run()}</div>
            </div>
            {children.map(|children| view! { <div class="page-actions">{children()}</div> })}
        </div>
    }
}

/// A block with a heading.
#[component]
pub fn Section(
    /// The heading.
    #[prop(into)]
    title: String,
    /// What stands at the end of the heading's line.
    #[prop(optional, into)]
    aside: ViewFn,
    /// A class of the block, for its width.
    #[prop(optional)]
    class: &'static str,
    /// The content.
    children: Children,
) -> impl IntoView {
    view! {
        <section class=format!("section {class}")>
            <div class="section-head">
                <h2>{title}</h2>
                <div class="section-aside">{aside.run()}</div>
            </div>
            {children()}
        </section>
    }
}

/// A list of facts: name and value.
#[component]
pub fn Facts(
    /// The facts.
    children: Children,
) -> impl IntoView {
    view! { <dl class="facts">{children()}</dl> }
}

/// One fact.
#[component]
pub fn Fact(
    /// Its name.
    name: &'static str,
    /// Its value.
    children: Children,
) -> impl IntoView {
    view! {
        <div>
            <dt>{name}</dt>
            <dd>{children()}</dd>
        </div>
    }
}
