//! The last runs of a job as bars: height is duration, the mark inside is the result.

use std::fmt::Write as _;

use horarium_core::state::RunStatus;
use leptos::prelude::*;

use super::text_area::escape_text;
use crate::{text, views::RunBrief};

/// How many bars there is room for.
const SLOTS: usize = 30;
/// The pitch of a bar.
const PITCH: usize = 6;
/// The height of the longest bar.
const HEIGHT: f64 = 24.0;

/// The last 30 runs, the latest at the right.
#[component]
pub fn HistoryBar(
    /// The runs, oldest first.
    runs: Vec<RunBrief>,
) -> impl IntoView {
    if runs.is_empty() {
        return view! { <span class="nothing">"no runs yet"</span> }.into_any();
    }
    let label = summary(&runs);
    view! {
        <svg
            class="history"
            viewBox=format!("0 0 {} {HEIGHT}", SLOTS * PITCH)
            role="img"
            aria-label=label
            inner_html=history_svg(&runs)
        ></svg>
    }
    .into_any()
}

fn summary(runs: &[RunBrief]) -> String {
    let mut label = format!("Last {}:", text::count(runs.len() as i64, "run", "runs"));
    for status in RunStatus::ALL {
        let n = runs.iter().filter(|r| r.status == *status).count();
        if n > 0 {
            let _ = write!(label, " {n} {},", text::run_status(*status).to_lowercase());
        }
    }
    label.trim_end_matches(',').to_owned()
}

/// The inside of the bar's SVG. Only figures, words of closed sets and escaped titles go in.
pub fn history_svg(runs: &[RunBrief]) -> String {
    let shown = &runs[runs.len().saturating_sub(SLOTS)..];
    let longest = shown
        .iter()
        .filter_map(|r| r.duration_ms)
        .max()
        .unwrap_or(0)
        .max(1);
    let first = SLOTS - shown.len();
    let mut svg = String::with_capacity(shown.len() * 220);
    for slot in 0..first {
        let _ = write!(
            svg,
            r#"<rect class="slot" x="{}" y="{}" width="5" height="2"/>"#,
            slot * PITCH,
            HEIGHT - 2.0
        );
    }
    for (i, run) in shown.iter().enumerate() {
        // the root keeps short runs visible beside long ones
        let part = (run.duration_ms.unwrap_or(0).max(0) as f64 / longest as f64).sqrt();
        let height = (part * (HEIGHT - 8.0) + 8.0).round();
        let (x, y) = ((first + i) * PITCH, HEIGHT - height);
        let took = run
            .duration_ms
            .map_or_else(String::new, |ms| format!(", {}", text::duration(ms)));
        let title = format!(
            "{}, {}{took}",
            text::run_status(run.status),
            run.scheduled.full()
        );
        let _ = write!(
            svg,
            r#"<g data-run="{}"><title>{}</title><rect class="bar" x="{x}" y="{y}" width="5" height="{height}"/><path class="inside" d="{}"/></g>"#,
            run.status.as_str(),
            escape_text(&title),
            inside(run.status, x),
        );
    }
    svg
}

/// The mark at the foot of a bar, 3 × 3 inside its 5.
fn inside(status: RunStatus, x: usize) -> String {
    let (left, foot) = (x + 1, HEIGHT as usize - 2);
    match status {
        RunStatus::Succeeded => String::new(),
        RunStatus::Failed => format!("M{left} {}l3 3m0-3l-3 3", foot - 3),
        RunStatus::Canceled => format!("M{left} {foot}l3-3"),
        RunStatus::Lost => format!("M{x} {}h5m-5-3h5", foot - 1),
        RunStatus::Running => format!("M{left} {}h3", foot - 1),
        RunStatus::Pending => format!("M{} {}v1", left + 1, foot - 1),
    }
}
