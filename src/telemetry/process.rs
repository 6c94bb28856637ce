//! The process itself, in the names Prometheus's own clients use: file descriptors, which bound the TVs, and memory.

use std::fs;

use super::names;

/// Reads the figures from `/proc` and sets the gauges. Where there is no `/proc` they stay away.
pub(super) fn measure() {
    // Reading the folder opens it, and that descriptor is in the list.
    if let Ok(entries) = fs::read_dir("/proc/self/fd") {
        metrics::gauge!(names::OPEN_FDS).set(entries.count().saturating_sub(1) as f64);
    }
    if let Some(most) = fs::read_to_string("/proc/self/limits").ok().as_deref().and_then(max_fds) {
        metrics::gauge!(names::MAX_FDS).set(most);
    }
    if let Some(bytes) = fs::read_to_string("/proc/self/status").ok().as_deref().and_then(resident_bytes) {
        metrics::gauge!(names::RESIDENT_MEMORY).set(bytes);
    }
}

/// The soft limit in `Max open files  20000  20000  files`; `unlimited` is no number and stays away.
fn max_fds(limits: &str) -> Option<f64> {
    limits.lines().find_map(|line| line.strip_prefix("Max open files"))?.split_whitespace().next()?.parse().ok()
}

/// The figure in `VmRSS:  12345 kB`, in bytes.
fn resident_bytes(status: &str) -> Option<f64> {
    let kib: f64 =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        assert_eq!(max_fds("Limit  Soft  Hard\nMax open files            1024   20000   files\n"), Some(1024.0));
        assert_eq!(max_fds("Max open files            unlimited unlimited files\n"), None);
        assert_eq!(resident_bytes("Name:\tplayhouse\nVmRSS:\t   2048 kB\n"), Some(2_097_152.0));
        assert_eq!(resident_bytes(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_figures() {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, measure);
        let text = recorder.handle().render();
        for name in [names::OPEN_FDS, names::MAX_FDS, names::RESIDENT_MEMORY] {
            assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{text}");
        }
    }
}
