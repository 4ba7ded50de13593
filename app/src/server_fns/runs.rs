//! Runs: list, page, cancel.

use leptos::{prelude::*, server_fn::codec::GetUrl};

use crate::{
    error::AppError,
    views::{RunPage, RunsFilter, RunsList},
};

/// A page of runs.
#[server(prefix = "/api/console", endpoint = "runs/list", input = GetUrl)]
pub async fn list_runs(filter: RunsFilter) -> Result<RunsList, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::runs(&acting, &filter, &crate::mapping::Clockface::of_request()).await
    })
    .await
}

/// One run in full.
#[server(prefix = "/api/console", endpoint = "runs/open", input = GetUrl)]
pub async fn open_run(id: String) -> Result<RunPage, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::run(&acting, &id, &crate::mapping::Clockface::of_request()).await
    })
    .await
}

/// Asks a run to stop.
#[server(prefix = "/api/console", endpoint = "runs/cancel")]
pub async fn cancel_run(id: String) -> Result<(), AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        Ok(acting.cancel_run(crate::mapping::run_id(&id)?).await?)
    })
    .await
}
