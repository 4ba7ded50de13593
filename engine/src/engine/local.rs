//! Local jobs: every instance runs them on its own, without claims (S103–S106, S120).

use std::{collections::BTreeMap, sync::atomic::Ordering};

use chrono::{DateTime, Utc};
use horarium_core::{
    data,
    error::Result,
    fires::{self, NextFire},
    job::JobDefinition,
    misfire::Range,
    record::{RunRecord, TriggerRecord},
    run_id::RunId,
    schedule::ScheduleKind,
    state::{FireVerdict, JobOrigin, RunCause},
};
use uuid::Uuid;

use super::{CycleState, Engine, fire::decision};
use crate::{
    dispatch::{self, Dispatch},
    events,
    store::{AfterBegin, Begun, RunBegin},
};

/// The set is read again after so many ticks (S105).
const REFRESH_TICKS: u32 = 10;

/// The local triggers of this instance and when each fires next here.
#[derive(Default)]
pub(super) struct LocalTriggers {
    triggers: BTreeMap<Uuid, LocalTrigger>,
    ticks: u32,
}

struct LocalTrigger {
    record: TriggerRecord,
    job: JobDefinition,
    origin: JobOrigin,
    next: Option<DateTime<Utc>>,
    /// An interval trigger learns its next fire when this run has ended.
    running: Option<RunId>,
}

impl Engine {
    /// Step 7: runs local triggers that are due.
    pub(super) async fn run_local(&self, state: &mut CycleState) -> Result<()> {
        let changed = self.shared.local_changed.swap(false, Ordering::AcqRel);
        state.local.ticks += 1;
        if changed || state.local.ticks >= REFRESH_TICKS {
            state.local.ticks = 0;
            self.refresh_local(state).await?;
        }
        let now = self.shared.now();
        self.retry_local(now).await?;
        let due: Vec<Uuid> = state
            .local
            .triggers
            .iter()
            .filter(|(_, t)| self.is_due(t, now))
            .map(|(u, _)| *u)
            .collect();
        for uid in due {
            if let Some(trigger) = state.local.triggers.get_mut(&uid) {
                self.fire_local(trigger, now).await?;
            }
        }
        Ok(())
    }

    async fn refresh_local(&self, state: &mut CycleState) -> Result<()> {
        let now = self.shared.now();
        let mut old = std::mem::take(&mut state.local.triggers);
        for (record, job, origin) in self.shared.store.trigger_list_local().await? {
            let known = old
                .remove(&record.uid)
                .filter(|t| t.record.generation == record.generation);
            let (next, running) = match known {
                Some(known) => (known.next, known.running),
                None => (self.next_local(&record, now), None),
            };
            state.local.triggers.insert(
                record.uid,
                LocalTrigger {
                    record,
                    job,
                    origin,
                    next,
                    running,
                },
            );
        }
        Ok(())
    }

    fn next_local(&self, record: &TriggerRecord, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match fires::next_fire(
            &record.definition.schedule,
            &self.shared.calendars(),
            now,
            now,
        ) {
            NextFire::At(at) => Some(at),
            NextFire::None(_) => None,
        }
    }

    fn is_due(&self, trigger: &LocalTrigger, now: DateTime<Utc>) -> bool {
        match (trigger.next, trigger.running) {
            (Some(next), _) => next <= now,
            (None, Some(run)) => !self.shared.running().contains_key(&run),
            (None, None) => false,
        }
    }

    async fn fire_local(&self, trigger: &mut LocalTrigger, now: DateTime<Utc>) -> Result<()> {
        let every = matches!(
            trigger.record.definition.schedule.kind,
            ScheduleKind::Every { .. }
        );
        let Some(nominal_at) = trigger.next.take() else {
            // the run of an interval trigger has ended
            trigger.running = None;
            trigger.next = self.next_local(&trigger.record, now);
            return Ok(());
        };
        if !every {
            trigger.next = self.next_local(&trigger.record, now);
        }
        let busy = !trigger.job.allow_concurrent
            && self
                .shared
                .running()
                .values()
                .any(|r| r.local && r.job == trigger.job.name);
        if busy {
            // dropped, and computed again from now (S104)
            trigger.next = self.next_local(&trigger.record, now);
            let range = Range {
                from: nominal_at,
                to: nominal_at,
            };
            let reason = format!("the previous run on {} had not ended", self.shared.node);
            let overrun = decision(&trigger.record, range, FireVerdict::Overrun, None, reason);
            return self.shared.store.ledger_record(&[overrun], now).await;
        }
        let run = RunRecord {
            id: RunId::scheduled(
                trigger.record.uid,
                trigger.record.generation,
                nominal_at,
                &self.shared.node.0,
            ),
            nominal_at: Some(nominal_at),
            scheduled_at: nominal_at,
            data: data::merge([&trigger.job.data, &trigger.record.definition.data]),
            ..self.run_of(&trigger.record, RunCause::Schedule, now)
        };
        if every {
            trigger.running = Some(run.id);
        }
        self.begin_local(run, trigger.job.clone(), trigger.origin)
            .await
    }

    /// Retries that waited in memory on this instance and are due now (S120).
    async fn retry_local(&self, now: DateTime<Utc>) -> Result<()> {
        let due = self.shared.take_local_retries(now);
        for retry in due {
            self.begin_local(retry.run, retry.job, retry.origin).await?;
        }
        Ok(())
    }

    async fn begin_local(
        &self,
        run: RunRecord,
        job: JobDefinition,
        origin: JobOrigin,
    ) -> Result<()> {
        let begin = RunBegin {
            claim: None,
            exclusive: false,
            trigger: AfterBegin::None,
            counts: false,
            decisions: Vec::new(),
            event: events::run(events::RUN_STARTED, &run),
            run: run.clone(),
        };
        if let Some(Begun::Begun { token }) =
            self.shared.store.run_begin(vec![begin]).await?.first()
        {
            let run = RunRecord {
                token: *token,
                ..run
            };
            drop(dispatch::spawn(
                &self.shared,
                Dispatch {
                    run,
                    job,
                    origin,
                    trigger: None,
                    local: true,
                },
            ));
        }
        Ok(())
    }
}
