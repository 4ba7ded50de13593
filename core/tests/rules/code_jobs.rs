use horarium_core::{
    code_jobs::{Sync, decide},
    fingerprint::fingerprint,
    job::JobDefinition,
    record::JobRecord,
    state::JobOrigin,
};

use crate::{at, job};

fn stored(origin: JobOrigin, fingerprint: Option<String>) -> JobRecord {
    JobRecord {
        definition: job("report", "cron 0 30 7 * * *"),
        origin,
        fingerprint,
        code_definition: None,
        paused: None,
        version: 1,
        active_run: None,
        created_at: at("2026-01-01T00:00:00Z"),
        updated_at: at("2026-01-01T00:00:00Z"),
        updated_by: String::new(),
        triggers: vec![],
    }
}

#[test]
fn s155_s156_what_the_start_does_with_a_code_job() {
    let code: JobDefinition = job("report", "cron 0 0 6 * * *");
    let same = || Some(fingerprint(&code));
    let other = || Some("0000".to_owned());
    let write = |replaces_override| Sync::Write { replaces_override };
    for (stored, expected) in [
        (None, write(false)),
        (Some(stored(JobOrigin::Code, same())), Sync::Unchanged),
        (Some(stored(JobOrigin::Code, other())), write(false)),
        (
            Some(stored(JobOrigin::Overridden, same())),
            Sync::KeepOverride,
        ),
        (Some(stored(JobOrigin::Overridden, other())), write(true)),
        (Some(stored(JobOrigin::Runtime, None)), write(true)),
    ] {
        assert_eq!(decide(&code, stored.as_ref()), expected, "{stored:?}");
    }
}
