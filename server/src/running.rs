//! A scheduler that was put together: its console as a router, its life from start to stop.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use horarium_core::error::SchedulingError;
use horarium_engine::{engine::Engine, scheduler::Scheduler};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    accounts::Accounts,
    builder::HorariumBuilder,
    http::{self, AppState},
    signals::StopSignals,
    start_error::StartError,
};

/// How long open connections may take to end once everything else has.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A scheduler with its console.
#[derive(Clone)]
pub struct Horarium {
    engine: Arc<Engine>,
    state: AppState,
    listen: SocketAddr,
    grace: Duration,
}

impl Horarium {
    /// Begins to put one together.
    pub fn builder() -> HorariumBuilder {
        HorariumBuilder::new()
    }

    pub(crate) fn new(
        engine: Arc<Engine>,
        state: AppState,
        listen: SocketAddr,
        grace: Duration,
    ) -> Self {
        Self {
            engine,
            state,
            listen,
            grace,
        }
    }

    /// The management API.
    pub fn scheduler(&self) -> Scheduler {
        self.engine.scheduler()
    }

    /// The engine, for tests that turn it by hand.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Users and sessions.
    pub fn accounts(&self) -> &Accounts {
        &self.state.accounts
    }

    /// The console, health and metrics as a router: serve it as it is, or merge it into a host program's. Addresses of
    /// callers are known when it is served with `into_make_service_with_connect_info::<SocketAddr>()`.
    pub fn router(&self) -> Router {
        http::router(self.state.clone())
    }

    /// Starts to run jobs in the background.
    pub fn start(&self) {
        self.engine.start();
    }

    /// Stops in order: not ready any more, no new runs, running ones awaited for the configured grace and then
    /// cancelled.
    pub async fn stop(&self) {
        self.state.drain();
        self.engine.stop(self.grace).await;
    }

    /// The path and query that make the first administrator, when nobody can sign in yet; each call voids the one before.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn setup_path(&self) -> Result<Option<String>, SchedulingError> {
        if !self.state.options.auth || !self.accounts().setup_needed().await? {
            return Ok(None);
        }
        let token = self.accounts().new_setup_token();
        Ok(Some(format!("/setup?token={}", token.reveal())))
    }

    /// Runs jobs and serves the console on the configured address until the process is told to stop.
    ///
    /// # Errors
    /// When the address cannot be had, or the store does not answer.
    pub async fn run(self) -> Result<(), StartError> {
        // before the address is said: whoever reads it may send a signal at once
        let stop = StopSignals::listen();
        let address = self.listen;
        let listen = |error| StartError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let bound = listener.local_addr().map_err(listen)?;
        println!(
            "Horarium {} listens on http://{bound}",
            env!("CARGO_PKG_VERSION")
        );
        if let Some(path) = self.setup_path().await? {
            println!("First administrator, within 15 minutes: http://{bound}{path}");
        }
        self.serve(listener, stop.requested()).await.map_err(listen)
    }

    /// The same on a listener of the caller's, until `stop` is over.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        self.start();
        let ended = CancellationToken::new();
        let service = self
            .router()
            .into_make_service_with_connect_info::<SocketAddr>();
        let server =
            axum::serve(listener, service).with_graceful_shutdown(ended.clone().cancelled_owned());
        let server = tokio::spawn(server.into_future());
        stop.await;
        tracing::info!("stopping: running jobs may go on for a while");
        // the console stays open meanwhile, so that somebody can see what is still running
        self.stop().await;
        ended.cancel();
        match tokio::time::timeout(LAST_ANSWERS, server).await {
            Ok(Ok(served)) => served,
            // a connection that does not end is cut, and a panic was logged where it happened
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }
}
