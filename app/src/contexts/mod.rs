//! What many components share: the reader, the clock, the site.

mod pulse;
mod session;
mod site;

pub use pulse::{Pulse, provide_pulse, use_pulse};
#[cfg(feature = "ssr")]
pub(crate) use session::{acting, cookie, display_zone_name, wants_page};
pub use session::{provide_session, use_session};
pub use site::{Site, SiteFiles};
