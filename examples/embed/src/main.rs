//! A program with a page of its own, two jobs in Rust, and Horarium's console beside them.
//!
//! `cargo run -p horarium-embed`, then <http://127.0.0.1:8788/hello> and <http://127.0.0.1:8788/>.

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{Router, routing::get};
use horarium::{Horarium, Outcome, RunContext, job_fn};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let visits = Arc::new(AtomicU64::new(0));
    let horarium = Horarium::builder()
        // gone with the process; `.data("folder")` keeps a database there
        .store("memory:")
        // only this machine reaches the address below
        .without_sign_in()
        .job(
            "visits.report",
            "cron */10 * * * * *",
            count(visits.clone()),
        )
        .job("greeting", "every 00:00:30", job_fn(greet))
        .build()
        .await?;

    let hello = get(async move || {
        let number = visits.fetch_add(1, Ordering::Relaxed) + 1;
        format!("Hello, visitor {number}.\n")
    });
    // the host's own routes first; whatever else is asked for is the console's
    let routes = Router::new()
        .route("/hello", hello)
        .merge(horarium.router());

    let listener = TcpListener::bind("127.0.0.1:8788").await?;
    println!("http://127.0.0.1:8788/hello is ours, http://127.0.0.1:8788/ is the console");
    horarium.start();
    axum::serve(listener, routes)
        .with_graceful_shutdown(async {
            // without a handler the signal would end the process anyway
            let _ = tokio::signal::ctrl_c().await;
        })
        .await?;
    horarium.stop().await;
    Ok(())
}

/// Says how often the page was visited since the last time.
fn count(visits: Arc<AtomicU64>) -> Arc<dyn horarium::Job> {
    job_fn(move |run: RunContext| {
        let visits = visits.swap(0, Ordering::Relaxed);
        async move {
            run.log
                .line("info", format!("{visits} visits since the last report"));
            Outcome::Succeeded(Some(visits.to_string()))
        }
    })
}

/// Greets, and stops greeting when it is told to.
async fn greet(run: RunContext) -> Outcome {
    for name in ["Ada", "Grace", "Edsger"] {
        if run.cancellation.is_cancelled() {
            return Outcome::failed("GREETING_STOPPED", "somebody wanted silence");
        }
        run.log.line("info", format!("Hello, {name}."));
    }
    Outcome::Succeeded(None)
}
