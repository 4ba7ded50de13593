//! Jobs: list, page, and what an operator does to one.

use horarium_core::names::JobName;
use leptos::{prelude::*, server_fn::codec::GetUrl};

use crate::{
    error::AppError,
    views::{JobPage, JobTab, JobsFilter, JobsList},
};

/// A page of jobs.
#[server(prefix = "/api/console", endpoint = "jobs/list", input = GetUrl)]
pub async fn list_jobs(filter: JobsFilter) -> Result<JobsList, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::jobs(&acting, &filter, &crate::mapping::Clockface::of_request()).await
    })
    .await
}

/// One job with the open tab.
#[server(prefix = "/api/console", endpoint = "jobs/open", input = GetUrl)]
pub async fn open_job(name: String, tab: JobTab) -> Result<JobPage, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::job(
            &acting,
            &name,
            tab,
            &crate::mapping::Clockface::of_request(),
        )
        .await
    })
    .await
}

/// Pauses a job: `until` is local time of `zone`, both may be empty.
#[server(prefix = "/api/console", endpoint = "jobs/pause")]
pub async fn pause_job(
    name: JobName,
    #[server(default)] reason: String,
    #[server(default)] until: String,
    #[server(default)] zone: String,
) -> Result<(), AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        let request = crate::mapping::pause_request(reason, &until, &zone)?;
        Ok(acting.pause(&name, &request).await?)
    })
    .await
}

/// Resumes a job.
#[server(prefix = "/api/console", endpoint = "jobs/resume")]
pub async fn resume_job(name: JobName) -> Result<(), AppError> {
    super::call(async move { Ok(crate::contexts::acting()?.resume(&name).await?) }).await
}

/// Runs a job on this node now; answers the run's id. `follow` opens the run's page.
#[server(prefix = "/api/console", endpoint = "jobs/run")]
pub async fn run_job(
    name: JobName,
    #[server(default)] data: String,
    #[server(default)] follow: String,
) -> Result<String, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        let request = crate::mapping::trigger_request(name, &data)?;
        let id = acting.run_now(request).await?.to_string();
        if !follow.is_empty() {
            leptos_axum::redirect(&format!("/runs/{id}"));
        }
        Ok(id)
    })
    .await
}

/// Puts a run into the queue; any node starts it. Answers the trigger's name.
#[server(prefix = "/api/console", endpoint = "jobs/enqueue")]
pub async fn enqueue_job(
    name: JobName,
    #[server(default)] data: String,
) -> Result<String, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        let request = crate::mapping::trigger_request(name, &data)?;
        Ok(acting.enqueue(request).await?.to_string())
    })
    .await
}

/// Puts an overridden code job back to its code definition.
#[server(prefix = "/api/console", endpoint = "jobs/restore")]
pub async fn restore_job(name: JobName) -> Result<(), AppError> {
    super::call(async move { Ok(crate::contexts::acting()?.restore(&name).await?) }).await
}
