//! Hashes passwords with argon2id, away from the async threads and few at a time (T10).

use std::sync::Arc;

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use tokio::sync::Semaphore;

/// Hashes at once: each needs memory and a processor for a while.
const AT_ONCE: usize = 2;

/// Hashes passwords and checks them.
#[derive(Clone)]
pub struct Hasher {
    params: Params,
    permits: Arc<Semaphore>,
}

impl Default for Hasher {
    fn default() -> Self {
        // 19 MiB, two passes, one lane
        Self::with(Params::default())
    }
}

impl Hasher {
    /// A hasher that is cheap and weak: for tests that sign in a hundred times.
    pub fn for_tests() -> Self {
        // the least that the algorithm takes
        Self::with(Params::new(Params::MIN_M_COST, 1, 1, None).expect("the least costs are legal"))
    }

    fn with(params: Params) -> Self {
        Self {
            params,
            permits: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// The hash in PHC form, with a salt of its own.
    pub async fn hash(&self, password: &str) -> String {
        let argon = self.argon();
        let password = password.to_owned();
        self.apart(move || {
            argon
                .hash_password(password.as_bytes())
                // fails only without random bytes or for a password of gigabytes
                .expect("a password can be hashed")
                .to_string()
        })
        .await
    }

    /// Whether the password belongs to the hash. Without a hash it takes as long and is false: an unknown user costs
    /// what a known one does.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> bool {
        let argon = self.argon();
        let known = hash.is_some();
        let hash = hash.map_or_else(|| self.stand_in(), str::to_owned);
        let password = password.to_owned();
        let fits = self
            .apart(move || {
                PasswordHash::new(&hash)
                    .is_ok_and(|hash| argon.verify_password(password.as_bytes(), &hash).is_ok())
            })
            .await;
        fits && known
    }

    /// Somebody's hash whose password nobody knows, with the same costs.
    fn stand_in(&self) -> String {
        let salt = "MDEyMzQ1Njc4OWFiY2RlZg";
        let hash = "A".repeat(43);
        let (m, t, p) = (
            self.params.m_cost(),
            self.params.t_cost(),
            self.params.p_cost(),
        );
        format!("$argon2id$v=19$m={m},t={t},p={p}${salt}${hash}")
    }

    fn argon(&self) -> Argon2<'static> {
        Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params.clone())
    }

    async fn apart<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        // neither is ever closed or aborted
        let _permit = self.permits.acquire().await.expect("an open semaphore");
        tokio::task::spawn_blocking(work)
            .await
            .expect("hashing does not panic")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let hasher = Hasher::for_tests();
        let hash = hasher.hash("correct horse battery").await;
        assert!(hash.starts_with("$argon2id$v=19$"), "{hash}");
        assert!(hasher.verify("correct horse battery", Some(&hash)).await);
        assert!(!hasher.verify("Correct horse battery", Some(&hash)).await);
        assert!(!hasher.verify("correct horse battery", None).await);
        assert!(!hasher.verify("x", Some("not a hash")).await);
    }

    #[test]
    fn the_stand_in_is_a_hash_like_any_other() {
        let hasher = Hasher::default();
        assert!(PasswordHash::new(&hasher.stand_in()).is_ok());
    }
}
