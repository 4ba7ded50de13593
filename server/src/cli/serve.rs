//! `horarium serve`: the scheduler and its console, until a signal.

use std::{io::IsTerminal as _, process::ExitCode};

use horarium_engine::run_log::RunLogLayer;
use tracing_subscriber::{
    EnvFilter, Layer as _, filter::LevelFilter, layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use super::{Failure, ServeArgs, load, runtime};
use crate::{config::Environment, running::Horarium};

/// What is logged unless `HORARIUM_LOG` says otherwise.
const FILTER: &str = "info,sqlx=warn,hyper=warn,reqwest=warn";

/// Reads the configuration, and only when all of it is good, starts.
pub fn run(args: ServeArgs, environment: &Environment) -> Result<ExitCode, Failure> {
    let data = args.data.unwrap_or_else(|| environment.data_folder());
    let mut config = load(args.config.as_deref(), &data, environment)?;
    if let Some(listen) = args.listen {
        config.server.listen = listen;
    }
    let mut builder = Horarium::builder().config(config, environment).data(&data);
    if args.no_auth {
        builder = builder.without_sign_in();
    }
    install_log(environment, builder.log_layer())?;
    runtime()?.block_on(async {
        builder.build().await?.run().await?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Lines for people on standard error, and what jobs log into their runs.
fn install_log(environment: &Environment, runs: RunLogLayer) -> Result<(), Failure> {
    let filter = environment.log.as_deref().unwrap_or(FILTER);
    let filter: EnvFilter = filter.parse().map_err(|error| {
        Failure::asked(format!(
            "HORARIUM_LOG: {error}; write for instance info,horarium_engine=debug"
        ))
    })?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_filter(filter);
    tracing_subscriber::registry()
        .with(lines)
        .with(runs.with_filter(LevelFilter::INFO))
        .try_init()
        .map_err(|error| Failure::asked(error.to_string()))
}
