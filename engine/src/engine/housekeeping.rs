//! What the leader tidies up: lost nodes, ended pauses, old history (S107–S111, S167).

use chrono::{DateTime, Utc};
use horarium_core::{
    error::Result,
    job::DEFAULT_PRIORITY,
    names::TriggerKey,
    record::{JobRecord, OneTime, RunRecord, TriggerRecord},
    state::{RunCause, RunStatus},
};

use super::{CycleState, Engine};
use crate::{
    dispatch::once_name,
    events,
    finish::rearm,
    store::{Finished, OnceTrigger, Orphans, RunFinish},
};

/// Runs deleted in one transaction.
const PRUNE_BATCH: u32 = 500;
/// Transactions of one housekeeping: the rest waits for the next.
const PRUNE_ROUNDS: u32 = 20;

impl Engine {
    pub(super) async fn keep_house(&self, state: &mut CycleState) -> Result<()> {
        if !self.shared.is_leader() {
            return Ok(());
        }
        self.end_pauses().await?;
        let monotonic = self.shared.clock.monotonic();
        let interval = self.shared.config.housekeeping_interval();
        if state
            .housekept_at
            .is_some_and(|at| monotonic.saturating_sub(at) < interval)
        {
            return Ok(());
        }
        state.housekept_at = Some(monotonic);
        if !self.shared.store.is_shared() {
            self.heartbeat().await?;
        }
        self.prune().await
    }

    async fn end_pauses(&self) -> Result<()> {
        let (jobs, triggers) = self.shared.store.pause_expire(self.shared.now()).await?;
        for job in jobs {
            tracing::info!(%job, "resumed: its pause was until now");
        }
        for trigger in triggers {
            tracing::info!(%trigger, "resumed: its pause was until now");
        }
        Ok(())
    }

    async fn prune(&self) -> Result<()> {
        let Some(retention) = self.shared.config.history_retention() else {
            return Ok(());
        };
        let now = self.shared.now();
        let before = now - retention;
        for _ in 0..PRUNE_ROUNDS {
            if self
                .shared
                .store
                .run_prune(before, PRUNE_BATCH, now)
                .await?
                < u64::from(PRUNE_BATCH)
            {
                break;
            }
        }
        self.shared.store.event_prune(before).await?;
        Ok(())
    }

    /// On a store of one's own the only live node is this one: whatever an earlier process left running is lost, and its
    /// claims are void.
    pub(super) async fn settle_all(&self) -> Result<()> {
        let (runs, claims) = self.shared.store.orphans(Orphans::All).await?;
        self.shared.store.trigger_unclaim(&claims).await?;
        let now = self.shared.now();
        for run in runs {
            let job = self.shared.store.job_get(&run.job).await?;
            let finish = self.lose(&run, job.as_ref(), now);
            let recovered = finish.follow_up.is_some();
            if self.shared.store.run_finish(vec![finish]).await?.first() == Some(&Finished::Done) {
                tracing::warn!(run_id = %run.id, job = %run.job, recovered, "the run was lost with its process");
            }
        }
        Ok(())
    }

    /// A run whose node is gone: lost once, never retried (S110), queued again once when the job asked for it (S108, A31).
    fn lose(&self, run: &RunRecord, job: Option<&JobRecord>, now: DateTime<Utc>) -> RunFinish {
        let trigger = job.and_then(|job| {
            job.triggers
                .iter()
                .find(|t| Some(t.uid) == run.trigger_uid && t.claim_token == Some(run.token))
        });
        let recovers = job.is_some_and(|job| job.definition.requests_recovery)
            && run.cause != RunCause::Recovery;
        let lost = RunRecord {
            status: RunStatus::Lost,
            finished_at: Some(now),
            ..run.clone()
        };
        RunFinish {
            id: run.id,
            token: run.token,
            status: RunStatus::Lost,
            started_at: run.started_at,
            finished_at: now,
            result: None,
            error: None,
            cancel: run.cancel,
            rearm: trigger.and_then(|t| self.rearm_lost(t, now)),
            delete_once: trigger
                .filter(|t| t.one_time.is_some())
                .map(TriggerRecord::key),
            follow_up: recovers.then(|| recovery(run, now)),
            event: events::run(events::ended(RunStatus::Lost), &lost),
        }
    }

    /// An interval trigger goes on at now + interval (A30). Its begin has counted already.
    fn rearm_lost(
        &self,
        trigger: &TriggerRecord,
        now: DateTime<Utc>,
    ) -> Option<crate::store::Rearm> {
        let before = TriggerRecord {
            fired_count: trigger.fired_count.saturating_sub(1),
            ..trigger.clone()
        };
        rearm(&self.shared, &before, now)
    }
}

/// The one recovery of a lost run: its name comes from the run, so that there cannot be two (R9).
fn recovery(run: &RunRecord, now: DateTime<Utc>) -> OnceTrigger {
    OnceTrigger {
        key: TriggerKey {
            job: run.job.clone(),
            trigger: once_name("recovery", &run.id.to_string()),
        },
        at: now,
        priority: DEFAULT_PRIORITY,
        one_time: OneTime {
            cause: RunCause::Recovery,
            attempt: run.attempt,
            retry_of: None,
            recovered_from: Some(run.id),
            origin_trigger: run.origin_trigger.clone(),
            data: run.data.clone(),
            requested_by: None,
        },
        now,
    }
}
