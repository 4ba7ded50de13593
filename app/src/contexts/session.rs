//! The reader of the page, known on the server and handed to the browser with the page.

use leptos::prelude::*;

use crate::views::Session;

/// Reads who asks, on the server; takes it from the page, in the browser.
pub fn provide_session() -> Session {
    let session = SharedValue::new(read).into_inner();
    provide_context(session.clone());
    session
}

/// The reader of the page.
pub fn use_session() -> Session {
    use_context().unwrap_or_default()
}

#[cfg(not(feature = "ssr"))]
fn read() -> Session {
    Session::default()
}

#[cfg(feature = "ssr")]
fn read() -> Session {
    use horarium_engine::acting::Acting;

    use crate::{contexts::Site, views::Theme};

    let acting = use_context::<Acting>();
    let site = use_context::<Site>();
    let zone = display_zone_name();
    Session {
        user: acting.as_ref().map(|a| a.actor().name.clone()),
        role: acting.as_ref().map(|a| a.actor().role),
        zone_chosen: zone.is_some(),
        zone: zone.unwrap_or_else(|| "UTC".to_owned()),
        theme: Theme::named(&cookie("horarium_theme").unwrap_or_default()),
        version: site.as_ref().map(|s| s.version.clone()).unwrap_or_default(),
        setup_needed: site.as_ref().is_some_and(|s| s.setup_needed),
        auth: site.as_ref().is_none_or(|s| s.auth),
        now_ms: crate::mapping::wall_clock_ms(),
    }
}

/// The scheduler on behalf of whoever asks, or `SIGNED_OUT`.
#[cfg(feature = "ssr")]
pub(crate) fn acting() -> Result<horarium_engine::acting::Acting, crate::error::AppError> {
    use_context().ok_or_else(|| crate::error::AppError::plain(crate::error::SIGNED_OUT))
}

/// Whether the present request asks for a page: a visit, or a form sent without scripts.
#[cfg(feature = "ssr")]
pub(crate) fn wants_page() -> bool {
    use_context::<axum::http::request::Parts>().is_some_and(|parts| {
        let accept = parts.headers.get(axum::http::header::ACCEPT);
        accept
            .and_then(|accept| accept.to_str().ok())
            .is_some_and(|accept| accept.contains("text/html"))
    })
}

/// The value of a cookie of the present request.
#[cfg(feature = "ssr")]
pub(crate) fn cookie(name: &str) -> Option<String> {
    let parts = use_context::<axum::http::request::Parts>()?;
    parts
        .headers
        .get_all(axum::http::header::COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| crate::mapping::decode_cookie(value))
        .filter(|value| !value.is_empty())
}

/// The display zone that the reader chose, when it is one.
#[cfg(feature = "ssr")]
pub(crate) fn display_zone_name() -> Option<String> {
    let zone = horarium_core::zone::Zone::parse(&cookie("horarium_zone")?).ok()?;
    Some(zone.id().to_owned())
}
