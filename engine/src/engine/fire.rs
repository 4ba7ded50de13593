//! From an armed trigger to its run: the decision, the begin in one group, the dispatch after the commit.

use chrono::{DateTime, Utc};
use horarium_core::{
    data,
    error::Result,
    misfire::{self, Decision, Due, Range},
    record::{OneTime, RunRecord, TriggerRecord},
    run_id::RunId,
    schedule::ScheduleKind,
    state::{CompleteReason, FireVerdict, MisfirePolicy, RunCause, RunStatus},
};

use super::{CycleState, Engine};
use crate::{
    dispatch::{self, Dispatch, random_run_id},
    events,
    finish::next_of,
    shared::lock,
    store::{AfterBegin, Begun, Claimed, NewDecision, Next, RunBegin, TriggerAdvance},
};

impl Engine {
    /// Begins everything that is armed and due, as far as there is room. All that is due together commits together; the
    /// jobs start after the commit.
    pub(super) async fn fire_due(&self, state: &mut CycleState) -> Result<()> {
        let now = self.shared.now();
        let replayed = &state.replayed;
        let due = state.armed.take_due(now, self.shared.free_slots(), |c| {
            replayed.contains(&c.trigger.uid)
        });
        let mut begins = Vec::new();
        let mut starting = Vec::new();
        let mut advances = Vec::new();
        for claimed in due {
            match self.decide(&claimed, now) {
                Step::Begin(begin) => {
                    if is_replay(&claimed, &begin, now) {
                        state.replayed.insert(claimed.trigger.uid);
                    }
                    begins.push(*begin);
                    starting.push(claimed);
                }
                Step::Advance(advance) => advances.push(advance),
            }
        }
        if !advances.is_empty() {
            self.shared.store.trigger_advance(advances).await?;
        }
        if !begins.is_empty() {
            let runs: Vec<RunRecord> = begins.iter().map(|begin| begin.run.clone()).collect();
            let begun = self.shared.store.run_begin(begins).await?;
            for ((claimed, run), begun) in starting.into_iter().zip(runs).zip(begun) {
                self.dispatch(claimed, run, begun);
            }
        }
        *lock(&self.next_armed) = state.armed.next_after(now);
        Ok(())
    }

    fn dispatch(&self, claimed: Claimed, mut run: RunRecord, begun: Begun) {
        match begun {
            Begun::Begun { token } => {
                run.token = token;
                let origin = dispatch::trusted_origin(
                    claimed.origin,
                    &claimed.job,
                    claimed.code_definition.as_ref(),
                );
                let dispatch = Dispatch {
                    run,
                    job: claimed.job,
                    origin,
                    trigger: Some(claimed.trigger),
                    local: false,
                };
                drop(dispatch::spawn(&self.shared, dispatch));
            }
            Begun::Duplicate => {
                self.shared.observer.duplicate();
                tracing::error!(trigger = %claimed.trigger.key(), "a second run for one instant was refused");
            }
            // paused, replaced, deleted or blocked in between: there is no run
            Begun::Blocked | Begun::Stale | Begun::NoJob => {
                tracing::debug!(trigger = %claimed.trigger.key(), ?begun, "not begun");
            }
        }
    }

    fn decide(&self, claimed: &Claimed, now: DateTime<Utc>) -> Step {
        let trigger = &claimed.trigger;
        // a claimed trigger has a next fire: that is what it was claimed for
        let nominal_at = trigger.next_fire_at.unwrap_or(now);
        if let Some(one_time) = &trigger.one_time {
            return Step::Begin(Box::new(
                self.begin_once(claimed, one_time, nominal_at, now),
            ));
        }
        let calendars = self.shared.calendars();
        let due = Due {
            schedule: &trigger.definition.schedule,
            calendars: &calendars,
            policy: trigger.definition.misfire,
            nominal_at,
            threshold: self.shared.config.misfire_threshold(),
        };
        match misfire::decide(due, now) {
            Decision::Fire {
                nominal_at,
                scheduled_at,
                merged,
                next,
            } => {
                let next = counted(trigger, next_of(next));
                Step::Begin(Box::new(self.begin_scheduled(
                    claimed,
                    nominal_at,
                    scheduled_at,
                    merged,
                    next,
                    now,
                )))
            }
            Decision::Skip { skipped, next } => Step::Advance(TriggerAdvance {
                claim: claimed.claim(),
                next: match (&trigger.definition.schedule.kind, next_of(next)) {
                    (ScheduleKind::Once(_), Next::Complete(_)) => {
                        Next::Complete(CompleteReason::MisfireSkipped)
                    }
                    (_, next) => next,
                },
                watermark: trigger.watermark.max(skipped.to),
                decisions: vec![decision(
                    trigger,
                    skipped,
                    FireVerdict::Skipped,
                    None,
                    late_words(skipped.from, now),
                )],
                now,
            }),
        }
    }

