use chrono::TimeDelta;
use horarium_core::{retry::RetryPolicy, state::RunStatus};
use proptest::prelude::*;

fn minutes(n: i64) -> TimeDelta {
    TimeDelta::minutes(n)
}

#[test]
fn s114_v13_exponential_waits_double_up_to_the_cap() {
    let policy = RetryPolicy::exponential(7, minutes(1), Some(minutes(30))).unwrap();
    let waits: Vec<i64> = (1..=7).map(|n| policy.wait(n).num_minutes()).collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
    let fixed = RetryPolicy::fixed(3, minutes(2)).unwrap();
    assert!((1..=3).all(|n| fixed.wait(n) == minutes(2)));
}

#[test]
fn s112_s113_s115_s116_bounds_are_checked_when_a_policy_is_made() {
    let second = TimeDelta::seconds(1);
    let month = TimeDelta::days(30);
    assert!(RetryPolicy::fixed(0, second).is_err());
    assert!(RetryPolicy::fixed(1, second).is_ok());
    assert!(RetryPolicy::fixed(100, month).is_ok());
    assert!(RetryPolicy::fixed(101, second).is_err());
    assert!(RetryPolicy::fixed(1, TimeDelta::zero()).is_err());
    assert!(RetryPolicy::fixed(1, month + TimeDelta::milliseconds(1)).is_err());
    assert!(RetryPolicy::exponential(1, second, Some(TimeDelta::zero())).is_err());
    assert!(RetryPolicy::exponential(1, second, Some(month)).is_ok());
}

#[test]
fn s117_s110_only_failures_are_tried_again_and_only_so_often() {
    let policy = RetryPolicy::fixed(3, minutes(1)).unwrap();
    for status in RunStatus::ALL {
        let again = RetryPolicy::next(Some(&policy), 1, *status).is_some();
        assert_eq!(again, *status == RunStatus::Failed, "{status}");
    }
    assert!(RetryPolicy::next(Some(&policy), 3, RunStatus::Failed).is_some());
    assert!(RetryPolicy::next(Some(&policy), 4, RunStatus::Failed).is_none());
    assert!(
        RetryPolicy::next(None, 1, RunStatus::Failed).is_none(),
        "S32"
    );
}

proptest! {
    #[test]
    fn s115_no_wait_overflows_or_passes_a_limit(n in 1_u32..=100, seconds in 1_i64..2_592_000, cap in proptest::option::of(1_i64..2_592_000)) {
        let cap = cap.map(TimeDelta::seconds);
        let policy = RetryPolicy::exponential(100, TimeDelta::seconds(seconds), cap).unwrap();
        let wait = policy.wait(n);
        prop_assert!(wait > TimeDelta::zero() && wait <= TimeDelta::days(30));
        prop_assert!(cap.is_none_or(|cap| wait <= cap));
        prop_assert!(n == 100 || wait <= policy.wait(n + 1));
    }
}
