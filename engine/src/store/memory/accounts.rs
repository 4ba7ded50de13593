//! Users, sessions, audit and settings, in memory.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::rows::Tables;
use crate::store::{AuditEntry, Session, User};

impl Tables {
    pub(super) fn user_create(&mut self, user: &User) -> bool {
        let is_taken = |u: &User| u.name == user.name || u.id == user.id;
        if self.users.values().any(is_taken) {
            return false;
        }
        self.users.insert(user.id, user.clone());
        true
    }

    pub(super) fn user_create_first(&mut self, user: &User) -> bool {
        self.users.is_empty() && self.user_create(user)
    }

    pub(super) fn user_by_name(&self, name: &str) -> Option<User> {
        self.users.values().find(|u| u.name == name).cloned()
    }

    pub(super) fn user_list(&self) -> Vec<User> {
        let mut users: Vec<_> = self.users.values().cloned().collect();
        users.sort_by(|a, b| a.name.cmp(&b.name));
        users
    }

    pub(super) fn user_update(&mut self, user: &User) {
        if let Some(stored) = self.users.get_mut(&user.id) {
            *stored = User {
                name: stored.name.clone(),
                created_at: stored.created_at,
                ..user.clone()
            };
        }
    }

    pub(super) fn session_create(&mut self, session: &Session) {
        self.sessions
            .insert(session.id_hash.clone(), session.clone());
    }

    pub(super) fn session_get(&self, id_hash: &str) -> Option<(Session, User)> {
        let session = self.sessions.get(id_hash)?;
        let user = self.users.get(&session.user)?;
        Some((session.clone(), user.clone()))
    }

    pub(super) fn session_touch(&mut self, id_hash: &str, seen_at: DateTime<Utc>) {
        if let Some(session) = self.sessions.get_mut(id_hash) {
            session.seen_at = seen_at;
        }
    }

    pub(super) fn session_delete(&mut self, id_hash: &str) {
        self.sessions.remove(id_hash);
    }

    pub(super) fn session_delete_user(&mut self, user: Uuid) {
        self.sessions.retain(|_, session| session.user != user);
    }

    pub(super) fn session_prune(
        &mut self,
        created_before: DateTime<Utc>,
        seen_before: DateTime<Utc>,
    ) -> u64 {
        let known = self.sessions.len();
        self.sessions
            .retain(|_, s| s.created_at >= created_before && s.seen_at >= seen_before);
        u64::try_from(known - self.sessions.len()).unwrap_or(u64::MAX)
    }

    pub(super) fn audit_append(&mut self, entry: &AuditEntry) {
        self.audit.push(entry.clone());
    }

    pub(super) fn audit_list(
        &self,
        object: Option<&str>,
        skip: i64,
        limit: i64,
    ) -> Vec<AuditEntry> {
        let found = self.audit.iter().rev();
        found
            .filter(|entry| object.is_none_or(|o| o == entry.object))
            .skip(usize::try_from(skip).unwrap_or(0))
            .take(usize::try_from(limit).unwrap_or(0))
            .cloned()
            .collect()
    }

    pub(super) fn setting_get(&self, key: &str) -> Option<String> {
        self.settings.get(key).cloned()
    }

    pub(super) fn setting_put(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(value) => self.settings.insert(key.to_owned(), value.to_owned()),
            None => self.settings.remove(key),
        };
    }
}
