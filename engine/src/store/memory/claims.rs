//! Claims of triggers that are due, in memory.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use horarium_core::{
    names::{JobName, TriggerKey},
    record::TriggerRecord,
};

use super::rows::{DueKey, Tables};
use crate::store::{ClaimDue, ClaimRef, Claimed, TriggerAdvance, Written, definitions, moves};

impl Tables {
    pub(super) fn trigger_claim_due(&mut self, claim: &ClaimDue) -> Vec<Claimed> {
        let keys = self.due_up_to(claim);
        keys.into_iter()
            .filter_map(|key| {
                let mut trigger = self.triggers.get(&key)?.clone();
                let row = self.jobs.get(&key.job)?;
                let (job, origin) = (row.definition.clone(), row.origin);
                let code_definition = row
                    .code_definition
                    .as_ref()
                    .map(definitions::without_triggers);
                trigger.claim_node = Some(claim.node.clone());
                trigger.claim_token = Some(self.next_token());
                trigger.version += 1;
                self.save_trigger(trigger.clone());
                Some(Claimed {
                    trigger,
                    job,
                    origin,
                    code_definition,
                })
            })
            .collect()
    }

    /// The due triggers of the types asked for, in the order of claiming. Inside one priority the index is ordered by
    /// instant, so what is not due yet is never looked at.
    fn due_up_to(&self, claim: &ClaimDue) -> Vec<TriggerKey> {
        let limit = usize::try_from(claim.limit).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        let mut priority = self.due.first().map(|(p, ..)| *p);
        while let Some(Reverse(now)) = priority {
            let from = self.due.range(least(now)..);
            let due = from.take_while(|(p, at, _)| p.0 == now && *at <= claim.until);
            let known = due.filter(|(.., key)| {
                self.jobs
                    .get(&key.job)
                    .is_some_and(|j| claim.job_types.contains(&j.definition.job_type))
            });
            found.extend(known.map(|(.., key)| key.clone()).take(limit - found.len()));
            if found.len() == limit || now == i32::MIN {
                break;
            }
            priority = self.due.range(least(now - 1)..).next().map(|(p, ..)| *p);
        }
        found
    }

    pub(super) fn trigger_unclaim(&mut self, claims: &[ClaimRef]) -> u64 {
        let mut held = 0;
        for claim in claims {
            if let Some(mut trigger) = self.claimed(claim) {
                moves::release(&mut trigger);
                self.save_trigger(trigger);
                held += 1;
            }
        }
        held
    }

    pub(super) fn trigger_advance(&mut self, advances: Vec<TriggerAdvance>) -> Vec<Written> {
        advances
            .into_iter()
            .map(|advance| {
                let Some(mut trigger) = self.claimed(&advance.claim) else {
                    return Written::Stale;
                };
                if moves::advance(&mut trigger, &advance) {
                    self.save_trigger(trigger);
                } else {
                    self.remove_trigger(&advance.claim.key);
                }
                for decision in &advance.decisions {
                    self.add_decision(moves::decided(decision, advance.now));
                }
                Written::Done
            })
            .collect()
    }

    /// The trigger, if it still carries the claim.
    fn claimed(&self, claim: &ClaimRef) -> Option<TriggerRecord> {
        let trigger = self.triggers.get(&claim.key)?;
        moves::is_claimed_by(trigger, claim).then(|| trigger.clone())
    }
}

/// The least key of a priority; higher priorities come first.
fn least(priority: i32) -> DueKey {
    // both literals follow the grammar
    let first = JobName::try_from("0").expect("a legal name");
    (
        Reverse(priority),
        DateTime::<Utc>::MIN_UTC,
        moves::first_key(&first),
    )
}
