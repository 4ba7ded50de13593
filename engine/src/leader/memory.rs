//! Election inside one process (S197).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use horarium_core::{
    code::ErrorCode,
    error::{Result, SchedulingError},
    names::ResourceName,
};
use uuid::Uuid;

use super::{LeaderElection, Lease};
use crate::clock::Clock;

/// Leases in a map: excludes only inside the process that shares it.
pub struct MemoryElection {
    clock: Arc<dyn Clock>,
    leases: Mutex<BTreeMap<ResourceName, Slot>>,
}

#[derive(Default)]
struct Slot {
    term: i64,
    lease: Option<Lease>,
}

impl MemoryElection {
    /// An election without holders.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            leases: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ResourceName, Slot>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(resource: &ResourceName) -> SchedulingError {
        SchedulingError::new(ErrorCode::LeaseHeld, resource.as_str())
    }
}

#[async_trait]
impl LeaderElection for MemoryElection {
    async fn try_acquire(&self, resource: &ResourceName, ttl: Duration) -> Result<Lease> {
        let now = self.clock.monotonic();
        let mut leases = self.lock();
        let slot = leases.entry(resource.clone()).or_default();
        if slot
            .lease
            .as_ref()
            .is_some_and(|lease| lease.expires_at > now)
        {
            return Err(Self::held(resource));
        }
        slot.term += 1;
        let holder = Uuid::new_v4().to_string();
        let lease = Lease {
            resource: resource.clone(),
            holder,
            term: slot.term,
            expires_at: now + ttl,
        };
        slot.lease = Some(lease.clone());
        Ok(lease)
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Lease> {
        let now = self.clock.monotonic();
        let mut leases = self.lock();
        let stored = leases
            .get_mut(&lease.resource)
            .and_then(|slot| slot.lease.as_mut());
        match stored {
            Some(stored) if stored.holder == lease.holder && stored.expires_at > now => {
                stored.expires_at = now + ttl;
                Ok(stored.clone())
            }
            _ => Err(Self::held(&lease.resource)),
        }
    }

    async fn release(&self, lease: &Lease) -> Result<()> {
        if let Some(slot) = self.lock().get_mut(&lease.resource)
            && slot
                .lease
                .as_ref()
                .is_some_and(|stored| stored.holder == lease.holder)
        {
            slot.lease = None;
        }
        Ok(())
    }
}
