//! The contract for users, sessions, audit and settings. Rules (who may do what, for how long) stay with the caller.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use horarium_core::{error::Result, state::Role};
use uuid::Uuid;

/// Rows of users, sessions, audit and settings.
#[async_trait]
pub trait AccountStore: Send + Sync + 'static {
    /// Creates a user; false when the name is taken.
    async fn user_create(&self, user: &User) -> Result<bool>;

    /// Creates the first user; false when there is one already. Atomic: two at once give one.
    async fn user_create_first(&self, user: &User) -> Result<bool>;

    /// The user with this name.
    async fn user_by_name(&self, name: &str) -> Result<Option<User>>;

    /// All users, by name.
    async fn user_list(&self) -> Result<Vec<User>>;

    /// Writes role, password hash, disabled flag and failure counters of an existing user.
    async fn user_update(&self, user: &User) -> Result<()>;

    /// Creates a session.
    async fn session_create(&self, session: &Session) -> Result<()>;

    /// The session with this hash and its user.
    async fn session_get(&self, id_hash: &str) -> Result<Option<(Session, User)>>;

    /// Notes that a session was used.
    async fn session_touch(&self, id_hash: &str, seen_at: DateTime<Utc>) -> Result<()>;

    /// Ends a session.
    async fn session_delete(&self, id_hash: &str) -> Result<()>;

    /// Ends every session of a user, for instance when the password changes.
    async fn session_delete_user(&self, user: Uuid) -> Result<()>;

    /// Deletes sessions that were created before, or last used before, the instants. Answers how many.
    async fn session_prune(
        &self,
        created_before: DateTime<Utc>,
        seen_before: DateTime<Utc>,
    ) -> Result<u64>;

    /// Appends to the audit log.
    async fn audit_append(&self, entry: &AuditEntry) -> Result<()>;

    /// The audit log, latest first, of one object (`job:reports.nightly`) or of all.
    async fn audit_list(
        &self,
        object: Option<&str>,
        skip: i64,
        limit: i64,
    ) -> Result<Vec<AuditEntry>>;

    /// The value of a setting.
    async fn setting_get(&self, key: &str) -> Result<Option<String>>;

    /// Writes a setting; with none it is removed.
    async fn setting_put(&self, key: &str, value: Option<&str>) -> Result<()>;
}

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Never changes.
    pub id: Uuid,
    /// What they sign in with.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The argon2id hash in PHC form.
    pub password_hash: String,
    /// Whether they may not sign in any more.
    pub disabled: bool,
    /// Failed attempts since the last success.
    pub failures: u32,
    /// No attempt is looked at before.
    pub locked_until: Option<DateTime<Utc>>,
    /// When they were created.
    pub created_at: DateTime<Utc>,
}

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the opaque id in the cookie, hexadecimal.
    pub id_hash: String,
    /// Whose it is.
    pub user: Uuid,
    /// When they signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last used.
    pub seen_at: DateTime<Utc>,
    /// From where.
    pub address: String,
}

/// Who did what to which object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: DateTime<Utc>,
    /// The user's name.
    pub actor: String,
    /// From where; empty when unknown.
    pub address: String,
    /// For instance `job.pause`.
    pub action: String,
    /// For instance `job:reports.nightly`.
    pub object: String,
    /// Reason, values before and after, as JSON text.
    pub detail: String,
    /// `ok`, or the error code.
    pub outcome: String,
}
