//! Opens the store that the configuration names.

use std::{fs::DirBuilder, path::Path, sync::Arc};

use horarium_engine::store::{
    AccountStore, JobStore,
    memory::MemoryStore,
    sqlite::{self, SqliteOptions, SqliteStore},
};

use crate::{
    config::{StoreConfig, StoreUrl, Synchronous},
    start_error::StartError,
};

/// The two sides of one store.
pub struct Opened {
    /// Jobs, triggers, runs.
    pub jobs: Arc<dyn JobStore>,
    /// Users, sessions, audit.
    pub accounts: Arc<dyn AccountStore>,
}

/// Opens it; a file's folder is made when it is missing.
pub async fn open(
    config: &StoreConfig,
    data: &Path,
    memory_runs: usize,
) -> Result<Opened, StartError> {
    match config.url.inside(data) {
        StoreUrl::Memory => Ok(both(Arc::new(MemoryStore::new(memory_runs)))),
        StoreUrl::Sqlite(path) => {
            if let Some(folder) = path.parent() {
                make(folder)?;
            }
            let synchronous = match config.synchronous {
                Synchronous::Full => sqlite::Synchronous::Full,
                Synchronous::Normal => sqlite::Synchronous::Normal,
            };
            let store = SqliteStore::open(SqliteOptions { path, synchronous })
                .await
                .map_err(|error| StartError::Store(error.to_string()))?;
            Ok(both(Arc::new(store)))
        }
    }
}

fn both<S: JobStore + AccountStore>(store: Arc<S>) -> Opened {
    Opened {
        jobs: Arc::clone(&store) as Arc<dyn JobStore>,
        accounts: store,
    }
}

/// Readable for the owner only: the store holds job data and password hashes.
fn make(folder: &Path) -> Result<(), StartError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| {
        StartError::Store(format!(
            "the folder {} cannot be made: {error}",
            folder.display()
        ))
    })
}
