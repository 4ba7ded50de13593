//! The certificate of the fire ledger: every nominal instant of a range has exactly one verdict.

use chrono::{DateTime, Utc};

use crate::misfire::Range;

/// The outcome of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Certificate {
    /// How many nominal instants were looked at.
    pub instants: u64,
    /// Instants without a verdict.
    pub holes: Vec<DateTime<Utc>>,
    /// Instants with more than one.
    pub doubles: Vec<DateTime<Utc>>,
}

impl Certificate {
    /// Adds another trigger's certificate.
    pub fn add(&mut self, other: Self) {
        self.instants += other.instants;
        self.holes.extend(other.holes);
        self.doubles.extend(other.doubles);
    }
}

/// Compares what should have a verdict with the ranges that have one. `due` is increasing; ranges come in any order.
pub fn certify(
    due: impl IntoIterator<Item = DateTime<Utc>>,
    mut decided: Vec<Range>,
) -> Certificate {
    decided.sort_by_key(|r| (r.from, r.to));
    let mut certificate = Certificate::default();
    let mut first = 0;
    for instant in due {
        certificate.instants += 1;
        while decided.get(first).is_some_and(|r| r.to < instant) {
            first += 1;
        }
        let verdicts = decided[first..]
            .iter()
            .take_while(|r| r.from <= instant)
            .filter(|r| r.to >= instant)
            .count();
        match verdicts {
            0 => certificate.holes.push(instant),
            1 => {}
            _ => certificate.doubles.push(instant),
        }
    }
    certificate
}
