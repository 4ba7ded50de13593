//! Putting an overridden code job back (S142, S158, S159).

use horarium_core::{
    code::ErrorCode,
    error::{Result, SchedulingError},
    fingerprint::fingerprint,
    names::JobName,
    state::JobOrigin,
};

use super::{ATTEMPTS, Scheduler, busy};
use crate::{
    plan::{self, Write},
    store::Written,
};

impl Scheduler {
    /// Puts run-time-modified code jobs back to their code definition. Pause and the progress of triggers with the same
    /// name stay (S158).
    pub async fn restore(&self, jobs: &[JobName], by: &str) -> Vec<Result<()>> {
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            results.push(self.restore_one(job, by).await);
        }
        self.changed();
        results
    }

    async fn restore_one(&self, name: &JobName, by: &str) -> Result<()> {
        let calendars = self.shared.store.calendar_list().await?;
        for _ in 0..ATTEMPTS {
            let job = self.existing(name).await?;
            let code = match (job.origin, &job.code_definition) {
                (JobOrigin::Overridden, Some(code)) => code.clone(),
                // what runs is the code definition: nothing to do
                (JobOrigin::Code, _) => return Ok(()),
                _ => {
                    return Err(SchedulingError::new(
                        ErrorCode::NoCodeDefinition,
                        name.as_str(),
                    ));
                }
            };
            let write = Write {
                existing: Some(&job),
                origin: JobOrigin::Code,
                fingerprint: Some(fingerprint(&code)),
                code_definition: None,
                by,
                now: self.now(),
                zone_data: &self.shared.zone_data,
                calendars: &calendars,
            };
            if self.shared.store.job_put(plan::put(code, &write)?).await? == Written::Done {
                return Ok(());
            }
        }
        Err(busy(name))
    }
}
