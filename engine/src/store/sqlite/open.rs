//! Opening a database file: who may use it, and whether this program can. A refusal changes nothing in the file.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;

use super::{SqliteOptions, SqliteStore, Synchronous};

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

/// `HORA`, as the first migration writes it.
const APPLICATION_ID: i64 = 0x484F_5241;
/// Every SQLite database starts so.
const HEADER: &[u8; 16] = b"SQLite format 3\0";
/// Older ones can lose data in WAL mode when two connections write and checkpoint at once.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];
/// How long a statement waits for a lock of another program, such as a backup.
const BUSY: Duration = Duration::from_secs(5);
/// Readers at once; on one machine more would only wait for each other.
const READERS: u32 = 4;

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open.
    #[error(
        "The database {} is in use by another process, which holds {}. Stop that process, or name another file in [store] url.",
        path.display(), lock.display()
    )]
    InUse {
        /// The database.
        path: PathBuf,
        /// Its lock file.
        lock: PathBuf,
    },
    /// The file or the lock file cannot be read or made.
    #[error(
        "The database {} cannot be opened: {source}. Check that the directory exists and that this user may write to it.",
        path.display()
    )]
    Io {
        /// The database.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error(
        "The file {} is not a SQLite database, and was left as it is. Name another file in [store] url.",
        path.display()
    )]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A database of another program.
    #[error(
        "The SQLite database {} belongs to another program, and was left as it is. Name another file in [store] url.",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A database of a newer version of this program.
    #[error(
        "The database {} was written by a newer version of this program (schema {found}, this one knows {known}), and was left as it is. Start the newer version, or restore a backup.",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema that this program knows.
        known: i64,
    },
    /// The SQLite library has a known fault.
    #[error(
        "This program is linked with SQLite {found}, which can damage a database; it needs 3.51.3 or newer. Build it with its bundled SQLite."
    )]
    OldSqlite {
        /// The library's version.
        found: String,
    },
    /// The schema could not be brought up to date.
    #[error(
        "The schema of the database {} could not be brought up to date: {source}. The database is as it was; restore a backup if the error stays.",
        path.display()
    )]
    Migrate {
        /// The database.
        path: PathBuf,
        /// What went wrong.
        source: Box<sqlx::migrate::MigrateError>,
    },
    /// SQLite could not use the file.
    #[error(
        "The database {} cannot be used: {source}. If it is damaged, restore a backup.",
        path.display()
    )]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: sqlx::Error,
    },
}

impl SqliteStore {
    /// Opens the database, makes it when there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// Every reason not to, as a complete sentence.
    pub async fn open(options: SqliteOptions) -> Result<Self, OpenError> {
        let path = &options.path;
        let lock = lock(path)?;
        check_library(path).await?;
        inspect(path).await?;
        let connect = base(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(options.synchronous.into());
        let mut writer = connect.connect().await.map_err(|e| sqlite(path, e))?;
        MIGRATIONS
            .run_direct(None, &mut writer, false)
            .await
            .map_err(|source| OpenError::Migrate {
                path: path.clone(),
                source: Box::new(source),
            })?;
        Ok(Self {
            writer: Mutex::new(writer),
            readers: readers(path),
            _lock: lock,
        })
    }
}

impl SqliteStore {
    /// Ends all connections' work and moves the log into the file, so that the file alone can be copied. Optional: a
    /// store that is only dropped loses nothing.
    ///
    /// # Errors
    /// When another program reads the log.
    pub async fn close(&self) -> sqlx::Result<()> {
        self.readers.close().await;
        let mut writer = self.writer.lock().await;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut *writer)
            .await?;
        Ok(())
    }

    /// What the writing connection was set to, for the test of it.
    #[doc(hidden)]
    pub async fn pragmas(&self) -> sqlx::Result<String> {
        let mut writer = self.writer.lock().await;
        let (synchronous, foreign_keys, busy_timeout): (i64, i64, i64) = sqlx::query_as(
            "SELECT s.synchronous, f.foreign_keys, b.timeout
            FROM pragma_synchronous AS s, pragma_foreign_keys AS f, pragma_busy_timeout AS b",
        )
        .fetch_one(&mut *writer)
        .await?;
        Ok(format!(
            "synchronous={synchronous} foreign_keys={foreign_keys} busy_timeout={busy_timeout}"
        ))
    }
}

fn readers(path: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        // a connection to a file does not go stale
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(base(path).read_only(true))
}

fn base(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .pragma("mmap_size", "0")
        .disable_statement_logging()
}

