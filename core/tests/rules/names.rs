use horarium_core::{
    names::{JobName, TriggerName},
    run_id::RunId,
};
use proptest::prelude::*;

use crate::at;

#[test]
fn s15_s16_the_grammar_of_names() {
    let longest = "a".repeat(128);
    for good in ["a", "0", "a.b_c-d", "9lives", longest.as_str()] {
        assert!(JobName::is_valid(good), "{good}");
        assert_eq!(good.parse::<JobName>().unwrap().as_str(), good);
    }
    let too_long = "a".repeat(129);
    for bad in [
        "",
        "A",
        ".a",
        "-a",
        "_a",
        "a b",
        "ä",
        "a/b",
        "Tenant-1.sync",
        too_long.as_str(),
    ] {
        assert!(!JobName::is_valid(bad), "{bad}");
        let error = bad.parse::<JobName>().unwrap_err();
        assert_eq!(error.text, bad);
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn a_bad_name_is_told_where_it_is_bad() {
    let sentence = |text: &str| text.parse::<JobName>().unwrap_err().to_string();
    assert!(
        sentence("a b").contains("' ' is not allowed"),
        "{}",
        sentence("a b")
    );
    assert!(
        sentence("Ab").contains("starts with 'A'"),
        "{}",
        sentence("Ab")
    );
    assert!(sentence(&"a".repeat(200)).contains("this one has 200"));
}

#[test]
fn engine_made_triggers_are_known_by_their_prefix() {
    for (name, made) in [
        ("manual-1", true),
        ("retry-x", true),
        ("recovery-x", true),
        ("manually", false),
        ("default", false),
    ] {
        assert_eq!(
            name.parse::<TriggerName>().unwrap().is_engine_made(),
            made,
            "{name}"
        );
    }
}

#[test]
fn the_id_of_a_scheduled_run_is_the_same_decision_again_and_sorts_by_time() {
    let uid = uuid::Uuid::from_u128(7);
    let id = |generation, second: &str, node| {
        RunId::scheduled(
            uid,
            generation,
            at(&format!("2026-06-01T00:00:{second}Z")),
            node,
        )
    };
    assert_eq!(id(1, "10", ""), id(1, "10", ""));
    let others = [id(2, "10", ""), id(1, "11", ""), id(1, "10", "node-b")];
    assert!(others.iter().all(|other| *other != id(1, "10", "")));
    assert!(id(9, "10", "z") < id(1, "11", ""));
    assert_eq!(id(1, "10", "").0.get_version_num(), 8);
    assert_eq!(
        id(1, "10", "").to_string().parse::<RunId>().unwrap(),
        id(1, "10", "")
    );
}

proptest! {
    #[test]
    fn whatever_parses_follows_the_grammar(text in "\\PC{0,140}") {
        prop_assert_eq!(text.parse::<JobName>().is_ok(), JobName::is_valid(&text));
    }
}
