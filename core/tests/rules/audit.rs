use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{audit::certify, misfire::Range};
use proptest::prelude::*;

use crate::at;

fn minute(n: i64) -> DateTime<Utc> {
    at("2026-06-01T00:00:00Z") + TimeDelta::minutes(n)
}

fn range(from: i64, to: i64) -> Range {
    Range {
        from: minute(from),
        to: minute(to),
    }
}

#[test]
fn every_instant_has_exactly_one_verdict() {
    let certificate = certify(
        (1..=5).map(minute),
        vec![range(4, 5), range(1, 1), range(2, 3)],
    );
    assert_eq!(
        (
            certificate.instants,
            certificate.holes.len(),
            certificate.doubles.len()
        ),
        (5, 0, 0)
    );
}

#[test]
fn holes_and_doubles_are_found_in_any_order_of_ranges() {
    let certificate = certify(
        (1..=6).map(minute),
        vec![range(5, 5), range(1, 2), range(2, 2), range(1, 1)],
    );
    assert_eq!(certificate.holes, [minute(3), minute(4), minute(6)]);
    assert_eq!(certificate.doubles, [minute(1), minute(2)]);
}

proptest! {
    #[test]
    fn it_agrees_with_counting_each_instant(ranges in proptest::collection::vec((0_i64..40, 0_i64..6), 0..20)) {
        let ranges: Vec<Range> = ranges.into_iter().map(|(from, length)| range(from, from + length)).collect();
        let count = |instant: DateTime<Utc>| ranges.iter().filter(|r| r.from <= instant && instant <= r.to).count();
        let certificate = certify((0..45).map(minute), ranges.clone());
        let holes: Vec<_> = (0..45).map(minute).filter(|i| count(*i) == 0).collect();
        let doubles: Vec<_> = (0..45).map(minute).filter(|i| count(*i) > 1).collect();
        prop_assert_eq!(certificate.holes, holes);
        prop_assert_eq!(certificate.doubles, doubles);
    }
}
