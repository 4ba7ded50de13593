//! The first cycle: what code says meets what the store holds (S27, S152–S160, S164).

use std::collections::BTreeSet;

use horarium_core::{
    calendar::Calendars,
    code_jobs::{self, Sync},
    error::Result,
    fingerprint::fingerprint,
    job::JobDefinition,
    names::CalendarName,
    query::{JobQuery, MAX_LIMIT},
    record::{JobRecord, TriggerRecord},
    schedule::ScheduleKind,
    state::{JobOrigin, TriggerState},
};

use super::Engine;
use crate::{
    plan::{self, Write, user_triggers},
    scheduler::{ATTEMPTS, busy},
    store::Written,
};

impl Engine {
    /// Settles what an earlier process left, then writes calendars and code jobs.
    pub(super) async fn sync_code(&self) -> Result<()> {
        self.shared.set_store_name(self.shared.store.ping().await?);
        if !self.shared.store.is_shared() {
            self.settle_all().await?;
            for node in self.shared.store.node_list().await? {
                self.shared.store.node_remove(&node.id).await?;
            }
            self.heartbeat().await?;
        }
        let changed = self.sync_calendars().await?;
        for job in &self.code_jobs {
            self.sync_job(job).await?;
        }
        let jobs = self.all_jobs().await?;
        self.drop_orphans(&jobs).await?;
        for trigger in jobs.iter().flat_map(user_triggers) {
            self.renew(trigger, &changed).await?;
        }
        self.check_types(&jobs).await
    }

    /// Writes the calendars of code. Answers which ones changed; a new one changes nothing that exists.
    async fn sync_calendars(&self) -> Result<BTreeSet<CalendarName>> {
        let stored = self.shared.store.calendar_list().await?;
        let code = self.code_calendars.0.iter();
        let written: Vec<_> = code
            .filter(|(name, calendar)| stored.get(name) != Some(*calendar))
            .map(|(name, calendar)| (name.clone(), calendar.clone()))
            .collect();
        let now = self.shared.now();
        self.shared.store.calendar_put(&written, now).await?;
        self.shared
            .set_calendars(self.shared.store.calendar_list().await?);
        let known = written
            .into_iter()
            .filter(|(name, _)| stored.get(name).is_some());
        Ok(known.map(|(name, _)| name).collect())
    }

    async fn sync_job(&self, code: &JobDefinition) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let stored = self.shared.store.job_get(&code.name).await?;
            match code_jobs::decide(code, stored.as_ref()) {
                Sync::Unchanged => return Ok(()),
                Sync::KeepOverride => {
                    tracing::info!(job = %code.name, "the override of this job is kept: its code is unchanged");
                    return Ok(());
                }
                Sync::Write { replaces_override } => {
                    let calendars = self.shared.calendars();
                    let write = self.code_write(stored.as_ref(), code, &calendars);
                    if self
                        .shared
                        .store
                        .job_put(plan::put(code.clone(), &write)?)
                        .await?
                        == Written::Done
                    {
                        if replaces_override {
                            tracing::warn!(job = %code.name, "the code changed: it replaces what was changed at run time");
                        }
                        return Ok(());
                    }
                }
            }
        }
        Err(busy(&code.name))
    }

    fn code_write<'a>(
        &'a self,
        existing: Option<&'a JobRecord>,
        code: &JobDefinition,
        calendars: &'a Calendars,
    ) -> Write<'a> {
        Write {
            existing,
            origin: JobOrigin::Code,
            fingerprint: Some(fingerprint(code)),
            code_definition: None,
            by: "",
            now: self.shared.now(),
            zone_data: &self.shared.zone_data,
            calendars,
        }
    }

    /// A code job that no code registers any more goes, where this node's code is all there is. One that was overridden
    /// stays: somebody wanted it.
    async fn drop_orphans(&self, jobs: &[JobRecord]) -> Result<()> {
        if self.shared.store.is_shared() {
            return Ok(());
        }
        let registered: BTreeSet<_> = self.code_jobs.iter().map(|job| &job.name).collect();
        for job in jobs
            .iter()
            .filter(|job| !registered.contains(&job.definition.name))
        {
            let name = &job.definition.name;
            match job.origin {
                JobOrigin::Code => {
                    let delete = plan::delete(job, &self.shared.calendars(), self.shared.now(), "");
                    self.shared.store.job_delete(delete).await?;
                    tracing::info!(job = %name, "the job is not in code any more: it was removed, its history stays");
                }
                JobOrigin::Overridden => {
                    tracing::warn!(job = %name, "the job is not in code any more; its override stays");
                }
                JobOrigin::Runtime => {}
            }
        }
        Ok(())
    }

    /// Opens a new generation for a trigger whose calendar or zone data changed, and says when its next fire moved.
    async fn renew(&self, trigger: &TriggerRecord, changed: &BTreeSet<CalendarName>) -> Result<()> {
        let schedule = &trigger.definition.schedule;
        let calendar = schedule
            .calendar
            .as_ref()
            .is_some_and(|name| changed.contains(name));
        let zoned = matches!(schedule.kind, ScheduleKind::Cron(_)) || schedule.calendar.is_some();
        let zone_data = zoned && trigger.zone_data != self.shared.zone_data;
        let open = trigger.state != TriggerState::Complete;
        if !(calendar || zone_data && open) {
            return Ok(());
        }
        let restart = plan::restart(
            trigger,
            &self.shared.calendars(),
            &self.shared.zone_data,
            self.shared.now(),
        );
        let next = restart.start.next;
        if self
            .shared
            .store
            .trigger_restart(vec![restart])
            .await?
            .first()
            == Some(&Written::Done)
        {
            let before = trigger.next_fire_at;
            tracing::info!(trigger = %trigger.key(), ?before, ?next, "computed again: calendar or zone data changed");
        }
        Ok(())
    }

    /// Triggers of unknown types show why they do not run (S184); known again, they wait again (A44). On a shared store
    /// another node may know the type (A45), so only a store of one's own is judged here.
    pub(super) async fn check_types(&self, jobs: &[JobRecord]) -> Result<()> {
        if self.shared.store.is_shared() {
            return Ok(());
        }
        let now = self.shared.now();
        for job in jobs {
            let job_type = &job.definition.job_type;
            let known = self.shared.types.get(job_type).is_some();
            let wrong = if known {
                TriggerState::Error
            } else {
                TriggerState::Waiting
            };
            let keys: Vec<_> = job
                .triggers
                .iter()
                .filter(|t| t.state == wrong)
                .map(TriggerRecord::key)
                .collect();
            let reason = format!("the job type '{job_type}' is not registered");
            if !keys.is_empty() {
                self.shared
                    .store
                    .trigger_set_error(&keys, (!known).then_some(reason.as_str()), now)
                    .await?;
            }
        }
        Ok(())
    }

    pub(super) async fn all_jobs(&self) -> Result<Vec<JobRecord>> {
        let mut jobs = Vec::new();
        loop {
            let skip = i64::try_from(jobs.len()).unwrap_or(i64::MAX);
            let page = self
                .shared
                .store
                .job_list(&JobQuery {
                    skip,
                    limit: MAX_LIMIT,
                    ..JobQuery::default()
                })
                .await?;
            let last = (page.len() as i64) < MAX_LIMIT;
            jobs.extend(page);
            if last {
                return Ok(jobs);
            }
        }
    }
}
