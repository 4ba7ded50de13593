//! Puts a scheduler together: from a configuration, from code, or from both.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use chrono::TimeDelta;
use horarium_core::{
    calendar::Calendar,
    job::JobDefinition,
    names::{CalendarName, JobName},
    schedule::Schedule,
};
use horarium_engine::{
    clock::{Clock, SystemClock},
    engine::{Engine, EngineParts},
    job::{Job, JobTypes},
    leader::memory::MemoryElection,
    run_log::{RunLogLayer, RunLogs},
};

use crate::{
    accounts::{Accounts, Hasher},
    config::{Config, Environment, StoreUrl},
    http::{AppState, HttpOptions, Parts},
    job_types,
    metrics::Metrics,
    running::Horarium,
    site::Site,
    start_error::StartError,
    stores,
};

/// How many finished runs the memory store keeps.
const MEMORY_RUNS: usize = 10_000;

/// Collects what a scheduler is made of. Faults are kept and reported together by [`Self::build`].
pub struct HorariumBuilder {
    config: Config,
    data: PathBuf,
    machine: String,
    jobs: Vec<JobDefinition>,
    types: JobTypes,
    auth: bool,
    clock: Arc<dyn Clock>,
    hasher: Hasher,
    logs: Option<Arc<RunLogs>>,
    problems: Vec<String>,
}

impl HorariumBuilder {
    pub(crate) fn new() -> Self {
        Self {
            config: Config::default(),
            data: PathBuf::from("."),
            machine: "embedded".to_owned(),
            jobs: Vec::new(),
            types: JobTypes::new(),
            auth: true,
            clock: SystemClock::new(),
            hasher: Hasher::default(),
            logs: None,
            problems: Vec::new(),
        }
    }

    /// Takes over a configuration that was read.
    #[must_use]
    pub fn config(mut self, config: Config, environment: &Environment) -> Self {
        self.config = config;
        self.machine = environment.machine();
        self
    }

    /// The folder for the store; made when it is missing. The current folder without this.
    #[must_use]
    pub fn data(mut self, folder: impl AsRef<Path>) -> Self {
        self.data = folder.as_ref().to_owned();
        self
    }

    /// The store, as in the configuration: `sqlite:horarium.db` or `memory:`.
    #[must_use]
    pub fn store(mut self, url: &str) -> Self {
        match url.parse::<StoreUrl>() {
            Ok(url) => self.config.store.url = url,
            Err(error) => self.problems.push(format!("store: {error}")),
        }
        self
    }

    /// The address for [`Horarium::run`].
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.config.server.listen = address;
        self
    }

    /// Nobody has to sign in: for an address that only this machine reaches.
    #[must_use]
    pub fn without_sign_in(mut self) -> Self {
        self.auth = false;
        self
    }

    /// A job with one trigger; `manual` makes none. Its type is registered under its name.
    #[must_use]
    pub fn job(self, name: &str, schedule: &str, job: Arc<dyn Job>) -> Self {
        match (name.parse::<JobName>(), schedule.parse::<Schedule>()) {
            (Ok(job_name), Ok(schedule)) => {
                self.define(JobDefinition::new(job_name, name).on(schedule), job)
            }
            (name_read, schedule_read) => {
                let mut this = self;
                let faults = [
                    name_read.err().map(|e| e.to_string()),
                    schedule_read.err().map(|e| e.to_string()),
                ];
                let faults = faults.into_iter().flatten();
                this.problems
                    .extend(faults.map(|fault| format!("job '{name}': {fault}")));
                this
            }
        }
    }

    /// A job with all its rules; its type is registered under the definition's type.
    #[must_use]
    pub fn define(mut self, definition: JobDefinition, job: Arc<dyn Job>) -> Self {
        if let Err(error) = self.types.register(definition.job_type.clone(), job) {
            self.problems.push(error.message());
        }
        self.jobs.push(definition);
        self
    }

    /// An exclusion calendar for schedules to name.
    #[must_use]
    pub fn calendar(mut self, name: &str, calendar: Calendar) -> Self {
        match name.parse::<CalendarName>() {
            Ok(name) => {
                self.config.calendars.0.insert(name, calendar);
            }
            Err(error) => self.problems.push(error.to_string()),
        }
        self
    }

    /// Another clock, for tests.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Other costs of password hashes, for tests.
    #[must_use]
    pub fn hasher(mut self, hasher: Hasher) -> Self {
        self.hasher = hasher;
        self
    }

    /// A layer for the program's `tracing` subscriber: it copies what jobs log into the logs of their runs.
    pub fn log_layer(&mut self) -> RunLogLayer {
        RunLogLayer(self.logs())
    }

    fn logs(&mut self) -> Arc<RunLogs> {
        let lines = self.config.scheduling.log_lines_per_run;
        let clock = &self.clock;
        let logs = self
            .logs
            .get_or_insert_with(|| RunLogs::new(Arc::clone(clock), lines));
        Arc::clone(logs)
    }

    /// Checks everything, then opens the store. Nothing runs before [`Horarium::start`] or [`Horarium::run`].
    ///
    /// # Errors
    /// All faults of what was registered, or what the store says.
    pub async fn build(mut self) -> Result<Horarium, StartError> {
        self.check()?;
        let logs = self.logs();
        let mut types = std::mem::take(&mut self.types);
        let mut code_jobs = std::mem::take(&mut self.config.jobs);
        code_jobs.append(&mut self.jobs);
        job_types::register(
            &mut types,
            &self.config.commands,
            std::mem::take(&mut self.config.http_allow),
            &code_jobs,
        )?;
        let store = stores::open(&self.config.store, &self.data, MEMORY_RUNS).await?;
        let metrics = Metrics::default();
        let poll = self.config.scheduling.poll_interval();
        let engine = Engine::new(EngineParts {
            store: store.jobs,
            accounts: Arc::clone(&store.accounts),
            election: Arc::new(MemoryElection::new(Arc::clone(&self.clock))),
            clock: Arc::clone(&self.clock),
            types,
            code_jobs,
            calendars: self.config.calendars,
            config: self.config.scheduling,
            layers: Vec::new(),
            observer: Arc::new(metrics.clone()),
            logs,
            machine: self.machine,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })?;
        let server = self.config.server;
        let state = AppState::new(Parts {
            scheduler: engine.scheduler(),
            accounts: Accounts::new(store.accounts, Arc::clone(&self.clock), self.hasher),
            site: Site::open(&server.site),
            metrics,
            options: HttpOptions {
                auth: self.auth,
                metrics: server.metrics,
                reload: server.reload,
                poll: TimeDelta::from_std(poll).unwrap_or(TimeDelta::MAX),
            },
            draining: AtomicBool::new(false),
            has_users: AtomicBool::new(false),
        });
        Ok(Horarium::new(
            engine,
            state,
            server.listen,
            server.shutdown_grace,
        ))
    }

    fn check(&mut self) -> Result<(), StartError> {
        if !self.config.server.listen.ip().is_loopback() {
            return Err(StartError::Unsafe(refusal(
                self.config.server.listen,
                self.auth,
            )));
        }
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(StartError::Registration(std::mem::take(&mut self.problems)))
        }
    }
}

fn refusal(listen: SocketAddr, auth: bool) -> String {
    let why = if auth {
        "passwords and sessions would cross the network readable for everybody on it"
    } else {
        "without sign-in everybody who reaches it may do everything"
    };
    format!(
        "refused to listen on {listen}: {why}. Listen on 127.0.0.1, and let a reverse proxy on this machine speak TLS to the network"
    )
}
