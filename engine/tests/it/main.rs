//! What the engine and its stores promise, tested from outside, on every store.

mod engine;
mod store;
