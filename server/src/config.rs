//! The configuration: a TOML file with environment variables over it. Nothing else in the product reads the environment.
//!
//! Reading finds every fault at once. An unknown key is a fault, so that a slip of the pen is not a silent default.
//! Every key can also be given as `HORARIUM_SECTION__KEY`; an entry of a list has its number as a step, from 0.

use std::{
    collections::BTreeMap,
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use horarium_core::{calendar::Calendars, job::JobDefinition};
use horarium_engine::config::SchedulingConfig;

mod calendars;
mod commands;
mod jobs;
mod problem;
mod scheduling;
mod section;
mod store_url;
mod tree;

pub use commands::{Argument, CommandConfig, Part};
pub use problem::{ConfigError, Mark, Place, Problem};
pub use store_url::{StoreUrl, Synchronous};

use crate::{address::AllowRule, site::SitePlace};
use section::{Problems, Section};

/// The name of the configuration inside the data folder.
pub const FILE_NAME: &str = "horarium.toml";

/// Everything that can be configured.
#[derive(Debug, Clone)]
pub struct Config {
    /// `[server]`.
    pub server: ServerConfig,
    /// `[store]`.
    pub store: StoreConfig,
    /// `[scheduling]`.
    pub scheduling: SchedulingConfig,
    /// `[calendars.NAME]`.
    pub calendars: Calendars,
    /// `[commands.NAME]`.
    pub commands: BTreeMap<String, CommandConfig>,
    /// `[http]` `allow`: where HTTP jobs made at run time may go.
    pub http_allow: Vec<AllowRule>,
    /// `[[jobs]]`.
    pub jobs: Vec<JobDefinition>,
}

/// `[server]`.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Where the console's files are; for development, so the examples do not name it.
    pub site: SitePlace,
    /// Who may read `/metrics`.
    pub metrics: MetricsAccess,
    /// How long running jobs may go on after the signal to stop.
    pub shutdown_grace: Duration,
    /// Whether pages reload themselves after a build: set by the watching build tool.
    pub reload: bool,
}

/// Who may read `/metrics`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsAccess {
    /// Requests from this machine that no proxy passed on.
    Loopback,
    /// Nobody.
    Off,
}

/// `[store]`.
#[derive(Debug, Clone)]
pub struct StoreConfig {
    /// Which store.
    pub url: StoreUrl,
    /// When SQLite waits for the disk.
    pub synchronous: Synchronous,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            server: ServerConfig {
                listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8787)),
                site: SitePlace::default(),
                metrics: MetricsAccess::Loopback,
                shutdown_grace: Duration::from_secs(30),
                reload: false,
            },
            store: StoreConfig {
                url: StoreUrl::default(),
                synchronous: Synchronous::Full,
            },
            scheduling: SchedulingConfig::default(),
            calendars: Calendars::default(),
            commands: BTreeMap::new(),
            http_allow: Vec::new(),
            jobs: Vec::new(),
        }
    }
}

/// The variables of the environment that concern Horarium.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `HORARIUM_SECTION__KEY`.
    keys: BTreeMap<String, String>,
    /// `HORARIUM_LOG`: which log lines to write.
    pub log: Option<String>,
    /// The platform's folder for data.
    data_home: Option<PathBuf>,
    /// What the machine or the container calls itself.
    machine: Option<String>,
    reload: bool,
}

impl Environment {
    /// Reads the process's environment.
    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub fn of_process() -> Self {
        Self::from_variables(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))
    }

    /// The same from given variables, for tests and for host programs that want no environment at all.
    pub fn from_variables(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let all: BTreeMap<String, String> = variables.into_iter().collect();
        let folder = |name: &str| {
            let path = PathBuf::from(all.get(name)?);
            path.is_absolute().then_some(path)
        };
        let data_home = folder("XDG_DATA_HOME")
            .or_else(|| folder("HOME").map(|home| home.join(".local").join("share")));
        Self {
            log: all.get("HORARIUM_LOG").cloned(),
            machine: ["HORARIUM_POD_NAME", "XIHAN_POD_NAME", "HOSTNAME"]
                .iter()
                .find_map(|name| all.get(*name).cloned()),
            data_home,
            reload: all.contains_key("LEPTOS_WATCH"),
            // a cluster puts variables like HORARIUM_SERVICE_HOST into every container: only `__` marks a key
            keys: all
                .into_iter()
                .filter(|(name, _)| name.starts_with(tree::PREFIX) && name.contains("__"))
                .collect(),
        }
    }

    /// The name for this node's id.
    pub fn machine(&self) -> String {
        let of_system = || fs::read_to_string("/proc/sys/kernel/hostname").ok();
        self.machine
            .clone()
            .or_else(of_system)
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "localhost".to_owned())
    }

    /// Where data goes when nobody says otherwise.
    pub fn data_folder(&self) -> PathBuf {
        self.data_home
            .clone()
            .unwrap_or_else(|| PathBuf::from("."))
            .join("horarium")
    }
}

