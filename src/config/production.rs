//! The section of the production office.

use std::time::Duration;

use playhouse_production::media::MediaLimits;
use serde::{Deserialize, Serialize};

use super::values;

const MIB: u64 = 1024 * 1024;

/// `[production]`: what vendors and productions may send in. Files lie in the folder `media` of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Production {
    /// The largest file of a submission, in MiB.
    #[serde(deserialize_with = "values::whole::<1, 10_485_760, _, _>")]
    pub max_file_mib: u64,
    /// The largest submission as a whole, in MiB.
    #[serde(deserialize_with = "values::whole::<1, 104_857_600, _, _>")]
    pub max_submission_mib: u64,
    /// The most files of one submission.
    #[serde(deserialize_with = "values::whole::<1, 10_000, _, _>")]
    pub max_files: usize,
    /// What stays free on the disk, in MiB, whatever is sent in.
    #[serde(deserialize_with = "values::whole::<0, 1_099_511_627_776, _, _>")]
    pub min_free_mib: u64,
    /// How long a sender may be silent within a submission.
    #[serde(deserialize_with = "values::whole::<1, 3_600, _, _>")]
    pub idle_seconds: u64,
    /// Submissions that come in at once. Each takes a thread and some megabytes of memory.
    #[serde(deserialize_with = "values::whole::<1, 256, _, _>")]
    pub max_uploads: usize,
}

impl Default for Production {
    fn default() -> Self {
        let MediaLimits { max_file_bytes, max_files, min_free_bytes, idle, max_uploads } = MediaLimits::default();
        Production {
            max_file_mib: max_file_bytes / MIB,
            max_submission_mib: 100 * 1024,
            max_files,
            min_free_mib: min_free_bytes / MIB,
            idle_seconds: idle.as_secs(),
            max_uploads,
        }
    }
}

impl Production {
    /// What may come in as files.
    pub fn media_limits(&self) -> MediaLimits {
        MediaLimits {
            max_file_bytes: self.max_file_mib * MIB,
            max_files: self.max_files,
            min_free_bytes: self.min_free_mib * MIB,
            idle: Duration::from_secs(self.idle_seconds),
            max_uploads: self.max_uploads,
        }
    }

    /// Threads on which each of `n_workers` HTTP threads may wait for the disk: what actix-web gives, and no fewer than one for each upload that
    /// may come in at once, with some left over for everything else.
    pub fn blocking_threads_of_worker(&self, n_workers: usize) -> usize {
        const OF_ALL_WORKERS: usize = 512;
        const FOR_THE_REST: usize = 16;
        (OF_ALL_WORKERS / n_workers.max(1)).max(self.max_uploads + FOR_THE_REST)
    }

    /// The largest submission as a whole, in bytes.
    pub fn max_submission_bytes(&self) -> u64 {
        self.max_submission_mib * MIB
    }
}
