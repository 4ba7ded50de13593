//! Who signs in: users, sessions, the first administrator (T9, T10, T17). Rights are checked by the engine's façade.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{error::SchedulingError, state::Role};
use horarium_engine::{
    clock::Clock,
    store::{AccountStore, AuditEntry, Session, User},
};
use uuid::Uuid;

mod password;
mod secret;
mod setup;
mod throttle;

pub use password::Hasher;
pub use secret::Secret;
pub use setup::SETUP_LIFE;

use setup::SetupLink;
use throttle::Throttle;

/// A session ends when it was not used for so long.
pub const IDLE: TimeDelta = TimeDelta::minutes(30);
/// A session ends so long after its sign-in, used or not.
pub const ABSOLUTE: TimeDelta = TimeDelta::hours(12);
/// A session's use is noted at most this often.
const TOUCH: TimeDelta = TimeDelta::minutes(1);
/// The shortest password.
pub const MIN_PASSWORD: usize = 12;
/// The longest password, in bytes: hashing must not be a way to keep the machine busy.
const MAX_PASSWORD: usize = 1024;

/// Users, sessions and the first administrator's link.
pub struct Accounts {
    store: Arc<dyn AccountStore>,
    clock: Arc<dyn Clock>,
    hasher: Hasher,
    throttle: Throttle,
    setup: SetupLink,
}

/// Why somebody was not let in. The codes travel in addresses; the page has the words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AccountError {
    /// Unknown user, wrong password or disabled user: never said which.
    #[error("bad_credentials")]
    BadCredentials,
    /// Too many failed attempts; wait.
    #[error("locked")]
    Locked,
    /// Too short, too long, or the name itself.
    #[error("weak_password")]
    WeakPassword,
    /// The two passwords differ.
    #[error("mismatch")]
    Mismatch,
    /// The link is unknown or too old.
    #[error("setup_expired")]
    SetupExpired,
    /// There is a user already.
    #[error("setup_done")]
    SetupDone,
    /// Not a user's name.
    #[error("bad_name")]
    BadName,
    /// The store failed.
    #[error("unavailable")]
    Store(#[from] SchedulingError),
}

/// Somebody who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The user's name.
    pub name: String,
    /// What they may do.
    pub role: Role,
}

impl Accounts {
    /// Accounts over a store.
    pub fn new(store: Arc<dyn AccountStore>, clock: Arc<dyn Clock>, hasher: Hasher) -> Self {
        Self {
            store,
            throttle: Throttle::new(Arc::clone(&clock)),
            setup: SetupLink::new(Arc::clone(&clock)),
            clock,
            hasher,
        }
    }

    /// Whether nobody can sign in yet.
    pub async fn setup_needed(&self) -> Result<bool, SchedulingError> {
        Ok(self.store.user_list().await?.is_empty())
    }

    /// Makes a new one-time link's token; an earlier one is void.
    pub fn new_setup_token(&self) -> Secret {
        self.setup.renew()
    }

    /// Whether the token still opens the set-up page.
    pub fn is_setup_token(&self, token: &str) -> bool {
        self.setup.is_open(token)
    }

    /// Creates the first administrator and signs them in.
    pub async fn set_up(
        &self,
        token: &str,
        name: &str,
        password: [&str; 2],
        address: &str,
    ) -> Result<Secret, AccountError> {
        if !self.setup_needed().await? {
            return Err(AccountError::SetupDone);
        }
        if !self.setup.is_open(token) {
            return Err(AccountError::SetupExpired);
        }
        let name = valid_name(name)?;
        check_password(&name, password)?;
        let user = User {
            id: Uuid::new_v4(),
            name,
            role: Role::Admin,
            password_hash: self.hasher.hash(password[0]).await,
            disabled: false,
            failures: 0,
            locked_until: None,
            created_at: self.clock.now(),
        };
        if !self.store.user_create_first(&user).await? {
            return Err(AccountError::SetupDone);
        }
        self.setup.close();
        self.audit(&user.name, address, "user.create_first", "ok")
            .await?;
        self.open_session(&user, address).await
    }

    /// Checks name and password and opens a session under a new id.
    pub async fn sign_in(
        &self,
        name: &str,
        password: &str,
        address: &str,
    ) -> Result<Secret, AccountError> {
        let now = self.clock.now();
        let user = match valid_name(name) {
            Ok(name) => self.store.user_by_name(&name).await?,
            Err(_) => None,
        };
        let locked = user.as_ref().is_some_and(|u| u.locked_until > Some(now));
        // asked of every name alike, so that the answer does not tell which names exist
        if locked || !self.throttle.admit(name) {
            self.audit(name, address, "session.create", "locked")
                .await?;
            return Err(AccountError::Locked);
        }
        let hash = user.as_ref().map(|u| u.password_hash.as_str());
        let fits = password.len() <= MAX_PASSWORD && self.hasher.verify(password, hash).await;
        match user.filter(|user| fits && !user.disabled) {
            Some(user) => self.welcome(user, address).await,
            None => {
                self.note_failure(name, address).await?;
                Err(AccountError::BadCredentials)
            }
        }
    }

