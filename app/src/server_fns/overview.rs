//! The first page.

use leptos::{prelude::*, server_fn::codec::GetUrl};

use crate::{error::AppError, views::Overview};

/// What goes on now and what comes next.
#[server(prefix = "/api/console", endpoint = "overview", input = GetUrl)]
pub async fn read_overview() -> Result<Overview, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        crate::mapping::overview(&acting, &crate::mapping::Clockface::of_request()).await
    })
    .await
}
