//! Leadership: which node does what must be done by one.
//!
//! **Terms.** A *lease* on a *resource* is held by one *holder* for a *time to live*. Each time the holder changes, the
//! *term* grows by one; it is a fencing number, and statements of housekeeping carry it.
//!
//! **Who judges time.** The election's storage decides whether another's lease has run out. Whether "my" lease is
//! still mine is judged here, by the monotonic clock: trust starts at the *beginning* of the attempt that was granted,
//! and ends one second before the lease does (R7). A node that was stopped for a while finds its trust gone before
//! anybody else can have the lease.
//!
//! **What a lease permits.** Housekeeping: recovering lost nodes and deleting old history; and, on a store that nodes do
//! not share, running the cluster's jobs at all (S176). Nothing that must happen once relies on leadership alone.
//!
//! **When the storage is away** the held lease stays as it is and runs out by itself (S199, A7).

use std::time::Duration;

use async_trait::async_trait;
use horarium_core::{error::Result, names::ResourceName};

pub mod memory;

/// Trust in a lease ends so long before the lease.
pub const MARGIN: Duration = Duration::from_secs(1);

/// A granted lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// What it is about.
    pub resource: ResourceName,
    /// Who holds it: unique for each acquisition.
    pub holder: String,
    /// Grows whenever the holder changes.
    pub term: i64,
    /// The monotonic instant at which it runs out.
    pub expires_at: Duration,
}

impl Lease {
    /// Whether the holder may still act on it, judged by its own monotonic clock (S192, A7).
    pub fn is_held(&self, monotonic: Duration) -> bool {
        monotonic + MARGIN.min(self.expires_at) < self.expires_at
    }
}

/// Grants leases (S191–S196).
#[async_trait]
pub trait LeaderElection: Send + Sync + 'static {
    /// Grants the lease when it is free or has run out.
    ///
    /// # Errors
    /// `SCHEDULING_CONFLICT_002` when another holds it, also for its holder itself (S195);
    /// `SCHEDULING_UNAVAILABLE_002` when the storage is away.
    async fn try_acquire(&self, resource: &ResourceName, ttl: Duration) -> Result<Lease>;

    /// Extends a lease by one life.
    ///
    /// # Errors
    /// `SCHEDULING_CONFLICT_002` when it ran out or was taken over (S193).
    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Lease>;

    /// Gives a lease up at once; one that is not held any more stays untouched (S194).
    async fn release(&self, lease: &Lease) -> Result<()>;
}