impl Config {
    /// Reads a file, if there is one, and the environment over it.
    pub fn load(file: Option<&Path>, environment: &Environment) -> Result<Self, ConfigError> {
        let text = match file {
            Some(path) => Some(fs::read_to_string(path).map_err(|error| {
                ConfigError::file(path, format!("the file cannot be read: {error}"))
            })?),
            None => None,
        };
        let source = file.zip(text.as_deref());
        Self::read(source, environment)
    }

    /// Reads the text of a file and the environment over it.
    pub fn read(
        file: Option<(&Path, &str)>,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let root = tree::build(file, &environment.keys)?;
        let problems = Problems::default();
        let config = read_root(Section::new(&problems, "", root), environment);
        let problems = problems.into_sorted();
        if problems.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError {
                file: file.map(|(path, _)| path.to_owned()),
                problems,
            })
        }
    }
}

fn read_root(mut root: Section<'_>, environment: &Environment) -> Config {
    let mut config = Config::default();
    config.server.reload = environment.reload;
    if let Some(section) = root.section("server") {
        read_server(section, &mut config.server);
    }
    if let Some(section) = root.section("store") {
        read_store(section, &mut config.store);
    }
    if let Some(section) = root.section("scheduling") {
        config.scheduling = scheduling::read(section);
    }
    if let Some(section) = root.section("calendars") {
        config.calendars = calendars::read(section);
    }
    if let Some(section) = root.section("commands") {
        config.commands = commands::read(section);
    }
    if let Some(section) = root.section("http") {
        config.http_allow = read_http(section);
    }
    config.jobs = jobs::read(&mut root, &config.calendars, &config.commands);
    root.finish();
    config
}

fn read_server(mut section: Section<'_>, server: &mut ServerConfig) {
    let hint = "write an address and a port, for instance \"127.0.0.1:8787\"";
    if let Some(listen) = section.parsed("listen", hint) {
        server.listen = listen;
    }
    if let Some(root) = section.text("site_root") {
        server.site = SitePlace::Folder(root.into());
    }
    if let Some(metrics) = section.text("metrics") {
        match metrics.as_str() {
            "loopback" => server.metrics = MetricsAccess::Loopback,
            "off" => server.metrics = MetricsAccess::Off,
            _ => section.problem("metrics", "write \"loopback\" or \"off\""),
        }
    }
    if let Some(seconds) = section.integer::<u32>("shutdown_grace_seconds") {
        server.shutdown_grace = Duration::from_secs(seconds.into());
    }
    section.finish();
}

fn read_store(mut section: Section<'_>, store: &mut StoreConfig) {
    if let Some(text) = section.text("url") {
        match text.parse() {
            Ok(url) => store.url = url,
            // the text is not repeated: it may hold a password
            Err(error) => section.problem("url", format!("{error}")),
        }
    }
    if let Some(synchronous) = section.text("synchronous") {
        match synchronous.as_str() {
            "full" => store.synchronous = Synchronous::Full,
            "normal" => store.synchronous = Synchronous::Normal,
            _ => section.problem("synchronous", "write \"full\" or \"normal\""),
        }
    }
    section.finish();
}

fn read_http(mut section: Section<'_>) -> Vec<AllowRule> {
    let mut rules = Vec::new();
    for text in section.texts("allow").unwrap_or_default() {
        match text.parse() {
            Ok(rule) => rules.push(rule),
            Err(error) => section.problem("allow", format!("'{text}': {error}")),
        }
    }
    section.finish();
    rules
}
