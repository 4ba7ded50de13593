//! The fire ledger and its certificate.

use chrono::{DateTime, Utc};
use horarium_core::{
    audit::{self, Certificate},
    calendar::Calendars,
    error::{Result, SchedulingError},
    fires,
    names::TriggerKey,
    record::{FireDecision, TriggerGeneration},
    schedule::{Schedule, ScheduleKind},
};

use super::Scheduler;

/// The most instants of one generation that one step looks at.
const STEP: usize = 100_000;

impl Scheduler {
    /// What became of the nominal instants of a trigger, latest first.
    pub async fn ledger(
        &self,
        key: &TriggerKey,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<FireDecision>> {
        let job = self.existing(&key.job).await?;
        let trigger = job
            .triggers
            .iter()
            .find(|t| t.definition.name == key.trigger);
        let trigger = trigger.ok_or_else(|| SchedulingError::trigger_not_found(key))?;
        self.shared
            .store
            .ledger_list(trigger.uid, from, to, limit)
            .await
    }

    /// The certificate over the whole store: every nominal instant of every `cron` and `rate` trigger in the range, up to
    /// the trigger's watermark, has exactly one verdict.
    pub async fn audit(
        &self,
        from: Option<DateTime<Utc>>,
        to: Option<DateTime<Utc>>,
    ) -> Result<Certificate> {
        let mut certificate = Certificate::default();
        for generation in self.shared.store.ledger_generations().await? {
            let Some(end) = self.covered_to(&generation).await? else {
                continue;
            };
            let start = from.map_or(generation.from, |from| from.max(generation.from));
            let end = to.map_or(end, |to| to.min(end));
            certificate.add(self.certify(&generation, start, end).await?);
        }
        Ok(certificate)
    }

    /// The last instant that must be decided: the generation's end, or the watermark while it is in force.
    async fn covered_to(&self, generation: &TriggerGeneration) -> Result<Option<DateTime<Utc>>> {
        if generation.to.is_some() {
            return Ok(generation.to);
        }
        let job = self.shared.store.job_get(&generation.key.job).await?;
        let trigger = job
            .into_iter()
            .flat_map(|job| job.triggers)
            .find(|t| t.uid == generation.trigger_uid);
        Ok(trigger.map(|t| t.watermark))
    }

    async fn certify(
        &self,
        generation: &TriggerGeneration,
        mut from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Certificate> {
        let mut certificate = Certificate::default();
        let schedule: Schedule = generation
            .schedule
            .parse()
            .map_err(|error| SchedulingError::invalid(format!("{}: {error}", generation.key)))?;
        if !matches!(
            schedule.kind,
            ScheduleKind::Cron(_) | ScheduleKind::Rate { .. }
        ) {
            return Ok(certificate);
        }
        let calendars = calendars_of(generation, &schedule);
        let decided = self
            .shared
            .store
            .ledger_decided(generation.trigger_uid, generation.generation)
            .await?;
        while from < to {
            let due = fires::runs_between(&schedule, &calendars, from, to, STEP);
            let full = due.len() == STEP;
            let last = due.last().copied();
            certificate.add(audit::certify(due, decided.clone()));
            match last {
                Some(last) if full => from = last,
                _ => break,
            }
        }
        Ok(certificate)
    }
}

/// The calendar as it was when the generation began.
fn calendars_of(generation: &TriggerGeneration, schedule: &Schedule) -> Calendars {
    let mut calendars = Calendars::default();
    let calendar = serde_json::from_str(&generation.calendar).ok();
    if let (Some(name), Some(calendar)) = (schedule.calendar.clone(), calendar) {
        calendars.0.insert(name, calendar);
    }
    calendars
}