    async fn welcome(&self, mut user: User, address: &str) -> Result<Secret, AccountError> {
        self.throttle.forget(&user.name);
        if user.failures > 0 || user.locked_until.is_some() {
            user.failures = 0;
            user.locked_until = None;
            self.store.user_update(&user).await?;
        }
        self.audit(&user.name, address, "session.create", "ok")
            .await?;
        self.open_session(&user, address).await
    }

    async fn note_failure(&self, name: &str, address: &str) -> Result<(), AccountError> {
        if let Ok(name) = valid_name(name)
            && let Some(mut user) = self.store.user_by_name(&name).await?
        {
            user.failures = user.failures.saturating_add(1);
            user.locked_until = self.throttle.closed_until(&name);
            self.store.user_update(&user).await?;
        }
        self.audit(name, address, "session.create", "bad_credentials")
            .await
    }

    async fn open_session(&self, user: &User, address: &str) -> Result<Secret, AccountError> {
        let now = self.clock.now();
        self.store.session_prune(now - ABSOLUTE, now - IDLE).await?;
        let id = Secret::random();
        self.store
            .session_create(&Session {
                id_hash: id.hash(),
                user: user.id,
                created_at: now,
                seen_at: now,
                address: address.to_owned(),
            })
            .await?;
        Ok(id)
    }

    /// Who holds the session, if it is still open.
    pub async fn session(&self, id: &str) -> Result<Option<SignedIn>, SchedulingError> {
        let hash = Secret::hash_of(id);
        let Some((session, user)) = self.store.session_get(&hash).await? else {
            return Ok(None);
        };
        let now = self.clock.now();
        if user.disabled || is_over(&session, now) {
            self.store.session_delete(&hash).await?;
            return Ok(None);
        }
        if now - session.seen_at >= TOUCH {
            self.store.session_touch(&hash, now).await?;
        }
        Ok(Some(SignedIn {
            name: user.name,
            role: user.role,
        }))
    }

    /// Ends a session.
    pub async fn sign_out(&self, id: &str) -> Result<(), SchedulingError> {
        self.store.session_delete(&Secret::hash_of(id)).await
    }

    /// Creates a user; false when the name is taken. The caller has checked the right to.
    pub async fn create_user(
        &self,
        name: &str,
        password: &str,
        role: Role,
    ) -> Result<bool, AccountError> {
        let name = valid_name(name)?;
        check_password(&name, [password, password])?;
        let user = User {
            id: Uuid::new_v4(),
            name,
            role,
            password_hash: self.hasher.hash(password).await,
            disabled: false,
            failures: 0,
            locked_until: None,
            created_at: self.clock.now(),
        };
        Ok(self.store.user_create(&user).await?)
    }

    async fn audit(
        &self,
        actor: &str,
        address: &str,
        action: &str,
        outcome: &str,
    ) -> Result<(), AccountError> {
        // what was typed as a name may be a password by mistake, or very long: only names are kept
        let actor = valid_name(actor).unwrap_or_else(|_| "?".to_owned());
        self.store
            .audit_append(&AuditEntry {
                at: self.clock.now(),
                object: format!("user:{actor}"),
                actor,
                address: address.to_owned(),
                action: action.to_owned(),
                detail: "{}".to_owned(),
                outcome: outcome.to_owned(),
            })
            .await?;
        Ok(())
    }
}

fn is_over(session: &Session, now: DateTime<Utc>) -> bool {
    now - session.seen_at >= IDLE || now - session.created_at >= ABSOLUTE
}

/// A user's name: lower case, so that one person is one account.
fn valid_name(name: &str) -> Result<String, AccountError> {
    let name = name.trim().to_lowercase();
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '@' | '+');
    if (1..=64).contains(&name.len()) && name.chars().all(legal) {
        Ok(name)
    } else {
        Err(AccountError::BadName)
    }
}

fn check_password(name: &str, [password, again]: [&str; 2]) -> Result<(), AccountError> {
    let length = password.chars().count();
    if length < MIN_PASSWORD || password.len() > MAX_PASSWORD || password.to_lowercase() == name {
        return Err(AccountError::WeakPassword);
    }
    if password != again {
        return Err(AccountError::Mismatch);
    }
    Ok(())
}
