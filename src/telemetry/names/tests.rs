use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All files below a folder with this ending.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Every word in `text` that looks like one of our metrics.
fn names_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_name = |word: &&str| {
        word.strip_prefix("playhouse_").or_else(|| word.strip_prefix("process_")).is_some_and(|rest| !rest.is_empty())
    };
    words.filter(is_name).map(str::to_owned).collect()
}

/// The metric that a series belongs to: histograms are shown as three.
fn metric_of(series: &str) -> Option<&'static Metric> {
    let exact = ALL.iter().find(|metric| metric.name == series);
    exact.or_else(|| {
        let name = ["_bucket", "_sum", "_count"].iter().find_map(|ending| series.strip_suffix(ending))?;
        ALL.iter().find(|metric| metric.name == name && metric.kind == MetricKind::Histogram)
    })
}

/// The names written out in calls of the metrics macros in the crates below the doors.
fn names_in_the_crates() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files_below(&Path::new(ROOT).join("actors"), ".rs") {
        let text = fs::read_to_string(path).unwrap();
        for call in ["counter!(", "gauge!(", "histogram!("] {
            let after = text.split(call).skip(1);
            let quoted = after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
            names.extend(quoted.filter(|name| name.starts_with("playhouse_")).map(str::to_owned));
        }
    }
    names
}

#[test]
fn every_label_is_one_that_is_let_through() {
    for metric in ALL {
        for label in metric.labels {
            assert!(LABELS.contains(label), "`{label}` of {} would be dropped", metric.name);
        }
    }
    for label in LABELS {
        assert!(ALL.iter().any(|metric| metric.labels.contains(&label)), "`{label}` labels nothing");
    }
}

#[test]
fn names_follow_prometheus() {
    for metric in ALL {
        assert_eq!(metric.kind == MetricKind::Counter, metric.name.ends_with("_total"), "{}", metric.name);
        assert!(metric.help.ends_with('.'), "{}", metric.name);
        assert_eq!(ALL.iter().filter(|other| other.name == metric.name).count(), 1, "{} is listed twice", metric.name);
    }
}

#[test]
fn every_metric_that_a_crate_emits_is_listed() {
    for name in names_in_the_crates() {
        assert!(ALL.iter().any(|metric| metric.name == name), "{name} is not in telemetry/names.rs");
    }
}

#[test]
fn what_operators_are_given_names_only_metrics_that_exist() {
    let folder = Path::new(ROOT).join("ops");
    let files: Vec<PathBuf> =
        ["prometheus", "grafana"].iter().flat_map(|name| files_below(&folder.join(name), "")).collect();
    assert!(files.len() >= 2, "the rules and the dashboard");
    for path in files {
        let names = names_in(&fs::read_to_string(&path).unwrap());
        assert!(!names.is_empty(), "{} names no metric", path.display());
        for name in names {
            assert!(metric_of(&name).is_some(), "{}: {name} is not in telemetry/names.rs", path.display());
        }
    }
}

#[test]
fn every_metric_is_explained_to_operators_by_a_rule_or_a_panel() {
    let folder = Path::new(ROOT).join("ops");
    let shown: BTreeSet<&str> = ["prometheus", "grafana"]
        .iter()
        .flat_map(|name| files_below(&folder.join(name), ""))
        .flat_map(|path| names_in(&fs::read_to_string(path).unwrap()))
        .filter_map(|name| metric_of(&name))
        .map(|metric| metric.name)
        .collect();
    for metric in ALL {
        assert!(shown.contains(metric.name), "{} is measured and shown nowhere", metric.name);
    }
}
