//! Changing when a job fires.

use horarium_core::names::JobName;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::AppError;

/// One trigger as the form sends it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TriggerChange {
    /// Its name.
    pub name: String,
    /// The schedule's text.
    pub schedule: String,
    /// The misfire policy.
    pub misfire: String,
    /// The priority.
    pub priority: String,
    /// Set when the trigger is to go.
    pub remove: String,
}

/// Writes a job's description and triggers; everything else of its definition stays. A code job is overridden by it.
#[server(prefix = "/api/console", endpoint = "jobs/schedule")]
pub async fn schedule_job(
    name: JobName,
    #[server(default)] description: String,
    #[server(default)] triggers: Vec<TriggerChange>,
) -> Result<(), AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::change_schedule(&acting, name, description, triggers).await
    })
    .await
}
