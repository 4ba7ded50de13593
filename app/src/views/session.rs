//! Who looks, and how they want it shown.

use horarium_core::state::Role;
use serde::{Deserialize, Serialize};

/// What the whole page needs to know about its reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The signed-in user's name.
    pub user: Option<String>,
    /// Their role.
    pub role: Option<Role>,
    /// The zone in which times are shown.
    pub zone: String,
    /// Whether they chose that zone; else a page may suggest the browser's.
    pub zone_chosen: bool,
    /// The colours they chose.
    pub theme: Theme,
    /// The product's version.
    pub version: String,
    /// Whether the first administrator is still missing.
    pub setup_needed: bool,
    /// Whether anybody has to sign in at all.
    pub auth: bool,
    /// The server's clock when the page was made.
    pub now_ms: i64,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            user: None,
            role: None,
            zone: "UTC".to_owned(),
            zone_chosen: false,
            theme: Theme::System,
            version: String::new(),
            setup_needed: false,
            auth: true,
            now_ms: 0,
        }
    }
}

impl Session {
    /// Whether the user's role has the right. The engine checks it again; this only hides what would fail.
    pub fn may(&self, right: Right) -> bool {
        self.role.is_some_and(|role| role >= right.role())
    }
}

/// What a server function asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// To look.
    View,
    /// To pause, resume, run, cancel, restore.
    Operate,
    /// To change definitions.
    Define,
}

impl Right {
    /// The least role that has it.
    pub const fn role(self) -> Role {
        match self {
            Self::View => Role::Viewer,
            Self::Operate => Role::Operator,
            Self::Define => Role::Admin,
        }
    }
}

/// The colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Every choice with its name.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::System, "System"),
        (Self::Light, "Light"),
        (Self::Dark, "Dark"),
    ];

    /// The value in the cookie and in `data-theme`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme with that value; the system's for anything else.
    pub fn named(text: &str) -> Self {
        match text {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}
