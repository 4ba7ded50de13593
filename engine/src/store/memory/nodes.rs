//! Nodes and what they left behind, in memory.

use std::{cmp::Reverse, collections::BTreeSet};

use horarium_core::{
    names::NodeId,
    record::{NodeRecord, RunRecord},
    state::TriggerState,
};

use super::rows::Tables;
use crate::store::{ClaimRef, Orphans, moves};

impl Tables {
    pub(super) fn node_heartbeat(&mut self, node: &NodeRecord) -> bool {
        let stored = self.nodes.get(&node.id);
        if stored.is_some_and(|stored| moves::is_other_alive(stored, node)) {
            return false;
        }
        self.nodes.insert(node.id.clone(), node.clone());
        true
    }

    pub(super) fn node_list(&self) -> Vec<NodeRecord> {
        let mut nodes: Vec<_> = self.nodes.values().cloned().collect();
        nodes.sort_by_key(|node| Reverse(node.heartbeat_at));
        nodes
    }

    pub(super) fn node_remove(&mut self, node: &NodeId) {
        self.nodes.remove(node);
    }

    pub(super) fn orphans(&self, which: &Orphans) -> (Vec<RunRecord>, Vec<ClaimRef>) {
        let alive: BTreeSet<&NodeId> = match which {
            Orphans::All => BTreeSet::new(),
            Orphans::SilentSince(limit) => {
                let alive = self.nodes.values().filter(|n| n.heartbeat_at >= *limit);
                alive.map(|node| &node.id).collect()
            }
        };
        let runs = self.running_runs();
        let mut runs: Vec<_> = runs.filter(|run| !alive.contains(&run.node)).collect();
        runs.sort_by_key(|run| run.id);
        let armed = self.triggers.values().filter(|t| {
            t.state == TriggerState::Waiting
                && t.claim_node
                    .as_ref()
                    .is_some_and(|node| !alive.contains(node))
        });
        let claims = armed.filter_map(|t| {
            Some(ClaimRef {
                key: t.key(),
                uid: t.uid,
                version: t.version,
                token: t.claim_token?,
            })
        });
        (runs.into_iter().cloned().collect(), claims.collect())
    }
}
