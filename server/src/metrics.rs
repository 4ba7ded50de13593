//! What the engine counts, kept for Prometheus.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use horarium_core::{names::JobName, state::RunStatus};
use horarium_engine::observer::Observer;
use metrics::{Recorder, counter, gauge, histogram, with_local_recorder};
use metrics_exporter_prometheus::{
    Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};

/// Seconds, from punctual to hopeless.
const BUCKETS: [f64; 14] = [
    0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 21_600.0,
];

/// The counters of one scheduler. They are not global: a host program has its own.
#[derive(Clone)]
pub struct Metrics {
    recorder: Arc<PrometheusRecorder>,
    handle: PrometheusHandle,
}

impl Default for Metrics {
    fn default() -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
            // there are buckets
            .expect("legal buckets")
            .build_recorder();
        let metrics = Self {
            handle: recorder.handle(),
            recorder: Arc::new(recorder),
        };
        metrics.record(|| {
            gauge!("horarium_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
            gauge!("horarium_running").set(0.0);
            counter!("horarium_fenced_writes_total").absolute(0);
            counter!("horarium_duplicate_fires_total").absolute(0);
        });
        metrics
    }
}

impl Metrics {
    /// The text for Prometheus.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }

    fn record(&self, what: impl FnOnce()) {
        let recorder: &dyn Recorder = self.recorder.as_ref();
        with_local_recorder(&recorder, what);
    }
}

impl Observer for Metrics {
    fn run_started(&self, job: &JobName, lateness: TimeDelta) {
        self.record(|| {
            histogram!("horarium_run_lateness_seconds", "job" => job.to_string())
                .record(seconds(lateness));
        });
    }

    fn run_finished(&self, job: &JobName, status: RunStatus, duration: TimeDelta) {
        self.record(|| {
            counter!("horarium_runs_total", "job" => job.to_string(), "status" => status.as_str())
                .increment(1);
            histogram!("horarium_run_duration_seconds", "job" => job.to_string())
                .record(seconds(duration));
        });
    }

    fn running(&self, count: usize) {
        self.record(|| gauge!("horarium_running").set(count as f64));
    }

    fn cycle(&self, duration: Duration) {
        self.record(|| histogram!("horarium_cycle_seconds").record(duration.as_secs_f64()));
    }

    fn fenced_write(&self) {
        self.record(|| counter!("horarium_fenced_writes_total").increment(1));
    }

    fn duplicate(&self) {
        self.record(|| counter!("horarium_duplicate_fires_total").increment(1));
    }
}

fn seconds(time: TimeDelta) -> f64 {
    time.as_seconds_f64().max(0.0)
}
