//! What the tests of the stores build their scenes from.

use chrono::{DateTime, Utc};
use horarium_core::{
    job::{JobDefinition, TriggerDefinition},
    misfire::Range,
    names::{JobName, NodeId, TriggerKey, TriggerName},
    record::{JobRecord, NodeRecord, OneTime, Pause, RunRecord, TriggerRecord},
    run_id::RunId,
    state::{FireVerdict, JobOrigin, RunCause, RunStatus},
};
use horarium_engine::store::{
    AfterBegin, Begun, ClaimDue, Claimed, Finished, JobDelete, JobPut, NewDecision, NewEvent, Next,
    OnceTrigger, RunBegin, RunFinish, TriggerChange, TriggerPut, TriggerRemove, TriggerStart,
    Written,
};
use serde_json::json;
use uuid::Uuid;

use super::Store;

pub const EVERY_MORNING: &str = "cron 0 0 6 * * * tz=Asia/Shanghai";
pub const EVERY_EVENING: &str = "cron 0 0 18 * * * tz=Asia/Shanghai";

/// So many seconds into the scene.
pub fn t(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000 + seconds, 0).expect("an instant")
}

pub fn job_name(name: &str) -> JobName {
    name.parse().expect("a name")
}

pub fn key(job: &str, trigger: &str) -> TriggerKey {
    TriggerKey {
        job: job_name(job),
        trigger: trigger.parse().expect("a name"),
    }
}

pub fn node(id: &str) -> NodeId {
    NodeId(id.to_owned())
}

pub fn trigger(name: &str, schedule: &str) -> TriggerDefinition {
    let schedule = schedule.parse().expect("a schedule");
    TriggerDefinition::new(name.parse().expect("a name"), schedule)
}

pub fn job(name: &str) -> JobDefinition {
    JobDefinition::new(job_name(name), "http")
}

pub fn event(topic: &'static str) -> NewEvent {
    NewEvent {
        topic,
        subject: "subject".to_owned(),
        data: json!({"topic": topic}),
    }
}

pub fn start(next: DateTime<Utc>) -> TriggerStart {
    TriggerStart {
        next: Next::At(next),
        calendar: String::new(),
    }
}

pub fn create(definition: TriggerDefinition, next: DateTime<Utc>) -> TriggerPut {
    TriggerPut {
        definition,
        change: TriggerChange::Create {
            uid: Uuid::new_v4(),
            start: start(next),
        },
    }
}

pub fn job_put(definition: JobDefinition, triggers: Vec<TriggerPut>) -> JobPut {
    JobPut {
        definition,
        origin: JobOrigin::Code,
        fingerprint: Some("print".to_owned()),
        code_definition: None,
        expected: None,
        triggers,
        removed: Vec::new(),
        by: String::new(),
        now: t(0),
        zone_data: "2026a".to_owned(),
        event: event("scheduling.job.registered"),
    }
}

/// A job with one trigger `default` that is due at `next`.
pub async fn add_job(store: &Store, definition: JobDefinition, next: DateTime<Utc>) -> JobRecord {
    let trigger = trigger("default", EVERY_MORNING);
    add_job_with(store, definition, vec![create(trigger, next)]).await
}

pub async fn add_job_with(
    store: &Store,
    definition: JobDefinition,
    triggers: Vec<TriggerPut>,
) -> JobRecord {
    let name = definition.name.clone();
    let put = job_put(definition, triggers);
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    get_job(store, &name).await
}

pub async fn get_job(store: &Store, name: &JobName) -> JobRecord {
    store.job_get(name).await.unwrap().expect("the job")
}

pub async fn get_trigger(store: &Store, key: &TriggerKey) -> TriggerRecord {
    find_trigger(store, key).await.expect("the trigger")
}

pub async fn find_trigger(store: &Store, key: &TriggerKey) -> Option<TriggerRecord> {
    let job = store.job_get(&key.job).await.unwrap()?;
    job.triggers.into_iter().find(|t| t.key() == *key)
}

