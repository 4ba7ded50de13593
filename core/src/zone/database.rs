//! Where zone rules come from, how a text finds its zone, and the cache of compiled zones.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::{Table, WINDOWS_ZONES, Zone, ZoneData, ZoneError};

/// Version of the zone data that is compiled in. A test ties it to the locked dependency.
pub const BUNDLED_VERSION: &str = "2026f";

const SYSTEM_FOLDER: &str = "/usr/share/zoneinfo";

struct Database {
    version: String,
    /// Databases in order of preference; a system package may leave out old names.
    sources: Vec<TimeZoneDatabase>,
    names: Vec<String>,
}

static DATABASE: LazyLock<Database> = LazyLock::new(|| {
    let mut sources = vec![TimeZoneDatabase::bundled()];
    let mut version = BUNDLED_VERSION.to_owned();
    // Versions are a year and a letter, so the newer one is the greater text.
    if let Some(system) = system_version().filter(|system| system.as_str() > BUNDLED_VERSION)
        && let Ok(database) = TimeZoneDatabase::from_dir(SYSTEM_FOLDER)
    {
        sources.insert(0, database);
        version = system;
    }
    let names: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| {
            source
                .available()
                .map(|name| name.as_str().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|name| is_zone_name(name))
        .collect();
    Database {
        version,
        sources,
        names: names.into_iter().collect(),
    }
});

/// Folders of a system database also hold other flavours of the same zones and other files.
fn is_zone_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && !matches!(name, "Factory" | "UCT" | "SystemV")
}

fn system_version() -> Option<String> {
    let data = std::fs::read(format!("{SYSTEM_FOLDER}/tzdata.zi")).ok()?;
    let first = data.split(|byte| *byte == b'\n').next()?;
    let version = std::str::from_utf8(first)
        .ok()?
        .strip_prefix("# version ")?
        .trim();
    let plain = version.len() == 5 && version[..4].bytes().all(|b| b.is_ascii_digit());
    plain.then(|| version.to_owned())
}

/// Version of the data in use.
pub(super) fn version() -> &'static str {
    &DATABASE.version
}

/// All zone names, sorted.
pub(super) fn names() -> &'static [String] {
    &DATABASE.names
}

/// The shared zone UTC.
pub(super) fn utc() -> Zone {
    static UTC: OnceLock<Zone> = OnceLock::new();
    UTC.get_or_init(|| {
        Zone(Arc::new(ZoneData {
            id: "UTC".to_owned(),
            fixed: true,
            rules: TimeZone::UTC,
            table: Table::fixed(0),
        }))
    })
    .clone()
}

/// Compiled zones by canonical name. Only real names get in, so it stays small.
static CACHE: LazyLock<RwLock<HashMap<String, Zone>>> = LazyLock::new(RwLock::default);

/// Finds the zone a text names.
pub(super) fn find(text: &str) -> Result<Zone, ZoneError> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("utc") || text.eq_ignore_ascii_case("z") {
        return Ok(utc());
    }
    if let Some(zone) = cached(text) {
        return Ok(zone);
    }
    if let Some(offset) = parse_offset(text) {
        return Zone::fixed(offset).ok_or_else(|| unknown(text));
    }
    let name = canonical(text)
        .or_else(|| windows(text))
        .ok_or_else(|| unknown(text))?;
    if let Some(zone) = cached(&name) {
        return Ok(zone);
    }
    let rules = DATABASE
        .sources
        .iter()
        .find_map(|source| source.get(&name).ok())
        .ok_or_else(|| unknown(text))?;
    let zone = Zone::region(&name, rules);
    let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
    Ok(cache.entry(name).or_insert(zone).clone())
}

fn cached(name: &str) -> Option<Zone> {
    CACHE
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(name)
        .cloned()
}

fn canonical(text: &str) -> Option<String> {
    names()
        .iter()
        .find(|name| name.eq_ignore_ascii_case(text))
        .cloned()
}

fn windows(text: &str) -> Option<String> {
    let (_, name) = WINDOWS_ZONES
        .iter()
        .find(|(id, _)| id.eq_ignore_ascii_case(text))?;
    // The table also knows a few names of plain UTC.
    canonical(name)
}

/// Reads `+08:00`, `-0330` or `+08`.
fn parse_offset(text: &str) -> Option<i32> {
    let sign = match text.bytes().next()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let bytes = text.as_bytes();
    // Either all parts are set apart by colons or none is.
    let colons = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b':')
        .map(|(at, _)| at);
    let places: &[usize] = match bytes.len() {
        6 => &[3],
        9 => &[3, 6],
        3 | 5 => &[],
        _ => return None,
    };
    if !colons.eq(places.iter().copied()) {
        return None;
    }
    let digits: String = text[1..].split(':').collect();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| {
        digits
            .get(at..at + 2)
            .map_or(Some(0), |part| part.parse::<i32>().ok())
    };
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    (minutes < 60 && seconds < 60).then_some(sign * (hours * 3600 + minutes * 60 + seconds))
}

fn unknown(text: &str) -> ZoneError {
    let shown: String = text.chars().take(100).collect();
    let wanted = shown.to_ascii_lowercase().replace(' ', "_");
    let mut near: Vec<(usize, &str)> = names()
        .iter()
        .map(String::as_str)
        .filter_map(|name| Some((nearness(&wanted, &name.to_ascii_lowercase())?, name)))
        .collect();
    let plain = shown.to_ascii_lowercase();
    near.extend(
        WINDOWS_ZONES
            .iter()
            .filter_map(|(id, _)| Some((nearness(&plain, &id.to_ascii_lowercase())?, *id))),
    );
    near.sort_by_key(|(distance, name)| (*distance, name.len()));
    ZoneError {
        text: shown,
        suggestions: near
            .into_iter()
            .take(3)
            .map(|(_, name)| name.to_owned())
            .collect(),
    }
}

/// Edit distance to the whole name or to its city, or `None` when too far to be a typing error.
fn nearness(wanted: &str, name: &str) -> Option<usize> {
    let limit = if wanted.len() < 5 { 1 } else { 2 };
    let city = name.rsplit('/').next().unwrap_or(name);
    let whole = distance(wanted, name);
    let city = distance(wanted, city) + 1;
    Some(whole.min(city)).filter(|best| *best <= limit + usize::from(*best == city))
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > 3 {
        return usize::MAX / 2;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
