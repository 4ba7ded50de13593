//! `[scheduling]`: how the engine works (S228–S238).

use horarium_engine::config::SchedulingConfig;

use super::section::Section;

/// Reads the section; every value is checked by the engine's own rules.
pub fn read(mut section: Section<'_>) -> SchedulingConfig {
    let mut config = SchedulingConfig::default();
    macro_rules! keys {
        ($($key:ident: $kind:ident),+ $(,)?) => {
            $(if let Some(value) = section.$kind(stringify!($key)) {
                config.$key = value;
            })+
        };
    }
    keys! {
        poll_interval_seconds: number,
        max_concurrent_runs: integer,
        acquire_batch_size: integer,
        misfire_threshold_seconds: number,
        lease_resource: text,
        lease_time_to_live_seconds: number,
        node_timeout_seconds: number,
        housekeeping_interval_seconds: number,
        history_retention_days: number,
        claim_ahead_seconds: number,
        log_lines_per_run: integer,
    }
    if let Some(node) = section.text("node_id") {
        config.node_id = Some(node);
    }
    for (key, sentence) in config.problems() {
        section.problem(&key, sentence);
    }
    section.finish();
    config
}
