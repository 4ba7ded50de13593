//! Why Horarium did not start.

use std::{fmt::Write as _, net::SocketAddr};

use horarium_core::error::SchedulingError;

use crate::config::ConfigError;

/// Why Horarium did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is broken; nothing was touched.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What was registered in code is broken; nothing was touched.
    #[error("{}", lines(.0))]
    Registration(Vec<String>),
    /// It would not be safe to serve there.
    #[error("{0}")]
    Unsafe(String),
    /// The store cannot be used.
    #[error("{0}")]
    Store(String),
    /// The address is taken, or not this machine's.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// What the system said.
        error: std::io::Error,
    },
    /// The scheduler refused.
    #[error(transparent)]
    Scheduling(#[from] SchedulingError),
}

impl StartError {
    /// The exit status of the program: 2 when what was asked for is wrong, 1 when it could not be done.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Config(_) | Self::Registration(_) | Self::Unsafe(_) => 2,
            Self::Store(_) | Self::Listen { .. } | Self::Scheduling(_) => 1,
        }
    }
}

fn lines(problems: &[String]) -> String {
    let mut text = String::new();
    for problem in problems {
        // a string takes any text
        let _ = writeln!(text, "{problem}");
    }
    text.trim_end().to_owned()
}