impl From<Synchronous> for SqliteSynchronous {
    fn from(synchronous: Synchronous) -> Self {
        match synchronous {
            Synchronous::Full => Self::Full,
            Synchronous::Normal => Self::Normal,
        }
    }
}

/// Takes the lock file beside the database. The system gives it back when this process ends, however it ends.
fn lock(path: &Path) -> Result<File, OpenError> {
    let lock = path_with(path, ".lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock)
        .map_err(|e| io_error(path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse {
            path: path.to_owned(),
            lock,
        }),
        Err(TryLockError::Error(e)) => Err(io_error(path, e)),
    }
}

/// The name of a file beside the database.
fn path_with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Looks at a file that exists without writing to it.
async fn inspect(path: &Path) -> Result<(), OpenError> {
    if !has_content(path)? {
        return Ok(());
    }
    // without a log beside it the file is all there is, and can be read without leaving a trace; with one, commits
    // stand in the log alone
    let has_log = path_with(path, "-wal")
        .metadata()
        .is_ok_and(|m| m.len() > 0);
    let mut reader = base(path)
        .read_only(true)
        .immutable(!has_log)
        .connect()
        .await
        .map_err(|e| sqlite(path, e))?;
    let schema = schema(&mut reader).await.map_err(|e| sqlite(path, e))?;
    reader.close().await.map_err(|e| sqlite(path, e))?;
    let known = MIGRATIONS.iter().map(|m| m.version).max().unwrap_or(0);
    match schema {
        Schema::Foreign => Err(OpenError::Foreign {
            path: path.to_owned(),
        }),
        Schema::Version(found) if found > known => Err(OpenError::Newer {
            path: path.to_owned(),
            found,
            known,
        }),
        Schema::Version(_) => Ok(()),
    }
}

/// Whether there is a database in the file; an empty file is as good as none.
fn has_content(path: &Path) -> Result<bool, OpenError> {
    let mut file = match File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        other => other.map_err(|e| io_error(path, e))?,
    };
    if file.metadata().map_err(|e| io_error(path, e))?.len() == 0 {
        return Ok(false);
    }
    let mut header = [0; HEADER.len()];
    match file.read_exact(&mut header) {
        Ok(()) if header == *HEADER => Ok(true),
        Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => Err(io_error(path, e)),
        _ => Err(OpenError::NotADatabase {
            path: path.to_owned(),
        }),
    }
}

enum Schema {
    Version(i64),
    Foreign,
}

async fn schema(reader: &mut SqliteConnection) -> sqlx::Result<Schema> {
    let application: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *reader)
        .await?;
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut *reader)
            .await?;
    let has_migrations = tables.iter().any(|t| t == "_sqlx_migrations");
    if application != APPLICATION_ID {
        // a start that was cut off before the first migration leaves a database with nothing in it
        let others = tables.len() - usize::from(has_migrations);
        return Ok(if application == 0 && others == 0 {
            Schema::Version(0)
        } else {
            Schema::Foreign
        });
    }
    let version: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut *reader)
        .await?;
    Ok(Schema::Version(version.unwrap_or(0)))
}

async fn check_library(path: &Path) -> Result<(), OpenError> {
    let found = library_version().await.map_err(|e| sqlite(path, e))?;
    if is_new_enough(&found) {
        Ok(())
    } else {
        Err(OpenError::OldSqlite { found })
    }
}

/// Asked of a database in memory, before any file is touched.
async fn library_version() -> sqlx::Result<String> {
    let memory = SqliteConnectOptions::new().in_memory(true);
    let mut connection = memory.connect().await?;
    let version = sqlx::query_scalar("SELECT sqlite_version()")
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(version)
}

fn is_new_enough(version: &str) -> bool {
    let numbers: Vec<u32> = version.split('.').map_while(|n| n.parse().ok()).collect();
    numbers.as_slice() >= OLDEST_SQLITE.as_slice()
}

fn io_error(path: &Path, source: io::Error) -> OpenError {
    OpenError::Io {
        path: path.to_owned(),
        source,
    }
}

fn sqlite(path: &Path, source: sqlx::Error) -> OpenError {
    OpenError::Sqlite {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn an_sqlite_with_the_wal_fault_is_refused() {
        for (version, expected) in [
            ("3.46.0", false),
            ("3.51.2", false),
            ("3.51.3", true),
            ("3.52.0", true),
            ("4.0.0", true),
        ] {
            assert_eq!(is_new_enough(version), expected, "{version}");
        }
    }
}
