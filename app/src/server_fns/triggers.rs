//! What an operator does to one trigger.

use horarium_core::names::{JobName, TriggerName};
use leptos::prelude::*;

use crate::error::AppError;

/// Pauses one trigger; its siblings go on.
#[server(prefix = "/api/console", endpoint = "triggers/pause")]
pub async fn pause_trigger(
    job: JobName,
    trigger: TriggerName,
    #[server(default)] reason: String,
    #[server(default)] until: String,
    #[server(default)] zone: String,
) -> Result<(), AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        let request = crate::mapping::pause_request(reason, &until, &zone)?;
        let key = horarium_core::names::TriggerKey { job, trigger };
        Ok(acting.pause_trigger(&key, &request).await?)
    })
    .await
}

/// Resumes one trigger, or takes it out of its error.
#[server(prefix = "/api/console", endpoint = "triggers/resume")]
pub async fn resume_trigger(job: JobName, trigger: TriggerName) -> Result<(), AppError> {
    super::call(async move {
        let key = horarium_core::names::TriggerKey { job, trigger };
        Ok(crate::contexts::acting()?.resume_trigger(&key).await?)
    })
    .await
}
