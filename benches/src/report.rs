//! What is printed: figures as they come, and at the end each target beside what was measured.

use std::time::Duration;

use crate::{measure::Plan, process::n_cores};

/// Collects the verdicts.
pub(crate) struct Report {
    targets: Vec<Target>,
}

struct Target {
    what: String,
    wanted: String,
    measured: String,
    met: bool,
}

impl Report {
    pub(crate) fn begin(plan: &Plan) -> Self {
        println!(
            "Playhouse {} on {} cores; servers and load generator share them.",
            env!("CARGO_PKG_VERSION"),
            n_cores()
        );
        println!(
            "Medians of {} rounds of {:?} after {:?} to warm up, in turn.",
            plan.n_rounds, plan.measured, plan.warm_up
        );
        Self { targets: Vec::new() }
    }

    pub(crate) fn title(&self, title: &str) {
        println!("\n{title}");
    }

    pub(crate) fn line(&self, line: &str) {
        println!("{line}");
    }

    pub(crate) fn at_least(&mut self, what: &str, wanted: f64, measured: f64) {
        self.judge(what, format!(">= {wanted:.2}"), format!("{measured:.2}"), measured >= wanted);
    }

    /// `unit` stands behind both figures; it may be empty.
    pub(crate) fn below(&mut self, what: &str, wanted: f64, measured: f64, unit: &str) {
        self.judge(what, format!("< {wanted:.2}{unit}"), format!("{measured:.2}{unit}"), measured < wanted);
    }

    pub(crate) fn within(&mut self, what: &str, wanted: Duration, measured: Duration) {
        let (wanted_s, measured_s) = (wanted.as_secs_f64(), measured.as_secs_f64());
        self.judge(what, format!("<= {wanted_s:.0} s"), format!("{measured_s:.1} s"), measured <= wanted);
    }

    pub(crate) fn judge(&mut self, what: &str, wanted: String, measured: String, met: bool) {
        self.targets.push(Target { what: what.to_owned(), wanted, measured, met });
    }

    pub(crate) fn end(&self) {
        println!("\n{:<66} {:>12} {:>12}", "Targets", "wanted", "measured");
        for Target { what, wanted, measured, met } in &self.targets {
            println!("{what:<66} {wanted:>12} {measured:>12}  {}", if *met { "pass" } else { "MISS" });
        }
        let n_met = self.targets.iter().filter(|target| target.met).count();
        println!("{n_met} of {} targets met.", self.targets.len());
    }
}

/// The middle one; the mean of the two middle ones of an even number.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

pub(crate) fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        assert!((median([3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median([4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
        assert!(median([]).is_nan());
    }
}
