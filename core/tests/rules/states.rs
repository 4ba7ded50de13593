use horarium_core::{
    code::{ErrorCode, ErrorKind},
    state::{MisfirePolicy, Role, RunCause, RunStatus, ShownState, TriggerState},
};

#[test]
fn s7_the_sets_are_closed_and_unknown_text_is_refused() {
    for cause in RunCause::ALL {
        assert_eq!(cause.as_str().parse::<RunCause>(), Ok(*cause));
    }
    let error = "timer".parse::<RunCause>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "'timer' is not one of schedule, manual, recovery, retry"
    );
    assert_eq!(serde_json::to_string(&RunStatus::Lost).unwrap(), "\"lost\"");
    assert_eq!(MisfirePolicy::default(), MisfirePolicy::RunOnce, "S36");
    assert!(Role::Viewer < Role::Operator && Role::Operator < Role::Admin);
}

#[test]
fn a25_the_shown_state_in_the_order_of_the_rule() {
    use ShownState as Shown;
    use TriggerState as State;
    for (state, paused, shown) in [
        (State::Complete, true, Shown::Complete),
        (State::Error, true, Shown::Error),
        (State::Acquired, true, Shown::Acquired),
        (State::Blocked, true, Shown::Paused),
        (State::Waiting, true, Shown::Paused),
        (State::Blocked, false, Shown::Blocked),
        (State::Waiting, false, Shown::Waiting),
    ] {
        assert_eq!(Shown::of(state, paused), shown, "{state} {paused}");
    }
}

#[test]
fn s240_sixteen_codes_each_with_text_and_status() {
    assert_eq!(ErrorCode::ALL.len(), 16);
    for code in ErrorCode::ALL {
        assert_eq!(code.as_str().parse::<ErrorCode>(), Ok(*code));
        let middle = code.as_str().split('_').nth(1).unwrap();
        let (kind, status) = match middle {
            "NOTFOUND" => (ErrorKind::NotFound, 404),
            "VALIDATION" => (ErrorKind::Validation, 400),
            "CONFLICT" => (ErrorKind::Conflict, 409),
            "UNAVAILABLE" => (ErrorKind::Unavailable, 503),
            "TIMEOUT" => (ErrorKind::Timeout, 504),
            _ => (ErrorKind::Unexpected, 500),
        };
        assert_eq!(
            (code.kind(), code.kind().http_status()),
            (kind, status),
            "A42 {code}"
        );
        let text = code.message(&["THING".to_owned()]);
        assert!(!text.contains('{'), "{code}: {text}");
    }
}
