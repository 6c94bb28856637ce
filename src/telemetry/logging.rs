//! Log lines on standard error, for people or for machines.

use std::io::{self, IsTerminal};

use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::SubscriberInitExt;

use super::TelemetryError;
use crate::config::{LogFormat, Logging};

/// Sends the log lines of this process, those of libraries included, to standard error.
///
/// # Errors
/// [`TelemetryError::Logging`] when another subscriber is installed.
pub fn install(logging: &Logging) -> Result<(), TelemetryError> {
    subscriber(logging, io::stderr, io::stderr().is_terminal())
        .try_init()
        .map_err(|source| TelemetryError::Logging(Box::new(source)))
}

/// Writes lines as `logging` says. A line that cannot be written is lost: a full disk or a closed pipe behind standard
/// error must not take the service down, and to complain there about it would panic.
fn subscriber<W>(logging: &Logging, writer: W, colours: bool) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    // The configuration has checked the filter; a lossy reading keeps this free of a second kind of failure.
    let filter = EnvFilter::builder().parse_lossy(&logging.filter);
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .log_internal_errors(false)
        .with_ansi(colours);
    match logging.format {
        LogFormat::Pretty => Box::new(lines.finish()),
        LogFormat::Json => Box::new(lines.json().flatten_event(true).with_span_list(false).finish()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What `code` logs.
    pub(in crate::telemetry) fn logged(format: LogFormat, filter: &str, code: impl FnOnce()) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        let logging = Logging { format, filter: filter.to_owned() };
        tracing::subscriber::with_default(subscriber(&logging, move || writer.clone(), false), code);
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn json_is_one_object_a_line_with_the_fields_at_the_top() {
        let text = logged(LogFormat::Json, "info", || {
            tracing::info!(n_tvs = 2, "started");
            tracing::debug!("not shown");
        });
        let line: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&line["level"], &line["message"], &line["n_tvs"]), (&"INFO".into(), &"started".into(), &2.into()));
    }

    #[test]
    fn pretty_is_one_line_without_colours_where_nobody_sees_them() {
        let text = logged(LogFormat::Pretty, "warn", || tracing::warn!(n_tvs = 2, "slow"));
        assert!(text.ends_with("slow n_tvs=2\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_writer_that_fails_is_survived() {
        struct Broken;
        impl io::Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let subscriber = subscriber(&Logging::default(), || Broken, false);
        tracing::subscriber::with_default(subscriber, || tracing::info!("lost"));
    }
}
