//! Nodes, calendars, recent changes: lists to read.

use leptos::{prelude::*, server_fn::codec::GetUrl};

use crate::{
    error::AppError,
    views::{AuditRow, CalendarRow, NodeRow},
};

/// All nodes.
#[server(prefix = "/api/console", endpoint = "nodes/list", input = GetUrl)]
pub async fn list_nodes() -> Result<Vec<NodeRow>, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::nodes(&acting, &crate::mapping::Clockface::of_request()).await
    })
    .await
}

/// All exclusion calendars.
#[server(prefix = "/api/console", endpoint = "calendars/list", input = GetUrl)]
pub async fn list_calendars() -> Result<Vec<CalendarRow>, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::calendars(&acting).await
    })
    .await
}

/// Recent changes, of one object or of all; `page` from 1, 100 a page.
#[server(prefix = "/api/console", endpoint = "audit/list", input = GetUrl)]
pub async fn list_audit(object: String, page: u32) -> Result<Vec<AuditRow>, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::audit(
            &acting,
            &object,
            page,
            &crate::mapping::Clockface::of_request(),
        )
        .await
    })
    .await
}
