//! The signals to stop.

/// Waits for SIGTERM or an interrupt from the keyboard.
pub struct StopSignals {
    #[cfg(unix)]
    terminate: std::io::Result<tokio::signal::unix::Signal>,
}

impl StopSignals {
    /// From now on the signals do not end the process by themselves.
    pub fn listen() -> Self {
        Self {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()),
        }
    }

    /// Waits for one of them.
    pub async fn requested(mut self) {
        let interrupt = async {
            if tokio::signal::ctrl_c().await.is_err() {
                // without a handler the signal ends the process anyway
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = interrupt => {}
            () = self.terminated() => {}
        }
    }

    #[cfg(unix)]
    async fn terminated(&mut self) {
        match &mut self.terminate {
            Ok(signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    }

    #[cfg(not(unix))]
    async fn terminated(&mut self) {
        std::future::pending().await
    }
}
