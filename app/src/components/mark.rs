//! The shapes that tell states apart without colour.

use horarium_core::state::{RunStatus, ShownState};
use leptos::prelude::*;

/// A shape of 16 × 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkShape {
    /// Waiting: a clock.
    Clock,
    /// Paused: two bars.
    Bars,
    /// Acquired: an arrow.
    Arrow,
    /// Blocked: an hourglass.
    Hourglass,
    /// Complete: a flag.
    Flag,
    /// Error: an octagon.
    Octagon,
    /// Pending: a dot.
    Dot,
    /// Running: a ring with a moving part.
    Ring,
    /// Succeeded: a tick.
    Tick,
    /// Failed: a cross.
    Cross,
    /// Canceled: a slashed circle.
    Slash,
    /// Lost: a broken ring.
    BrokenRing,
    /// Good to know: an i in a circle.
    Info,
    /// Overridden, never fires and the like: a triangle.
    Triangle,
}

impl From<ShownState> for MarkShape {
    fn from(state: ShownState) -> Self {
        match state {
            ShownState::Waiting => Self::Clock,
            ShownState::Paused => Self::Bars,
            ShownState::Acquired => Self::Arrow,
            ShownState::Blocked => Self::Hourglass,
            ShownState::Complete => Self::Flag,
            ShownState::Error => Self::Octagon,
        }
    }
}

impl From<RunStatus> for MarkShape {
    fn from(status: RunStatus) -> Self {
        match status {
            RunStatus::Pending => Self::Dot,
            RunStatus::Running => Self::Ring,
            RunStatus::Succeeded => Self::Tick,
            RunStatus::Failed => Self::Cross,
            RunStatus::Canceled => Self::Slash,
            RunStatus::Lost => Self::BrokenRing,
        }
    }
}

impl MarkShape {
    /// The lines of the shape.
    fn lines(self) -> &'static str {
        match self {
            Self::Clock => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 4.8V8l2.2 1.6",
            Self::Bars => "M5.5 3v10M10.5 3v10",
            Self::Arrow => "M2.5 8h10M8.5 4l4 4-4 4",
            Self::Hourglass => {
                "M4 2.5h8M4 13.5h8M5 2.5c0 3 3 4 3 5.5s-3 2.5-3 5.5M11 2.5c0 3-3 4-3 5.5s3 2.5 3 5.5"
            }
            Self::Flag => "M4 14V2.5M4 3h8.5L10.5 6l2 3H4",
            Self::Octagon => "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5ZM8 4.8v3.7M8 11v.2",
            Self::Dot => "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z",
            Self::Ring => "M8 2.5A5.5 5.5 0 1 1 2.5 8",
            Self::Tick => "M2.8 8.6 6.3 12l7-8",
            Self::Cross => "m3.5 3.5 9 9M12.5 3.5l-9 9",
            Self::Slash => "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 11.8l7.6-7.6",
            Self::BrokenRing => {
                "M6.6 2.7A5.5 5.5 0 0 0 3 10.3M5.3 12.8a5.5 5.5 0 0 0 7.6-2.3M13.5 7.8a5.5 5.5 0 0 0-3.4-4.9"
            }
            Self::Info => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.4v3.4M8 5v.1",
            Self::Triangle => "M8 2.5 14 13H2ZM8 6.5v3M8 11.4v.1",
        }
    }
}

/// A shape in the colour of the text around it. Decoration: the word beside it says the same.
#[component]
pub fn Mark(
    /// Which shape.
    #[prop(into)]
    shape: MarkShape,
) -> impl IntoView {
    let class = if shape == MarkShape::Ring {
        "mark mark-turning"
    } else {
        "mark"
    };
    view! {
        <svg class=class viewBox="0 0 16 16" aria-hidden="true">
            <path d=shape.lines() />
        </svg>
    }
}
