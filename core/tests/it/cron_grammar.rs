//! The grammar of the Horarium dialect, by row of the specification.

use horarium_core::cron::{CronErrorKind, CronExpression, CronRule, Dialect, Field};
use proptest::prelude::*;

use crate::support::cron;

fn equal(a: &str, b: &str) {
    assert!(cron(a).same_fires(&cron(b)), "{a} and {b} must fire alike");
}

fn refused(text: &str, kind: CronErrorKind, wrong: &str) -> horarium_core::cron::CronError {
    let error = text.parse::<CronExpression>().expect_err(text);
    assert_eq!(
        (error.kind, &text[error.at.clone()]),
        (kind, wrong),
        "{text}: {error}"
    );
    error
}

fn suggests(text: &str, better: &str) {
    let error = text.parse::<CronExpression>().expect_err(text);
    assert_eq!(error.suggestion.as_deref(), Some(better), "{text}: {error}");
    assert!(
        better.parse::<CronExpression>().is_ok(),
        "{better} is offered and must be right"
    );
}

#[test]
fn s51_to_s54_number_of_fields() {
    equal("0 3 * * *", "0 0 3 * * *");
    equal("0 0 9 * * MON-FRI", "0 9 * * 1-5");
    equal("0 0 0 1 1 ? 1970-2099", "0 0 0 1 1 ?");
    for (text, from) in [
        ("* * * *", "* * * *"),
        ("* * * * * * * *", "*"),
        ("* * * * * * * *ASDS", "*ASDS"),
    ] {
        refused(text, CronErrorKind::FieldCount, from);
    }
}

#[test]
fn s53_years() {
    assert!("0 0 0 1 1 ? 2099".parse::<CronExpression>().is_ok());
    refused("0 0 0 1 1 ? 1969", CronErrorKind::OutOfRange, "1969");
    refused("0 0 0 1 1 ? 2100", CronErrorKind::OutOfRange, "2100");
}

#[test]
fn s56_bounds_of_every_field() {
    for (field, low, high) in [
        (0, 0, 59),
        (1, 0, 59),
        (2, 0, 23),
        (3, 1, 31),
        (4, 1, 12),
        (5, 0, 7),
        (6, 1970, 2099),
    ] {
        let text = |value: i32| {
            let mut parts = ["*"; 7].map(str::to_owned);
            parts[field] = value.to_string();
            parts.join(" ")
        };
        for value in [low, high] {
            assert!(
                text(value).parse::<CronExpression>().is_ok(),
                "{}",
                text(value)
            );
        }
        for value in [low - 1, high + 1] {
            assert!(
                text(value).parse::<CronExpression>().is_err(),
                "{}",
                text(value)
            );
        }
    }
}

#[test]
fn s57_s58_lists_and_ranges() {
    equal("0,30 * * * *", "30,0,30 * * * *");
    equal("0 9-12 * * *", "0 9,10,11,12 * * *");
    refused("0, * * * *", CronErrorKind::EmptyElement, "");
    refused("0,,1 * * * *", CronErrorKind::EmptyElement, "");
    suggests("0,,1 * * * *", "0,1 * * * *");
    refused("0 0 5-3-7 * *", CronErrorKind::Malformed, "3-7");
    refused("0 0 * * MON-", CronErrorKind::Malformed, "");
    refused("-5 * * * *", CronErrorKind::Malformed, "");
}

#[test]
fn s59_steps() {
    equal("0/35 * * * *", "0,35 * * * *");
    equal("5/20 * * * *", "5,25,45 * * * *");
    equal("10-30/10 * * * *", "10,20,30 * * * *");
    equal("*/7 * * * *", "0,7,14,21,28,35,42,49,56 * * * *");
    for text in [
        "*/0 * * * *",
        "*/00 * * * *",
        "*/ * * * *",
        "*/x * * * *",
        "*/1/2 * * * *",
        "*/-1 * * * *",
    ] {
        assert!(text.parse::<CronExpression>().is_err(), "{text}");
    }
    suggests("*/0 * * * *", "*/1 * * * *");
}

