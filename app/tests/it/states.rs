//! A state is a shape, a word and a colour.

use std::collections::BTreeSet;

use horarium_app::components::{OriginBadge, RunBadge, StateBadge};
use horarium_core::state::{JobOrigin, RunStatus, ShownState};
use leptos::prelude::*;

use crate::html;

fn shape(html: &str) -> String {
    let start = html.find(" d=\"").expect("a path") + 4;
    html[start..]
        .split('"')
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn every_trigger_state_has_its_own_shape_and_word() {
    let mut shapes = BTreeSet::new();
    for &state in ShownState::ALL {
        let html = html(|| view! { <StateBadge state /> });
        assert!(html.contains(&format!("data-state=\"{state}\"")), "{html}");
        assert!(
            html.to_lowercase().contains(&format!(">{state}<")),
            "{html}"
        );
        assert!(shapes.insert(shape(&html)), "{state} shares its shape");
    }
}

#[test]
fn every_run_state_has_its_own_shape_and_word() {
    let mut shapes = BTreeSet::new();
    for &status in RunStatus::ALL {
        let html = html(|| view! { <RunBadge status /> });
        assert!(html.contains(&format!("data-run=\"{status}\"")), "{html}");
        assert!(
            html.to_lowercase().contains(&format!(">{status}<")),
            "{html}"
        );
        assert!(shapes.insert(shape(&html)), "{status} shares its shape");
    }
}

#[test]
fn an_override_is_marked_by_more_than_colour() {
    let plain = html(|| view! { <OriginBadge origin=JobOrigin::Code /> });
    let overridden = html(|| view! { <OriginBadge origin=JobOrigin::Overridden /> });
    assert!(!plain.contains("<svg"), "{plain}");
    assert!(
        overridden.contains("<svg") && overridden.contains("overridden"),
        "{overridden}"
    );
}
