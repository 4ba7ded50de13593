//! Spans of time in words. Instants are formatted on the server, where the zones are.

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// How long something took: `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
pub fn duration(ms: i64) -> String {
    let ms = ms.max(0);
    let two = |big: i64, big_unit: &str, small: i64, small_unit: &str| match small {
        0 => format!("{big} {big_unit}"),
        _ => format!("{big} {big_unit} {small} {small_unit}"),
    };
    match ms {
        0..SECOND => format!("{ms} ms"),
        SECOND..MINUTE if ms % SECOND == 0 => format!("{} s", ms / SECOND),
        SECOND..MINUTE => format!("{}.{} s", ms / SECOND, ms % SECOND / 100),
        MINUTE..HOUR => two(ms / MINUTE, "min", ms % MINUTE / SECOND, "s"),
        HOUR..DAY => two(ms / HOUR, "h", ms % HOUR / MINUTE, "min"),
        _ => two(ms / DAY, "d", ms % DAY / HOUR, "h"),
    }
}

/// How far an instant is from now: `in 3 min`, `20 s ago`, `now`. One unit: it ticks beside the absolute time.
pub fn relative(at_ms: i64, now_ms: i64) -> String {
    let away = at_ms - now_ms;
    let span = away.abs();
    let text = match span {
        0..SECOND => return "now".to_owned(),
        SECOND..MINUTE => format!("{} s", span / SECOND),
        MINUTE..HOUR => format!("{} min", span / MINUTE),
        HOUR..DAY => match span % HOUR / MINUTE {
            0 => format!("{} h", span / HOUR),
            minutes if span < 10 * HOUR => format!("{} h {minutes} min", span / HOUR),
            _ => format!("{} h", span / HOUR),
        },
        _ if span < 60 * DAY => format!("{} d", span / DAY),
        _ if span < 730 * DAY => format!("{} months", span / (30 * DAY)),
        _ => format!("{} years", span / (365 * DAY)),
    };
    if away > 0 {
        format!("in {text}")
    } else {
        format!("{text} ago")
    }
}

/// How late a run began, in words that tell punctual from late.
pub fn lateness(ms: i64) -> String {
    match ms {
        ..50 => "on time".to_owned(),
        _ => format!("+{}", duration(ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_well() {
        let rows = [
            (0, "0 ms"),
            (999, "999 ms"),
            (1000, "1 s"),
            (4250, "4.2 s"),
            (60_000, "1 min"),
            (200_000, "3 min 20 s"),
            (7_500_000, "2 h 5 min"),
            (273_600_000, "3 d 4 h"),
        ];
        for (ms, text) in rows {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn distances_say_their_direction() {
        assert_eq!(relative(10_000, 10_400), "now");
        assert_eq!(relative(70_000, 10_000), "in 1 min");
        assert_eq!(relative(10_000, 55_000), "45 s ago");
        assert_eq!(relative(0, 9_000_000), "2 h 30 min ago");
        assert_eq!(relative(86_400_000 * 3, 0), "in 3 d");
    }
}