    fn begin_scheduled(
        &self,
        claimed: &Claimed,
        nominal_at: DateTime<Utc>,
        scheduled_at: DateTime<Utc>,
        merged: Option<Range>,
        next: Next,
        now: DateTime<Utc>,
    ) -> RunBegin {
        let trigger = &claimed.trigger;
        let id = RunId::scheduled(trigger.uid, trigger.generation, nominal_at, "");
        let run = RunRecord {
            id,
            nominal_at: Some(nominal_at),
            scheduled_at,
            data: data::merge([&claimed.job.data, &trigger.definition.data]),
            ..self.run_of(trigger, RunCause::Schedule, now)
        };
        let watermark = trigger.watermark.max(nominal_at);
        let merged = merged.map(|range| {
            decision(
                trigger,
                range,
                FireVerdict::Merged,
                Some(id),
                late_words(range.from, now),
            )
        });
        RunBegin {
            claim: Some(claimed.claim()),
            exclusive: !claimed.job.allow_concurrent,
            trigger: match trigger.definition.schedule.kind {
                ScheduleKind::Every { .. } => AfterBegin::Hold { watermark },
                _ => AfterBegin::Advance { next, watermark },
            },
            counts: true,
            decisions: merged.into_iter().collect(),
            event: events::run(events::RUN_STARTED, &run),
            run,
        }
    }

    fn begin_once(
        &self,
        claimed: &Claimed,
        one_time: &OneTime,
        at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> RunBegin {
        let trigger = &claimed.trigger;
        let run = RunRecord {
            id: random_run_id(now),
            scheduled_at: at,
            origin_trigger: one_time.origin_trigger.clone(),
            attempt: one_time.attempt,
            retry_of: one_time.retry_of,
            recovered_from: one_time.recovered_from,
            data: one_time.data.clone(),
            requested_by: one_time.requested_by.clone(),
            ..self.run_of(trigger, one_time.cause, now)
        };
        RunBegin {
            claim: Some(claimed.claim()),
            exclusive: !claimed.job.allow_concurrent && !claimed.job.run_on_every_instance,
            trigger: AfterBegin::Hold {
                watermark: trigger.watermark.max(at),
            },
            counts: false,
            decisions: Vec::new(),
            event: events::run(events::RUN_STARTED, &run),
            run,
        }
    }

    /// The fields that every run of a trigger has.
    pub(super) fn run_of(
        &self,
        trigger: &TriggerRecord,
        cause: RunCause,
        now: DateTime<Utc>,
    ) -> RunRecord {
        RunRecord {
            id: random_run_id(now),
            job: trigger.job.clone(),
            trigger: Some(trigger.definition.name.clone()),
            origin_trigger: Some(trigger.definition.name.clone()),
            trigger_uid: Some(trigger.uid),
            generation: trigger.generation,
            nominal_at: None,
            scheduled_at: now,
            dispatched_at: now,
            started_at: None,
            finished_at: None,
            status: RunStatus::Running,
            cause,
            attempt: 1,
            retry_of: None,
            recovered_from: None,
            data: data::Data::new(),
            node: self.shared.node.clone(),
            token: 0,
            result: None,
            error: None,
            cancel: None,
            requested_by: None,
            late_result: None,
        }
    }
}

enum Step {
    Begin(Box<RunBegin>),
    Advance(TriggerAdvance),
}

/// The whole count has been used up with this run (S40).
fn counted(trigger: &TriggerRecord, next: Next) -> Next {
    match trigger.definition.schedule.kind {
        ScheduleKind::Every {
            repeat: Some(repeat),
            ..
        } if trigger.fired_count + 1 >= repeat => Next::Complete(CompleteReason::Done),
        _ => next,
    }
}

/// Whether this run replays a missed instant while more of them wait: then the rest waits for the next tick (S95).
fn is_replay(claimed: &Claimed, begin: &RunBegin, now: DateTime<Utc>) -> bool {
    claimed.trigger.definition.misfire == MisfirePolicy::RunAll
        && matches!(begin.trigger, AfterBegin::Advance { next: Next::At(next), .. } if next <= now)
}

pub(super) fn decision(
    trigger: &TriggerRecord,
    range: Range,
    verdict: FireVerdict,
    run: Option<RunId>,
    reason: String,
) -> NewDecision {
    NewDecision {
        trigger_uid: trigger.uid,
        generation: trigger.generation,
        range,
        verdict,
        run,
        reason,
    }
}

fn late_words(first: DateTime<Utc>, now: DateTime<Utc>) -> String {
    format!("found {} seconds late", (now - first).num_seconds())
}