/// The whole job written again with its triggers as they are.
pub fn put_again(job: &JobRecord) -> JobPut {
    let users = job.triggers.iter().filter(|t| t.one_time.is_none());
    JobPut {
        expected: Some(job.version),
        now: t(50),
        ..job_put(
            job.definition.clone(),
            users
                .map(|t| TriggerPut {
                    definition: t.definition.clone(),
                    change: TriggerChange::Keep {
                        expected: t.version,
                    },
                })
                .collect(),
        )
    }
}

pub fn remove(trigger: &TriggerRecord, expired: Option<Range>) -> TriggerRemove {
    TriggerRemove {
        name: trigger.definition.name.clone(),
        expected: trigger.version,
        expired,
    }
}

pub fn job_delete(job: &JobRecord) -> JobDelete {
    let users = job.triggers.iter().filter(|t| t.one_time.is_none());
    JobDelete {
        name: job.definition.name.clone(),
        expected: job.version,
        triggers: users.map(|t| remove(t, None)).collect(),
        now: t(60),
        event: event("scheduling.job.deleted"),
    }
}

pub fn claim_due(until: DateTime<Utc>, limit: u32) -> ClaimDue {
    ClaimDue {
        node: node("n1"),
        until,
        limit,
        job_types: vec!["http".to_owned()],
    }
}

pub async fn claim(store: &Store, until: DateTime<Utc>) -> Vec<Claimed> {
    let wish = claim_due(until, 1000);
    store.trigger_claim_due(&wish).await.unwrap()
}

pub async fn claim_one(store: &Store, until: DateTime<Utc>) -> Claimed {
    let mut claimed = claim(store, until).await;
    assert_eq!(claimed.len(), 1, "one claim");
    claimed.remove(0)
}

/// A run of this claim at its due instant.
pub fn run_of(claimed: &Claimed) -> RunRecord {
    let trigger = &claimed.trigger;
    let nominal = trigger.next_fire_at.expect("a due instant");
    let cause = trigger
        .one_time
        .as_ref()
        .map_or(RunCause::Schedule, |once| once.cause);
    let id = RunId::scheduled(trigger.uid, trigger.generation, nominal, "");
    RunRecord {
        trigger: Some(trigger.definition.name.clone()),
        trigger_uid: Some(trigger.uid),
        generation: trigger.generation,
        nominal_at: (cause == RunCause::Schedule).then_some(nominal),
        scheduled_at: nominal,
        cause,
        ..run(id, &trigger.job, nominal)
    }
}

/// A direct run.
pub fn run(id: RunId, job: &JobName, at: DateTime<Utc>) -> RunRecord {
    RunRecord {
        id,
        job: job.clone(),
        trigger: None,
        origin_trigger: None,
        trigger_uid: None,
        generation: 0,
        nominal_at: None,
        scheduled_at: at,
        dispatched_at: at,
        started_at: None,
        finished_at: None,
        status: RunStatus::Running,
        cause: RunCause::Manual,
        attempt: 1,
        retry_of: None,
        recovered_from: None,
        data: json!({"a": [1, "zwei \u{1F980}\n\""]})
            .as_object()
            .expect("an object")
            .clone(),
        node: node("n1"),
        token: 0,
        result: None,
        error: None,
        cancel: None,
        requested_by: None,
        late_result: None,
    }
}

pub fn run_id(number: u8) -> RunId {
    RunId::random(t(i64::from(number)), [number; 10])
}

/// A begin of this claim that moves the trigger to `next`.
pub fn begin(claimed: &Claimed, next: DateTime<Utc>) -> RunBegin {
    let run = run_of(claimed);
    let watermark = run.scheduled_at;
    RunBegin {
        run,
        claim: Some(claimed.claim()),
        exclusive: !claimed.job.allow_concurrent,
        trigger: AfterBegin::Advance {
            next: Next::At(next),
            watermark,
        },
        counts: true,
        decisions: Vec::new(),
        event: event("scheduling.run.started"),
    }
}

