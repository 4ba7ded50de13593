//! Tests of the scheduling rules through the public interface.

mod calendars;
mod cron_cases;
mod cron_grammar;
mod cron_oracle;
mod dialects;
mod fires;
mod schedule_text;
mod support;
mod vectors;
mod warnings;
mod zones;