#[test]
fn s60_question_mark() {
    equal("0 0 22 L * ?", "0 0 22 L * *");
    equal("0 0 12 ? * ?", "0 0 12 * * *");
    refused("? * * * *", CronErrorKind::Special, "?");
    suggests("? * * * *", "* * * * *");
    refused("0 0 ?/2 * *", CronErrorKind::Special, "?/2");
    refused("0 0 ?,1 * *", CronErrorKind::Special, "?");
}

#[test]
fn s61_s62_names() {
    equal("0 0 1 jan *", "0 0 1 1 *");
    equal("0 0 1 Jan,dEC *", "0 0 1 1,12 *");
    equal("0 0 * * mon-fri", "0 0 * * 1-5");
    refused("0 0 * * JAN", CronErrorKind::Value, "JAN");
    refused("0 0 1 MON *", CronErrorKind::Value, "MON");
}

#[test]
fn s63_sunday_is_0_and_7() {
    equal("0 0 * * 0", "0 0 * * 7");
    equal("0 0 * * 0", "0 0 * * SUN");
    equal("0 9 * * 1", "0 9 * * MON");
    equal("0 0 * * 5-7", "0 0 * * FRI,SAT,SUN");
}

#[test]
fn s64_to_s67_last_and_nearest_days_parse() {
    for text in [
        "0 0 L * *",
        "0 0 l * *",
        "0 0 L-1 * *",
        "0 0 L-30 * *",
        "0 0 15W * *",
        "0 0 15w * *",
        "0 0 LW * *",
        "0 0 lw * *",
    ] {
        assert!(text.parse::<CronExpression>().is_ok(), "{text}");
    }
    refused("0 0 L-0 * *", CronErrorKind::OutOfRange, "L-0");
    refused("0 0 L-31 * *", CronErrorKind::OutOfRange, "L-31");
    refused("0 0 W * *", CronErrorKind::Malformed, "W");
    refused("0 0 32W * *", CronErrorKind::OutOfRange, "32");
    refused("0 0 0W * *", CronErrorKind::OutOfRange, "0");
    assert!("0 0 WL * *".parse::<CronExpression>().is_err());
    assert!("0 0 L-3W * *".parse::<CronExpression>().is_err());
    assert!("0 0 1-5W * *".parse::<CronExpression>().is_err());
}

#[test]
fn s68_s69_weekdays_of_the_month_parse() {
    for text in [
        "0 0 ? * 5L",
        "0 0 ? * FRIL",
        "0 0 ? * fril",
        "0 0 ? * 5#2",
        "0 0 ? * fri#5",
        "0 0 ? * 7L",
        "0 0 ? * 7#1",
    ] {
        assert!(text.parse::<CronExpression>().is_ok(), "{text}");
    }
    equal("0 0 ? * 7L", "0 0 ? * SUNL");
    for (text, wrong) in [
        ("0 0 ? * MON#0", "0"),
        ("0 0 ? * MON#6", "6"),
        ("0 0 ? * MON#", ""),
        ("0 0 ? * MON#22", "22"),
    ] {
        refused(text, CronErrorKind::OutOfRange, wrong);
    }
    assert!("0 0 ? * MON-FRI#2".parse::<CronExpression>().is_err());
    refused("0 0 3#2 * *", CronErrorKind::Special, "3#2");
    refused("0 0 * * 15W", CronErrorKind::Special, "15W");
}

#[test]
fn s71_bare_l_in_weekday_is_refused() {
    let error = refused("0 0 0 ? * L", CronErrorKind::Special, "L");
    assert_eq!(error.field, Some(Field::Weekday));
    assert!(error.to_string().contains("FRIL"));
}

#[test]
fn s72_reversed_ranges_are_refused_with_their_place_and_a_correction() {
    refused("0 22-2 * * *", CronErrorKind::Reversed, "22-2");
    refused("0 0 * * FRI-MON", CronErrorKind::Reversed, "FRI-MON");
    suggests("0 22-2 * * *", "0 22-23,0-2 * * *");
    suggests("0 0 * * FRI-MON", "0 0 * * FRI-SAT,SUN-MON");
    suggests("0 0 * * 5-0", "0 0 * * 5-7");
    suggests("0 0 1 NOV-MAR *", "0 0 1 NOV-DEC,JAN-MAR *");
}

