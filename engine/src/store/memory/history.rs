//! What runs leave behind, in memory: their logs, and their deletion by retention or for want of room.

use chrono::{DateTime, Utc};
use horarium_core::{
    code::ErrorCode,
    error::{Result, SchedulingError},
    record::LogLine,
    run_id::RunId,
};

use super::rows::Tables;

impl Tables {
    /// Makes room for runs that begin: finished ones go first, the oldest first (S182).
    pub(super) fn make_room(
        &mut self,
        begun: usize,
        max_runs: usize,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let too_many = (self.runs.len() + begun).saturating_sub(max_runs);
        if too_many > self.finished.len() {
            let running = self.runs.len() - self.finished.len();
            return Err(SchedulingError::new(
                ErrorCode::StoreFull,
                running.to_string(),
            ));
        }
        let oldest: Vec<_> = self.finished.iter().take(too_many).map(|f| f.1).collect();
        self.forget_runs(oldest, now);
        Ok(())
    }

    pub(super) fn run_log_append(&mut self, lines: &[(RunId, LogLine)]) {
        for (run, line) in lines {
            if self.runs.contains_key(run) {
                self.logs
                    .entry((*run, line.number))
                    .or_insert_with(|| line.clone());
            }
        }
    }

    pub(super) fn run_log_list(&self, run: RunId, after: i64, limit: u32) -> Vec<LogLine> {
        self.logs
            .range((run, after.saturating_add(1))..)
            .take_while(|((of, _), _)| *of == run)
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .map(|(_, line)| line.clone())
            .collect()
    }

    pub(super) fn run_prune(
        &mut self,
        finished_before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> u64 {
        let old = self.finished.iter().take_while(|f| f.0 < finished_before);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let old: Vec<_> = old.take(limit).map(|f| f.1).collect();
        let pruned = u64::try_from(old.len()).unwrap_or(u64::MAX);
        self.forget_runs(old, now);
        pruned
    }

    /// Deletes finished runs with their logs; the instants that they stood for stay decided.
    fn forget_runs(&mut self, ids: Vec<RunId>, now: DateTime<Utc>) {
        let mut folds = Vec::new();
        for id in ids {
            if let Some(row) = self.remove_run(id) {
                folds.extend(row.instant.map(|instant| (instant, row.record.status)));
            }
            let lines = self.logs.range((id, i64::MIN)..=(id, i64::MAX));
            let lines: Vec<_> = lines.map(|(key, _)| *key).collect();
            lines.iter().for_each(|key| {
                self.logs.remove(key);
            });
        }
        // in the order of instants, so that each meets the range of the one before it
        folds.sort();
        for ((uid, generation, at, _), status) in folds {
            self.ledger_fold(uid, generation, at, status, now);
        }
    }
}
