//! The address holds the whole question.

use std::collections::BTreeSet;

use horarium_app::{
    server_fns::endpoints,
    views::{CronAsk, JobsFilter, RunsFilter},
};
use leptos_router::params::ParamsMap;

fn params(address: &str) -> ParamsMap {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let mut map = ParamsMap::new();
    for (key, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        map.insert(key.to_owned(), decode(value));
    }
    map
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || {
            rest.next()
                .and_then(|b| char::from(b).to_digit(16))
                .unwrap() as u8
        };
        bytes.push(if byte == b'%' {
            digit() * 16 + digit()
        } else {
            byte
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_filter_of_jobs_survives_its_address() {
    let filter = JobsFilter {
        q: "a b&c=d#é".to_owned(),
        state: "paused".to_owned(),
        kind: "command:echo".to_owned(),
        sort: "next".to_owned(),
        page: 3,
        ..JobsFilter::default()
    };
    assert_eq!(JobsFilter::from_params(&params(&filter.address())), filter);
}

#[test]
fn a_filter_of_runs_keeps_its_set_of_states() {
    let filter = RunsFilter {
        status: vec!["failed".to_owned(), "lost".to_owned()],
        from: "-24h".to_owned(),
        page: 1,
        ..RunsFilter::default()
    };
    assert_eq!(
        filter.address(),
        "/runs?status=failed&status=lost&from=-24h"
    );
    assert_eq!(RunsFilter::from_params(&params(&filter.address())), filter);
}

#[test]
fn a_question_to_the_preview_survives_its_address() {
    let ask = CronAsk {
        expr: "0 */5 L-1 * MON#2".to_owned(),
        tz: "Europe/Berlin".to_owned(),
        count: 40,
        ..CronAsk::default()
    };
    assert_eq!(CronAsk::from_params(&params(&ask.address())), ask);
}

#[test]
fn server_functions_have_readable_addresses_of_their_own() {
    let paths: BTreeSet<_> = endpoints().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths.len(), endpoints().len());
    for path in paths {
        let readable = path
            .strip_prefix("/api/console/")
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_lowercase() || b == b'/'));
        assert!(readable, "{path}");
    }
}
