//! Triggers, in memory.

use chrono::{DateTime, Utc};
use horarium_core::{
    error::Result,
    job::JobDefinition,
    names::{JobName, TriggerKey},
    record::{Pause, TriggerRecord},
    state::{JobOrigin, TriggerState},
};

use super::rows::Tables;
use crate::store::{OnceTrigger, TriggerRestart, Written, definitions, moves};

impl Tables {
    pub(super) fn trigger_set_paused(
        &mut self,
        keys: &[TriggerKey],
        pause: Option<&Pause>,
    ) -> Vec<bool> {
        keys.iter()
            .map(|key| {
                let exists = self.triggers.contains_key(key);
                self.change_trigger(key, |t| moves::set_paused(t, pause));
                exists
            })
            .collect()
    }

    pub(super) fn trigger_add_once(&mut self, triggers: &[OnceTrigger]) -> Result<Vec<bool>> {
        triggers
            .iter()
            .map(|once| {
                let Some(job) = self.jobs.get(&once.key.job) else {
                    return Ok(false);
                };
                if !self.triggers.contains_key(&once.key) {
                    let row = moves::once(once, job.paused.is_some())?;
                    self.save_trigger(row);
                }
                Ok(true)
            })
            .collect()
    }

    pub(super) fn trigger_set_error(&mut self, keys: &[TriggerKey], reason: Option<&str>) {
        for key in keys {
            self.change_trigger(key, |t| {
                moves::set_error(t, reason);
            });
        }
    }

    pub(super) fn trigger_list_local(&self) -> Vec<(TriggerRecord, JobDefinition, JobOrigin)> {
        let waiting = self
            .triggers
            .values()
            .filter(|t| t.one_time.is_none() && t.state == TriggerState::Waiting && !t.is_paused());
        waiting
            .filter_map(|t| {
                let row = self.jobs.get(&t.job)?;
                let job = &row.definition;
                job.run_on_every_instance
                    .then(|| (t.clone(), job.clone(), row.origin))
            })
            .collect()
    }

    pub(super) fn trigger_restart(&mut self, restarts: Vec<TriggerRestart>) -> Vec<Written> {
        restarts
            .into_iter()
            .map(|restart| {
                let row = self.triggers.get(&restart.key).cloned();
                match row.and_then(|row| definitions::restart(&restart, row)) {
                    Some(redefined) => {
                        self.redefine(redefined);
                        Written::Done
                    }
                    None => Written::Stale,
                }
            })
            .collect()
    }

    pub(super) fn pause_expire(&mut self, now: DateTime<Utc>) -> (Vec<JobName>, Vec<TriggerKey>) {
        let over = |pause: &Option<Pause>| {
            let until = pause.as_ref().and_then(|p| p.until);
            until.is_some_and(|until| until <= now)
        };
        let jobs = self.jobs.values().filter(|j| over(&j.paused));
        let jobs: Vec<_> = jobs.map(|j| j.definition.name.clone()).collect();
        let triggers = self.triggers.values().filter(|t| over(&t.paused));
        let triggers: Vec<_> = triggers.map(TriggerRecord::key).collect();
        self.job_set_paused(&jobs, None);
        self.trigger_set_paused(&triggers, None);
        (jobs, triggers)
    }
}
