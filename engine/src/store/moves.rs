//! How single rows move, decided once for every store.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use horarium_core::{
    error::{Result, SchedulingError},
    job::{JobDefinition, TriggerDefinition},
    names::{JobName, TriggerKey, TriggerName},
    record::{FireDecision, NodeRecord, Pause, TriggerRecord},
    schedule::Schedule,
    state::{MisfirePolicy, RunCause, TriggerState},
};
use uuid::Uuid;

use super::{ClaimRef, NewDecision, Next, OnceTrigger, TriggerAdvance};

/// Whether the row still carries this claim, made ahead and not begun.
pub(super) fn is_claimed_by(trigger: &TriggerRecord, claim: &ClaimRef) -> bool {
    trigger.state == TriggerState::Waiting
        && trigger.uid == claim.uid
        && trigger.version == claim.version
        && trigger.claim_token == Some(claim.token)
}

/// Whether the engine made this trigger for a run that somebody asked for: it ignores pauses (A26).
pub(super) fn is_manual(trigger: &TriggerRecord) -> bool {
    trigger
        .one_time
        .as_ref()
        .is_some_and(|o| o.cause == RunCause::Manual)
}

/// Whether it can be claimed, the due instant and the job's type aside.
pub(super) fn is_claimable(trigger: &TriggerRecord) -> bool {
    trigger.state == TriggerState::Waiting && trigger.claim_token.is_none() && !trigger.is_paused()
}

/// Ends a claim, whoever held it.
pub(super) fn release(trigger: &mut TriggerRecord) {
    trigger.claim_node = None;
    trigger.claim_token = None;
    trigger.version += 1;
}

/// Ends a claim that was made ahead; a trigger whose run goes on keeps its token, which its end states (A35).
pub(super) fn disarm(trigger: &mut TriggerRecord) {
    if trigger.state == TriggerState::Waiting {
        release(trigger);
    } else {
        trigger.version += 1;
    }
}

/// Gives it its next fire, or completes it; a claim ends here.
pub(super) fn go_on(trigger: &mut TriggerRecord, next: Next) {
    release(trigger);
    trigger.error = None;
    match next {
        Next::At(at) => {
            trigger.state = TriggerState::Waiting;
            trigger.next_fire_at = Some(at);
            trigger.complete_reason = None;
        }
        Next::Complete(reason) => {
            trigger.state = TriggerState::Complete;
            trigger.next_fire_at = None;
            trigger.complete_reason = Some(reason);
        }
    }
}

/// A watermark never goes back.
pub(super) fn raise_watermark(trigger: &mut TriggerRecord, to: DateTime<Utc>) {
    trigger.watermark = trigger.watermark.max(to);
}

/// Moves a claimed trigger on; false when it is to be deleted instead, being one-time and complete.
pub(super) fn advance(trigger: &mut TriggerRecord, advance: &TriggerAdvance) -> bool {
    go_on(trigger, advance.next);
    raise_watermark(trigger, advance.watermark);
    trigger.one_time.is_none() || trigger.state != TriggerState::Complete
}

/// Sets or clears its own pause. A claim ahead ends with a pause, unless the trigger ignores pauses.
pub(super) fn set_paused(trigger: &mut TriggerRecord, pause: Option<&Pause>) {
    trigger.paused = pause.cloned();
    after_pause(trigger, pause.is_some());
}

/// Sets or clears the pause of its job.
pub(super) fn set_job_paused(trigger: &mut TriggerRecord, paused: bool) {
    trigger.job_paused = paused;
    after_pause(trigger, paused);
}

fn after_pause(trigger: &mut TriggerRecord, paused: bool) {
    if is_manual(trigger) {
        return;
    }
    if paused {
        disarm(trigger);
    } else {
        trigger.version += 1;
    }
}

/// Puts a waiting trigger into `Error`, or one in `Error` back; false when it is in neither state.
pub(super) fn set_error(trigger: &mut TriggerRecord, reason: Option<&str>) -> bool {
    let (from, to) = match reason {
        Some(_) => (TriggerState::Waiting, TriggerState::Error),
        None => (TriggerState::Error, TriggerState::Waiting),
    };
    if trigger.state != from {
        return false;
    }
    release(trigger);
    trigger.state = to;
    trigger.error = reason.map(str::to_owned);
    true
}

/// The row of a trigger that the engine makes for one run.
pub(super) fn once(once: &OnceTrigger, job_paused: bool) -> Result<TriggerRecord> {
    let text = once.at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let schedule: Schedule = format!("once {text}")
        .parse()
        .map_err(|_| SchedulingError::invalid(format!("'{text}' is not an instant")))?;
    let mut definition = TriggerDefinition::new(once.key.trigger.clone(), schedule);
    definition.priority = once.priority;
    definition.misfire = MisfirePolicy::RunOnce;
    Ok(TriggerRecord {
        job: once.key.job.clone(),
        definition,
        uid: Uuid::new_v4(),
        generation: 1,
        version: 1,
        state: TriggerState::Waiting,
        paused: None,
        job_paused,
        next_fire_at: Some(once.at),
        watermark: once.now,
        fired_count: 0,
        claim_node: None,
        claim_token: None,
        error: None,
        complete_reason: None,
        one_time: Some(once.one_time.clone()),
        zone_data: String::new(),
        created_at: once.now,
    })
}

/// A verdict as it is kept.
pub(super) fn decided(new: &NewDecision, now: DateTime<Utc>) -> FireDecision {
    FireDecision {
        trigger_uid: new.trigger_uid,
        generation: new.generation,
        from: new.range.from,
        to: new.range.to,
        verdict: new.verdict,
        run: new.run,
        status: None,
        reason: new.reason.clone(),
        decided_at: now,
    }
}

/// What the text filter of the job list looks at, in lower case, so that every store finds the same.
pub(super) fn search_text(job: &JobDefinition) -> String {
    let mut text = format!(
        "{}\n{}\n{}",
        job.name,
        job.job_type,
        job.description.as_deref().unwrap_or_default()
    );
    for tag in &job.tags {
        text.push('\n');
        text.push_str(tag);
    }
    text.to_lowercase()
}

/// The least key that a trigger of this job can have: no name sorts before `0`.
pub(super) fn first_key(job: &JobName) -> TriggerKey {
    TriggerKey {
        job: job.clone(),
        // the literal follows the grammar
        trigger: TriggerName::try_from("0").expect("a legal name"),
    }
}

/// A sign of life older than this is no sign of life any more (`NodeTimeout`, S107).
const SIGN_OF_LIFE: TimeDelta = TimeDelta::seconds(90);

/// Whether another process with the same node id is alive (A8).
pub(super) fn is_other_alive(stored: &NodeRecord, node: &NodeRecord) -> bool {
    stored.incarnation != node.incarnation
        && node.heartbeat_at.signed_duration_since(stored.heartbeat_at) <= SIGN_OF_LIFE
}
