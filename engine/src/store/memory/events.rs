//! The outbox, in memory.

use chrono::{DateTime, Utc};
use horarium_core::record::Event;

use super::rows::Tables;

impl Tables {
    pub(super) fn event_list(&self, after: i64, limit: u32) -> Vec<Event> {
        self.events
            .range(after.saturating_add(1)..)
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .map(|(_, event)| event.clone())
            .collect()
    }

    pub(super) fn event_prune(&mut self, before: DateTime<Utc>) -> u64 {
        let known = self.events.len();
        self.events.retain(|_, event| event.at >= before);
        u64::try_from(known - self.events.len()).unwrap_or(u64::MAX)
    }
}