/// A begin of this claim that holds the trigger until the run ends.
pub fn hold(claimed: &Claimed) -> RunBegin {
    let watermark = claimed.trigger.next_fire_at.expect("a due instant");
    RunBegin {
        trigger: AfterBegin::Hold { watermark },
        ..begin(claimed, watermark)
    }
}

/// A begin of a direct run.
pub fn direct(number: u8, job: &JobName, exclusive: bool) -> RunBegin {
    RunBegin {
        run: run(run_id(number), job, t(i64::from(number))),
        claim: None,
        exclusive,
        trigger: AfterBegin::None,
        counts: false,
        decisions: Vec::new(),
        event: event("scheduling.run.started"),
    }
}

pub async fn begin_one(store: &Store, begin: RunBegin) -> Begun {
    let begun = store.run_begin(vec![begin]).await.unwrap();
    assert_eq!(begun.len(), 1);
    begun[0]
}

/// Begins and gives the token.
pub async fn begun(store: &Store, begin: RunBegin) -> i64 {
    match begin_one(store, begin).await {
        Begun::Begun { token } => token,
        other => panic!("not begun but {other:?}"),
    }
}

/// A good end of a run.
pub fn finish(id: RunId, token: i64, at: DateTime<Utc>) -> RunFinish {
    RunFinish {
        id,
        token,
        status: RunStatus::Succeeded,
        started_at: Some(at),
        finished_at: at,
        result: Some("well done".to_owned()),
        error: None,
        cancel: None,
        rearm: None,
        delete_once: None,
        follow_up: None,
        event: event("scheduling.run.succeeded"),
    }
}

pub async fn finish_one(store: &Store, finish: RunFinish) -> Finished {
    let finished = store.run_finish(vec![finish]).await.unwrap();
    assert_eq!(finished.len(), 1);
    finished[0]
}

/// A run from its claim to its end; the trigger goes on to `next`.
pub async fn run_through(store: &Store, until: DateTime<Utc>, next: DateTime<Utc>) -> RunId {
    let claimed = claim_one(store, until).await;
    let begin = begin(&claimed, next);
    let id = begin.run.id;
    let token = begun(store, begin).await;
    assert_eq!(
        finish_one(store, finish(id, token, until)).await,
        Finished::Done
    );
    id
}

pub fn once(job: &str, name: &str, cause: RunCause, at: DateTime<Utc>) -> OnceTrigger {
    OnceTrigger {
        key: key(job, name),
        at,
        priority: 5,
        one_time: OneTime {
            cause,
            attempt: 2,
            retry_of: None,
            recovered_from: None,
            origin_trigger: Some(trigger_name("default")),
            data: json!({"tenant": "acme"})
                .as_object()
                .expect("an object")
                .clone(),
            requested_by: Some("ada".to_owned()),
        },
        now: at,
    }
}

pub fn trigger_name(name: &str) -> TriggerName {
    name.parse().expect("a name")
}

pub fn pause(until: Option<DateTime<Utc>>) -> Pause {
    Pause {
        at: t(1),
        by: "ada".to_owned(),
        reason: "maintenance".to_owned(),
        until,
    }
}

pub fn range(from: i64, to: i64) -> Range {
    Range {
        from: t(from),
        to: t(to),
    }
}

pub fn decision(trigger: &TriggerRecord, verdict: FireVerdict, range: Range) -> NewDecision {
    NewDecision {
        trigger_uid: trigger.uid,
        generation: trigger.generation,
        range,
        verdict,
        run: None,
        reason: "because".to_owned(),
    }
}

pub fn node_record(id: &str, incarnation: Uuid, heartbeat_at: DateTime<Utc>) -> NodeRecord {
    NodeRecord {
        id: node(id),
        incarnation,
        started_at: t(0),
        heartbeat_at,
        running: 3,
        max_concurrent_runs: 32,
        version: "0.1.0".to_owned(),
        job_types: vec!["http".to_owned()],
        draining: false,
    }
}

pub async fn topics(store: &Store) -> Vec<String> {
    let events = store.event_list(0, 10_000).await.unwrap();
    events.into_iter().map(|event| event.topic).collect()
}
