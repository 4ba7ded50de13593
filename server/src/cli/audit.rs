//! `horarium audit`: the ledger's certificate over the whole store.

use std::{path::Path, process::ExitCode};

use chrono::{DateTime, Utc};
use horarium_core::audit::Certificate;
use serde_json::json;

use super::{
    AuditArgs, Failure, load,
    output::{instant, utc},
    runtime,
};
use crate::{
    config::{Config, Environment, StoreUrl},
    running::Horarium,
};

/// How many holes and doubles are listed by their instants.
const LISTED: usize = 20;

/// Opens the store without running anything, and counts.
pub fn run(args: AuditArgs, environment: &Environment) -> Result<ExitCode, Failure> {
    let range = (bound(args.from.as_deref())?, bound(args.to.as_deref())?);
    let mut config = Config::default();
    let mut data = args
        .data
        .clone()
        .unwrap_or_else(|| environment.data_folder());
    match &args.store {
        Some(url) => {
            let url = url.parse::<StoreUrl>();
            config.store.url = url.map_err(|error| Failure::asked(format!("--store: {error}")))?;
            data = ".".into();
        }
        None => config.store = load(None, &data, environment)?.store,
    }
    check_exists(&config.store.url.inside(&data))?;
    let certificate = runtime()?.block_on(async {
        let horarium = Horarium::builder()
            .config(config, environment)
            .data(&data)
            .build()
            .await?;
        let certificate = horarium.scheduler().audit(range.0, range.1).await;
        certificate.map_err(|error| Failure {
            text: error.message(),
            status: 1,
        })
    })?;
    report(&certificate, args.json);
    let clean = certificate.holes.is_empty() && certificate.doubles.is_empty();
    Ok(ExitCode::from(u8::from(!clean)))
}

fn bound(text: Option<&str>) -> Result<Option<DateTime<Utc>>, Failure> {
    text.map(instant).transpose().map_err(Failure::asked)
}

/// An audit must not make the store that it is to prove.
fn check_exists(url: &StoreUrl) -> Result<(), Failure> {
    match url {
        StoreUrl::Sqlite(file) if !Path::new(file).is_file() => Err(Failure {
            text: format!("there is no database {}", file.display()),
            status: 1,
        }),
        _ => Ok(()),
    }
}

fn report(certificate: &Certificate, as_json: bool) {
    let instants = |list: &[DateTime<Utc>]| -> Vec<String> {
        list.iter().take(LISTED).copied().map(utc).collect()
    };
    let (holes, doubles) = (instants(&certificate.holes), instants(&certificate.doubles));
    if as_json {
        println!(
            "{}",
            json!({
                "instants": certificate.instants,
                "holes": certificate.holes.len(),
                "doubles": certificate.doubles.len(),
                "first_holes": holes,
                "first_doubles": doubles,
            })
        );
    } else {
        holes.iter().for_each(|at| println!("hole    {at}"));
        doubles.iter().for_each(|at| println!("double  {at}"));
    }
    println!(
        "{} instants, {} holes, {} doubles",
        certificate.instants,
        certificate.holes.len(),
        certificate.doubles.len()
    );
}
