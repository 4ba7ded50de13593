//! The other dialects, and texts carried between them (S296–S304).

use horarium_core::cron::{CronExpression, Dialect, convert, detect, readings};

fn read(text: &str, dialect: Dialect) -> CronExpression {
    CronExpression::parse(text, dialect)
        .unwrap_or_else(|error| panic!("{text} in {dialect}: {error}"))
}

fn refused(text: &str, dialect: Dialect) {
    assert!(
        CronExpression::parse(text, dialect).is_err(),
        "{text} must be refused by {dialect}"
    );
}

#[test]
fn s296_unix_has_five_fields_macros_and_no_special_signs() {
    read("0 3 * * *", Dialect::Unix);
    assert!(read("@daily", Dialect::Unix).same_fires(&read("0 0 * * *", Dialect::Unix)));
    for text in [
        "0 0 3 * * *",
        "0 3 ? * *",
        "0 3 L * *",
        "0 3 * * FRI#2",
        "5/15 * * * *",
        "0 0 * * FRI-SUN",
        "@reboot",
    ] {
        refused(text, Dialect::Unix);
    }
    // A field that begins with a star does not make it "either".
    assert!(read("0 0 */2 * MON", Dialect::Unix) != read("0 0 */2 * MON", Dialect::Horarium));
}

#[test]
fn s297_spring_has_exactly_six_fields_and_wants_both_days() {
    read("0 0 9 * * MON", Dialect::Spring);
    refused("0 9 * * MON", Dialect::Spring);
    refused("0 0 9 * * MON 2026", Dialect::Spring);
    assert_eq!(
        read("0 0 9 * * 0", Dialect::Spring),
        read("0 0 9 * * 7", Dialect::Spring)
    );
    assert!(
        !read("0 0 0 13 * FRI", Dialect::Spring)
            .same_fires(&read("0 0 0 13 * FRI", Dialect::Horarium))
    );
}

#[test]
fn s298_quartz_counts_weekdays_from_sunday_as_1() {
    assert!(
        read("0 0 9 ? * 1", Dialect::Quartz).same_fires(&read("0 0 9 ? * SUN", Dialect::Horarium))
    );
    assert!(
        read("0 0 9 ? * 2-6", Dialect::Quartz)
            .same_fires(&read("0 0 9 ? * MON-FRI", Dialect::Horarium))
    );
    assert!(
        read("0 0 9 ? * L", Dialect::Quartz).same_fires(&read("0 0 9 ? * SAT", Dialect::Horarium))
    );
    assert!(
        read("0 0 22-2 * * ?", Dialect::Quartz)
            .same_fires(&read("0 0 22,23,0,1,2 * * ?", Dialect::Horarium))
    );
    assert!(
        read("0 0 9 ? * FRI-MON", Dialect::Quartz)
            .same_fires(&read("0 0 9 ? * FRI,SAT,SUN,MON", Dialect::Horarium))
    );
    for text in [
        "0 9 * * MON",
        "0 0 9 * * *",
        "0 0 9 ? * ?",
        "0 0 9 1 * MON",
        "0 0 9 ? * 0",
        "0 0 9 ? * 8",
        "0/61 * * * * ?",
    ] {
        refused(text, Dialect::Quartz);
    }
    let error =
        CronExpression::parse("0 0 9 * * *", Dialect::Quartz).expect_err("no question mark");
    assert_eq!(error.suggestion.as_deref(), Some("0 0 9 * * ?"));
}

#[test]
fn s299_equivalents_fire_alike_and_convert() {
    for (spring, quartz) in [
        ("0 * * * * *", "0 * * * * ?"),
        ("0 30 2 * * *", "0 30 2 * * ?"),
        ("0 0 9 * * MON", "0 0 9 ? * MON"),
        ("0 0/15 * * * *", "0 0/15 * * * ?"),
    ] {
        let (spring, quartz) = (read(spring, Dialect::Spring), read(quartz, Dialect::Quartz));
        assert!(spring.same_fires(&quartz), "{spring} {quartz}");
        let carried = convert(&spring, Dialect::Quartz).expect("can be carried");
        assert!(
            read(&carried, Dialect::Quartz).same_fires(&quartz),
            "{carried}"
        );
    }
}

#[test]
fn s300_converted_weekdays_are_names() {
    let convert = |text, from, to| convert(&read(text, from), to);
    assert_eq!(
        convert("0 0 9 ? * 2-6", Dialect::Quartz, Dialect::Horarium).as_deref(),
        Ok("0 9 * * MON-FRI")
    );
    assert_eq!(
        convert("30 2 * * 1", Dialect::Unix, Dialect::Quartz).as_deref(),
        Ok("0 30 2 ? * MON")
    );
    assert_eq!(
        convert("0 0 22-2 * * ?", Dialect::Quartz, Dialect::Unix).as_deref(),
        Ok("0 0-2,22,23 * * *")
    );
    assert_eq!(
        convert("5/15 * * * *", Dialect::Horarium, Dialect::Unix).as_deref(),
        Ok("5-50/15 * * * *")
    );
    assert!(convert("*/10 * * * * *", Dialect::Horarium, Dialect::Unix).is_err());
    assert!(convert("0 0 13 * FRI", Dialect::Horarium, Dialect::Spring).is_err());
    assert!(convert("0 0 0 13 * FRI", Dialect::Spring, Dialect::Horarium).is_err());
    assert!(convert("0 0 L * *", Dialect::Horarium, Dialect::Unix).is_err());
    assert!(convert("0 0 0 1 1 ? 2030", Dialect::Horarium, Dialect::Spring).is_err());
}

#[test]
fn s304_readings_show_who_refuses_and_who_differs() {
    let list = readings("0 0 9 ? * 2-6");
    let by = |dialect: Dialect| {
        list.iter()
            .find(|reading| reading.dialect == dialect)
            .and_then(|reading| reading.result.clone().ok())
    };
    assert!(by(Dialect::Unix).is_none());
    let (ours, quartz) = (
        by(Dialect::Horarium).expect("ours"),
        by(Dialect::Quartz).expect("quartz"),
    );
    assert!(!ours.same_fires(&quartz));
    assert_eq!(ours, by(Dialect::Spring).expect("spring"));
}

#[test]
fn detection_follows_the_shape() {
    for (text, dialect) in [
        ("@daily", Some(Dialect::Unix)),
        ("*/5 * * * *", Some(Dialect::Unix)),
        ("0 0 L * *", Some(Dialect::Horarium)),
        ("0 0 9 ? * MON-FRI", Some(Dialect::Quartz)),
        ("0 0 9 * * MON-FRI", Some(Dialect::Spring)),
        ("0 0 9 * * MON 2030", Some(Dialect::Horarium)),
        ("nonsense", None),
    ] {
        assert_eq!(detect(text).map(|found| found.dialect), dialect, "{text}");
    }
}
