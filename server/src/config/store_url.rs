//! `store.url`: which store keeps the rows.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// Which store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A file; a relative path starts at the data folder.
    Sqlite(PathBuf),
    /// Nothing is kept beyond the process.
    Memory,
}

/// When SQLite waits for the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronous {
    /// At every commit: what was answered survives a power cut.
    Full,
    /// At checkpoints: faster, and a power cut may cost the last commits.
    Normal,
}

impl Default for StoreUrl {
    fn default() -> Self {
        Self::Sqlite(PathBuf::from("horarium.db"))
    }
}

/// A text that names no store of this release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreUrlError {
    /// A database that a later release will know.
    #[error("PostgreSQL stores are not in this release; use \"sqlite:horarium.db\" or \"memory:\"")]
    Postgres,
    /// Something else.
    #[error("unknown kind of store; use \"sqlite:horarium.db\" or \"memory:\"")]
    Unknown,
    /// `sqlite:` without a file.
    #[error("the file's name is missing; write for instance \"sqlite:horarium.db\"")]
    NoFile,
}

impl FromStr for StoreUrl {
    type Err = StoreUrlError;

    fn from_str(text: &str) -> Result<Self, StoreUrlError> {
        let (scheme, rest) = text.split_once(':').ok_or(StoreUrlError::Unknown)?;
        match scheme {
            "memory" => Ok(Self::Memory),
            "sqlite" => {
                let file = rest.strip_prefix("//").unwrap_or(rest);
                if file.is_empty() {
                    return Err(StoreUrlError::NoFile);
                }
                Ok(Self::Sqlite(PathBuf::from(file)))
            }
            "postgres" | "postgresql" => Err(StoreUrlError::Postgres),
            _ => Err(StoreUrlError::Unknown),
        }
    }
}

impl StoreUrl {
    /// The same with its file inside the data folder, unless the path is absolute.
    #[must_use]
    pub fn inside(&self, data: &Path) -> Self {
        match self {
            Self::Sqlite(file) => Self::Sqlite(data.join(file)),
            Self::Memory => Self::Memory,
        }
    }
}