#[test]
fn a64_sunday_as_the_end_of_a_range_is_the_seventh_day() {
    equal("0 0 * * FRI-SUN", "0 0 * * 5,6,0");
    equal("0 0 * * SAT-SUN", "0 0 * * 0,6");
    equal("0 0 * * MON-SUN", "0 0 * * *");
    equal("0 0 * * SUN-TUE", "0 0 * * 0-2");
    equal("0 0 * * SUN-SUN", "0 0 * * SUN");
}

#[test]
fn a65_weekday_steps_run_to_seven_and_large_steps_give_the_first_value() {
    equal("0 0 * * MON/2", "0 0 * * MON,WED,FRI,SUN");
    equal("0 0 * * */2", "0 0 * * SUN,TUE,THU,SAT");
    equal("0/90 * * * *", "0 * * * *");
    equal("10/99999999999999 * * * *", "10 * * * *");
    equal("0 0 * * 1-5/2", "0 0 * * MON,WED,FRI");
}

#[test]
fn a66_macros_full_names_zeros_blanks_and_lists() {
    suggests("@daily", "0 0 * * *");
    suggests("@hourly", "0 * * * *");
    refused("@every 10s", CronErrorKind::Macro, "@every");
    refused("@reboot", CronErrorKind::Macro, "@reboot");
    suggests("0 4 5 1 JANUARY ? *", "0 4 5 1 JAN ? *");
    suggests("0 9 * * MONDAY", "0 9 * * MON");
    equal("00 007 * * *", "0 7 * * *");
    equal(" 0\t 3 *  * * ", "0 3 * * *");
    equal("0 0 1,15,L * *", "0 0 L,15,1 * *");
    assert!(
        "0 0 1W,15W,LW * FRI#1,FRIL"
            .parse::<CronExpression>()
            .is_ok()
    );
    let long = format!("{}0 * * * *", "0,".repeat(130));
    assert_eq!(
        long.parse::<CronExpression>().expect_err("too long").kind,
        CronErrorKind::TooLong
    );
}

#[test]
fn foreign_characters_zones_and_misplaced_years_are_explained() {
    let error = refused("0 0 12 １ * ?", CronErrorKind::Character, "１");
    assert_eq!(error.suggestion.as_deref(), Some("0 0 12 1 * ?"));
    refused(
        "CRON_TZ=Asia/Shanghai 0 3 * * *",
        CronErrorKind::Value,
        "CRON_TZ=Asia/Shanghai",
    );
    suggests("00 00 09 12 03 2019", "00 00 09 12 03 ? 2019");
    suggests("0 24 * * *", "0 0 * * *");
    refused("", CronErrorKind::Empty, "");
    refused("  ", CronErrorKind::Empty, "  ");
}

#[test]
fn s48_text_keeps_the_number_of_fields_and_equality_is_about_meaning() {
    assert_eq!(cron(" 0  3 * * * ").to_string(), "0 3 * * *");
    assert_eq!(cron("0 3 * * *"), cron("0 0 3 ? * *"));
    assert_ne!(cron("0 3 * * *"), cron("0 4 * * *"));
}

#[test]
fn c1_compiled_rules_are_small() {
    assert!(
        size_of::<CronRule>() <= 128,
        "{} bytes",
        size_of::<CronRule>()
    );
}

proptest! {
    #[test]
    fn no_text_panics_in_any_dialect(text in ".{0,40}") {
        for dialect in Dialect::ALL {
            let _ = CronExpression::parse(&text, dialect);
        }
        let _ = horarium_core::cron::detect(&text);
    }

    #[test]
    fn almost_right_texts_do_not_panic_and_errors_point_into_the_text(text in "[0-9*/,#?LWA-F -]{0,24}( [0-9*LW?#,/-]{1,5}){3,6}") {
        for dialect in Dialect::ALL {
            match CronExpression::parse(&text, dialect) {
                Ok(expression) => {
                    let again = CronExpression::parse(expression.as_str(), dialect);
                    prop_assert_eq!(again.as_ref().ok(), Some(&expression));
                    prop_assert_eq!(again.map(|again| again.to_string()).ok(), Some(expression.to_string()));
                }
                Err(error) => {
                    prop_assert!(text.get(error.at.clone()).is_some(), "{:?} in {:?}", error, text);
                    prop_assert!(error.message.ends_with('.'), "{}", error.message);
                }
            }
        }
    }
}
