//! The nodes of the cluster.

use leptos::prelude::*;
use leptos_meta::Title;

use super::Loaded;
use crate::{
    components::{PageHead, Relative, Time},
    contexts::use_pulse,
    server_fns::list_nodes,
    views::NodeRow,
};

/// The list of nodes.
#[component]
pub fn NodesPage() -> impl IntoView {
    let beat = use_pulse().beat;
    let nodes = Resource::new(move || beat.get(), |_| list_nodes());
    view! {
        <Title text="Nodes" />
        <PageHead title="Nodes" />
        <Loaded resource=nodes draw=|rows| view! { <Table rows /> }.into_any() />
    }
}

#[component]
fn Table(rows: Vec<NodeRow>) -> impl IntoView {
    view! {
        <div class="table-box">
            <table class="table">
                <caption class="only-heard">"Nodes, latest sign of life first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Node"</th>
                        <th scope="col">"Sign of life"</th>
                        <th scope="col">"Up since"</th>
                        <th scope="col" class="right">
                            "Running"
                        </th>
                        <th scope="col">"Version"</th>
                        <th scope="col">"Job types"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|node| view! { <Row node /> }).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Row(node: NodeRow) -> impl IntoView {
    let chip =
        |shown: bool, word: &'static str| shown.then(|| view! { <span class="chip">{word}</span> });
    view! {
        <tr data-node=node.id.clone()>
            <th scope="row" data-label="Node">
                <span class="name">
                    <span class="mono">{node.id.clone()}</span>
                    {chip(node.here, "this node")}
                    {chip(node.leader, "leader")}
                    {chip(node.draining, "draining")}
                </span>
            </th>
            <td data-label="Sign of life">
                <Relative ms=node.heartbeat.ms />
            </td>
            <td data-label="Up since">
                <Time at=node.started />
            </td>
            <td data-label="Running" class="right">
                <span class="figure">{node.running} " of " {node.limit}</span>
            </td>
            <td data-label="Version">
                <span class="figure">{node.version}</span>
            </td>
            <td data-label="Job types">
                <span class="mono">{node.types.join(", ")}</span>
            </td>
        </tr>
    }
}
