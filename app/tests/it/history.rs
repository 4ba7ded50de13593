//! The bar of the last runs.

use horarium_app::{
    components::history_svg,
    views::{Moment, RunBrief},
};
use horarium_core::state::RunStatus;

fn run(status: RunStatus, duration_ms: Option<i64>) -> RunBrief {
    let scheduled = Moment {
        date: "2026-12-01".to_owned(),
        time: "06:00:00".to_owned(),
        label: "<CET>".to_owned(),
        ..Moment::default()
    };
    RunBrief {
        id: "1".to_owned(),
        status,
        scheduled,
        duration_ms,
    }
}

fn heights(svg: &str) -> Vec<f64> {
    svg.split("class=\"bar\"")
        .skip(1)
        .filter_map(|part| {
            part.split("height=\"")
                .nth(1)?
                .split('"')
                .next()?
                .parse()
                .ok()
        })
        .collect()
}

#[test]
fn longer_runs_are_higher_and_short_ones_still_seen() {
    let svg = history_svg(&[
        run(RunStatus::Succeeded, Some(1)),
        run(RunStatus::Succeeded, Some(1_000)),
        run(RunStatus::Failed, Some(100_000)),
    ]);
    let heights = heights(&svg);
    assert!(
        heights[0] >= 8.0 && heights[0] < heights[1] && heights[1] < heights[2],
        "{heights:?}"
    );
    assert_eq!(svg.matches("class=\"slot\"").count(), 27);
}

#[test]
fn the_result_is_a_mark_and_a_title_too() {
    let svg = history_svg(&[
        run(RunStatus::Succeeded, Some(9)),
        run(RunStatus::Failed, Some(1_500)),
    ]);
    assert!(
        svg.contains("<title>Failed, 2026-12-01 06:00:00 &lt;CET&gt;, 1.5 s</title>"),
        "{svg}"
    );
    let marks: Vec<_> = svg.split("class=\"inside\" d=\"").skip(1).collect();
    assert!(
        marks[0].starts_with('"') && marks[1].starts_with('M'),
        "{svg}"
    );
}

#[test]
fn only_the_last_thirty_fit() {
    let runs: Vec<_> = (0..40).map(|_| run(RunStatus::Succeeded, None)).collect();
    assert_eq!(history_svg(&runs).matches("<g ").count(), 30);
}
