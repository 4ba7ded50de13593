//! The preview of a schedule, and the names of all zones.

use leptos::{prelude::*, server_fn::codec::GetUrl};

use crate::{
    error::AppError,
    views::{CronAsk, Preview},
};

/// What a schedule does, or what is wrong with it.
#[server(prefix = "/api/console", endpoint = "cron/preview", input = GetUrl)]
pub async fn preview_schedule(ask: CronAsk) -> Result<Preview, AppError> {
    super::call(async move {
        let acting = crate::contexts::acting()?;
        let calendars = acting.calendars().await?;
        Ok(crate::mapping::preview(
            &ask,
            &calendars,
            &crate::mapping::Clockface::of_request(),
        ))
    })
    .await
}

/// All IANA names, for the zone picker.
#[server(prefix = "/api/console", endpoint = "cron/zones", input = GetUrl)]
pub async fn zone_names() -> Result<Vec<String>, AppError> {
    super::call(async move {
        crate::contexts::acting()?;
        Ok(horarium_core::zone::Zone::names().to_vec())
    })
    .await
}
