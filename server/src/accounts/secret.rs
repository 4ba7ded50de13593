//! A random text that is known to one browser only; the store keeps nothing but its hash.

use std::fmt;

use sha2::{Digest, Sha256};

/// 256 random bits as hexadecimal text. Not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn random() -> Self {
        let mut bytes = [0_u8; 32];
        // without randomness there are no sessions: stopping is the only safe answer
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        Self(hex(&bytes))
    }

    /// The text for the cookie or the link.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its SHA-256, for the store.
    pub fn hash(&self) -> String {
        Self::hash_of(&self.0)
    }

    /// The SHA-256 of a text that claims to be a secret.
    pub fn hash_of(text: &str) -> String {
        hex(&Sha256::digest(text.as_bytes()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
