//! One suite for every store: a new store is one constructor here.

use std::sync::Arc;

use horarium_engine::store::{
    AccountStore, JobStore,
    memory::MemoryStore,
    sqlite::{SqliteOptions, SqliteStore, Synchronous},
};
use tempfile::TempDir;

mod accounts;
mod begin;
mod claims;
mod definitions;
mod explain;
mod finish;
mod fixture;
mod jobs;
mod ledger;
mod memory;
mod nodes;
mod pauses;
mod runs;
mod sqlite;

/// Everything a store has to be.
pub trait Both: JobStore + AccountStore {}

impl<S: JobStore + AccountStore> Both for S {}

/// The store under test.
pub type Store = Arc<dyn Both>;

/// A fresh store in memory.
pub async fn memory() -> (Store, Option<TempDir>) {
    (Arc::new(MemoryStore::new(100_000)), None)
}

/// A fresh store in a file, and its directory.
pub async fn sqlite() -> (Store, Option<TempDir>) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = open(&dir).await;
    (Arc::new(store), Some(dir))
}

/// The store in the file of this directory.
pub async fn open(dir: &TempDir) -> SqliteStore {
    let options = SqliteOptions {
        path: dir.path().join("horarium.db"),
        // power cuts are no part of these tests
        synchronous: Synchronous::Normal,
    };
    SqliteStore::open(options).await.expect("a store")
}

/// Runs every test on every store.
#[macro_export]
macro_rules! on_every_store {
    ($($name:ident),+ $(,)?) => {
        mod on_memory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let (store, _dir) = $crate::store::memory().await;
                super::$name(store).await;
            })+
        }

        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let (store, _dir) = $crate::store::sqlite().await;
                super::$name(store).await;
            })+
        }
    };
}
