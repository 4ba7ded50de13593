//! Jobs, in memory.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use horarium_core::{
    names::JobName,
    query::{JobOrder, JobQuery},
    record::{JobRecord, Pause},
};

use super::rows::{JobRow, Tables};
use crate::store::{
    JobDelete, JobPut, Written,
    definitions::{self, Redefined},
    desk::Slot,
    moves,
};

impl Tables {
    pub(super) fn job_put(&mut self, put: JobPut) -> Written {
        let name = &put.definition.name;
        let old = self.jobs.get(name);
        if old.map(|j| j.version) != put.expected {
            return Written::Stale;
        }
        let rows = self.triggers_of(name).cloned().collect();
        let paused = old.is_some_and(|j| j.paused.is_some());
        let before = old.map(|j| &j.definition);
        let Some(redefined) = definitions::put(&put, before, paused, rows) else {
            return Written::Stale;
        };
        let row = job_row(&put, old);
        self.jobs.insert(name.clone(), row);
        self.redefine(redefined);
        // whether they can be claimed follows from the job's row as well
        let all: Vec<_> = self.triggers_of(name).cloned().collect();
        all.into_iter().for_each(|t| self.save_trigger(t));
        self.add_event(put.event, put.now);
        Written::Done
    }

    pub(super) fn job_delete(&mut self, delete: JobDelete) -> Written {
        let version = self.jobs.get(&delete.name).map(|j| j.version);
        if version != Some(delete.expected) {
            return Written::Stale;
        }
        let rows = self.triggers_of(&delete.name).cloned().collect();
        let Some(redefined) = definitions::delete(&delete, rows) else {
            return Written::Stale;
        };
        self.redefine(redefined);
        self.jobs.remove(&delete.name);
        self.add_event(delete.event, delete.now);
        Written::Done
    }

    pub(super) fn job_get(&self, name: &JobName) -> Option<JobRecord> {
        self.jobs.get(name).map(|row| self.job_record(row))
    }

    pub(super) fn job_list(&self, query: &JobQuery) -> Vec<JobRecord> {
        let mut found: Vec<&JobRow> = self.jobs_that(query).collect();
        match query.order {
            JobOrder::Name => {}
            // a sort keeps what is equal in the order of names
            JobOrder::NextFire => found.sort_by_key(|j| {
                let next = self.next_fire(&j.definition.name);
                (next.is_none(), next)
            }),
            JobOrder::LastRun => found.sort_by_key(|j| Reverse(j.slot.last_run_at)),
        }
        let skip = usize::try_from(query.skip).unwrap_or(0);
        let limit = usize::try_from(query.limit).unwrap_or(0);
        let page = found.into_iter().skip(skip).take(limit);
        page.map(|row| self.job_record(row)).collect()
    }

    pub(super) fn job_count(&self, query: &JobQuery) -> i64 {
        i64::try_from(self.jobs_that(query).count()).unwrap_or(i64::MAX)
    }

    pub(super) fn job_set_paused(&mut self, jobs: &[JobName], pause: Option<&Pause>) -> Vec<bool> {
        jobs.iter()
            .map(|name| self.pause_job(name, pause))
            .collect()
    }

    /// Writes a job's pause flag and those of its triggers; false when there is no such job.
    pub(super) fn pause_job(&mut self, name: &JobName, pause: Option<&Pause>) -> bool {
        let Some(job) = self.jobs.get_mut(name) else {
            return false;
        };
        job.paused = pause.cloned();
        job.version += 1;
        let triggers: Vec<_> = self.triggers_of(name).cloned().collect();
        for mut trigger in triggers {
            moves::set_job_paused(&mut trigger, pause.is_some());
            self.save_trigger(trigger);
        }
        true
    }

    /// Writes what a definition changed.
    pub(super) fn redefine(&mut self, redefined: Redefined) {
        for (uid, generation, at) in redefined.closed {
            if let Some(old) = self.generations.get_mut(&(uid, generation)) {
                old.to = Some(at);
            }
        }
        for generation in redefined.opened {
            self.generations
                .insert((generation.trigger_uid, generation.generation), generation);
        }
        redefined
            .removed
            .iter()
            .for_each(|key| self.remove_trigger(key));
        redefined
            .saved
            .into_iter()
            .for_each(|t| self.save_trigger(t));
        redefined
            .decisions
            .into_iter()
            .for_each(|d| self.add_decision(d));
    }

    fn next_fire(&self, job: &JobName) -> Option<DateTime<Utc>> {
        self.triggers_of(job).filter_map(|t| t.next_fire_at).min()
    }

    fn jobs_that(&self, query: &JobQuery) -> impl Iterator<Item = &JobRow> {
        let text = query.text.to_lowercase();
        self.jobs.values().filter(move |row| {
            let job = &row.definition;
            row.search.contains(&text)
                && query.state.is_none_or(|state| {
                    self.triggers_of(&job.name)
                        .any(|t| t.shown_state() == state)
                })
                && query.origin.is_none_or(|o| o == row.origin)
                && query.job_type.as_ref().is_none_or(|t| *t == job.job_type)
                && query.tag.as_ref().is_none_or(|t| job.tags.contains(t))
                && query
                    .last_status
                    .is_none_or(|s| Some(s) == row.slot.last_status)
        })
    }
}

fn job_row(put: &JobPut, old: Option<&JobRow>) -> JobRow {
    JobRow {
        definition: definitions::without_triggers(&put.definition),
        search: moves::search_text(&put.definition),
        origin: put.origin,
        fingerprint: put.fingerprint.clone(),
        code_definition: put.code_definition.clone(),
        paused: old.and_then(|j| j.paused.clone()),
        version: old.map_or(0, |j| j.version) + 1,
        slot: old.map_or_else(Slot::default, |j| j.slot.clone()),
        created_at: old.map_or(put.now, |j| j.created_at),
        updated_at: put.now,
        updated_by: put.by.clone(),
    }
}
