//! The engine under a clock that the tests own.

/// Which store a test runs on.
#[derive(Debug, Clone, Copy)]
enum StoreKind {
    Memory,
    Sqlite,
}

/// Makes each async test function run on every store.
macro_rules! on_each_store {
    ($($(#[$attribute:meta])* async fn $name:ident($kind:ident: StoreKind) $body:block)+) => {
        $(
            $(#[$attribute])*
            mod $name {
                #[allow(unused_imports)]
                use super::*;

                async fn check($kind: StoreKind) $body

                #[tokio::test]
                async fn memory() {
                    check(StoreKind::Memory).await;
                }

                #[tokio::test]
                async fn sqlite() {
                    check(StoreKind::Sqlite).await;
                }
            }
        )+
    };
}

mod concurrency;
mod cycle;
mod fires;
mod misfires;
mod overrides;
mod recovery;
mod retries;
mod world;
