//! One timer per page: relative times tick by it, and pages that show the present read again by it.

use leptos::prelude::*;
#[cfg(feature = "hydrate")]
use std::time::Duration;

/// The page's clock.
#[derive(Debug, Clone, Copy)]
pub struct Pulse {
    /// Now by the server's clock, in milliseconds. Changes every second in the browser, never on the server.
    pub now: RwSignal<i64>,
    /// Grows every five seconds while the page is visible.
    pub beat: RwSignal<u32>,
}

/// Starts the clock at the server's now.
pub fn provide_pulse(now_ms: i64) {
    let pulse = Pulse {
        now: RwSignal::new(now_ms),
        beat: RwSignal::new(0),
    };
    provide_context(pulse);
    #[cfg(feature = "hydrate")]
    Effect::new(move || run(pulse, now_ms));
}

/// The page's clock.
pub fn use_pulse() -> Pulse {
    use_context().unwrap_or_else(|| Pulse {
        now: RwSignal::new(0),
        beat: RwSignal::new(0),
    })
}

/// Ticks for as long as the page is open. Only the difference of two readings of the browser's clock is used: it may
/// be set wrong.
#[cfg(feature = "hydrate")]
fn run(pulse: Pulse, server_ms: i64) {
    let start = browser_ms();
    let seconds = StoredValue::new(0_u32);
    set_interval(
        move || {
            pulse.now.set(server_ms + browser_ms() - start);
            seconds.update_value(|n| *n = n.wrapping_add(1));
            if seconds.get_value().is_multiple_of(5) && !document().hidden() {
                pulse.beat.update(|n| *n = n.wrapping_add(1));
            }
        },
        Duration::from_secs(1),
    );
}

#[cfg(feature = "hydrate")]
fn browser_ms() -> i64 {
    leptos::web_sys::js_sys::Date::now() as i64
}
