//! Calendars, in memory.

use horarium_core::{
    calendar::{Calendar, Calendars},
    names::CalendarName,
};

use super::rows::Tables;

impl Tables {
    pub(super) fn calendar_put(&mut self, calendars: &[(CalendarName, Calendar)]) {
        self.calendars.0.extend(calendars.iter().cloned());
    }

    pub(super) fn calendar_list(&self) -> Calendars {
        self.calendars.clone()
    }
}
