//! One cycle: the eight steps of spec N, in that order (S163–S171).

use horarium_core::{code::ErrorCode, error::Result, state::CancelReason};

use super::{CycleState, Engine};
use crate::{shared::Phase, store::ClaimDue};

impl Engine {
    /// One tick of the poll interval. The loop calls it; tests crank it by hand.
    pub async fn cycle(&self) {
        let started = self.shared.clock.monotonic();
        let mut state = self.state.lock().await;
        if let Err(error) = self.steps(&mut state).await {
            tracing::error!(%error, code = %error.code, "the cycle failed; the next one tries again");
        }
        self.shared
            .observer
            .cycle(self.shared.clock.monotonic().saturating_sub(started));
    }

    async fn steps(&self, state: &mut CycleState) -> Result<()> {
        // 1: when not serving, another may lead
        if self.shared.phase() != Phase::Serving {
            self.release_lease(state).await;
            return Ok(());
        }
        self.shared.read_clock().await?;
        state.replayed.clear();
        // 2: code jobs, until it has worked once
        if !state.synced {
            self.sync_code().await?;
            state.synced = true;
        }
        // 3: a sign of life, where somebody else may look for it
        if self.shared.store.is_shared() {
            self.heartbeat().await?;
        }
        // 4: leadership
        self.lead(state).await;
        // 5: housekeeping
        self.keep_house(state).await?;
        // 6: cancellations asked for elsewhere
        if self.shared.store.is_shared() {
            self.cancel_requested().await?;
        }
        self.shared.logs.flush(&*self.shared.store).await?;
        // 7: local triggers
        self.run_local(state).await?;
        // 8: the cluster's triggers
        self.claim(state).await
    }

    pub(super) async fn heartbeat(&self) -> Result<()> {
        if !self
            .shared
            .store
            .node_heartbeat(&self.shared.node_record(self.shared.now()))
            .await?
        {
            tracing::error!(node = %self.shared.node, "another process runs with this node id; give each its own");
        }
        Ok(())
    }

    async fn lead(&self, state: &mut CycleState) {
        let ttl = self.shared.config.lease_time_to_live();
        let answer = match &state.lease {
            Some(lease) => self.election.renew(lease, ttl).await,
            None => self.election.try_acquire(&self.resource, ttl).await,
        };
        match answer {
            Ok(lease) => state.lease = Some(lease),
            Err(error) if error.code == ErrorCode::LeaseHeld => state.lease = None,
            // the held lease runs out by itself (A7)
            Err(error) => tracing::warn!(%error, "the election cannot be reached"),
        }
        let monotonic = self.shared.clock.monotonic();
        self.shared.set_leader(
            state
                .lease
                .as_ref()
                .is_some_and(|lease| lease.is_held(monotonic)),
        );
    }

    pub(super) async fn release_lease(&self, state: &mut CycleState) {
        if let Some(lease) = state.lease.take()
            && let Err(error) = self.election.release(&lease).await
        {
            tracing::warn!(%error, "the lease could not be given up; it runs out by itself");
        }
        self.shared.set_leader(false);
    }

    async fn cancel_requested(&self) -> Result<()> {
        for id in self.shared.store.run_cancels(&self.shared.node).await? {
            if let Some(running) = self.shared.running().get(&id) {
                running.cancel(CancelReason::Request);
            }
        }
        Ok(())
    }

    /// Claims and fires when woken, without the steps that count ticks.
    pub(super) async fn claim_and_fire(&self) {
        let mut state = self.state.lock().await;
        if self.shared.phase() != Phase::Serving || !state.synced {
            return;
        }
        let done = async {
            self.run_local(&mut state).await?;
            self.claim(&mut state).await
        };
        if let Err(error) = done.await {
            tracing::error!(%error, code = %error.code, "claiming failed; the next cycle tries again");
        }
    }

    /// Fires what is armed and has come due.
    pub(super) async fn fire_armed(&self) {
        let mut state = self.state.lock().await;
        if self.shared.phase() != Phase::Serving {
            return;
        }
        let done = async {
            self.fire_due(&mut state).await?;
            // room was made: look for more at once
            self.claim(&mut state).await
        };
        if let Err(error) = done.await {
            tracing::error!(%error, code = %error.code, "firing failed; the next cycle tries again");
        }
    }

    /// Step 8. A claim that came back full is followed by another at once (R10).
    pub(super) async fn claim(&self, state: &mut CycleState) -> Result<()> {
        // on a store of one's own only the leader runs the cluster's triggers (S176, A4)
        let allowed = self.shared.store.is_shared() || self.shared.is_leader();
        loop {
            self.fire_due(state).await?;
            let batch = self.shared.config.acquire_batch_size as usize;
            let quota = batch
                .saturating_sub(state.armed.len())
                .min(self.shared.free_slots());
            if quota == 0 || !allowed {
                return Ok(());
            }
            let claim = ClaimDue {
                node: self.shared.node.clone(),
                until: self.shared.now() + self.shared.config.claim_ahead(),
                limit: u32::try_from(quota).unwrap_or(u32::MAX),
                job_types: self.shared.types.keys(),
            };
            let claimed = self.shared.store.trigger_claim_due(&claim).await?;
            let full = claimed.len() >= quota;
            claimed
                .into_iter()
                .for_each(|claimed| state.armed.add(claimed));
            self.fire_due(state).await?;
            if !full {
                return Ok(());
            }
        }
    }
}
