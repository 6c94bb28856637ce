//! Why the store could not do something, in the caller's terms.

use crate::{
    IdemKeyError, Key, MAX_COMMIT_BYTES, MAX_COMMIT_OPS, MAX_VALUE_BYTES, PathError, RecordError, Seq, Version,
};

/// A reading or a claim failed. Nothing was changed, except that a claim may have been taken when the answer is
/// `Unavailable`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Too much is waiting already. Try again later.
    #[error("the store has too much to do; try again shortly")]
    Overloaded,
    /// The store has been closed or has stopped after a failure. The process is on its way out.
    #[error("the store takes no more work: {cause}")]
    Unavailable {
        /// Why, for the log.
        cause: String,
    },
    /// What is stored there does not match its check sum.
    #[error("the stored data at `{place}` is damaged; bring back the last export")]
    Damaged {
        /// Which record, log entry or inner row.
        place: String,
    },
    /// The caller made no valid path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// What is stored there is not the record asked for.
    #[error("`{key}`: {error}")]
    Record {
        /// Where it lies.
        key: Key,
        /// What is wrong with it.
        error: RecordError,
    },
}

/// A write did not happen, or (only [`CommitError::Indeterminate`]) it is unknown whether it did.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// A condition was not met. Nothing of the commit happened: read again and decide anew.
    #[error("`{key}` is not as expected: {}", described(.current))]
    Conflict {
        /// The first record whose condition failed.
        key: Key,
        /// Its version now; `None` when it is absent.
        current: Option<Version>,
    },
    /// The writer no longer owns what it claimed. Nothing happened, and nothing it does under that claim will.
    #[error("the claim has passed to another owner (epoch {current})")]
    Fenced {
        /// The resource's epoch now.
        current: u64,
    },
    /// The commit breaks a rule of the store; trying again is of no use. Nothing happened.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Too many commits are waiting. Nothing happened: try again later.
    #[error("the store has too many writes waiting; try again shortly")]
    Overloaded,
    /// The store takes no more writes. Nothing happened.
    #[error("the store takes no more writes: {cause}")]
    Unavailable {
        /// Why, for the log.
        cause: String,
    },
    /// The store failed while it wrote. The commit may be there after the next start or may not: read before doing it
    /// again.
    #[error("it is unknown whether the write happened; read it back before trying again")]
    Indeterminate,
}

/// Which rule of the store a commit breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A value beyond [`MAX_VALUE_BYTES`].
    #[error(
        "the value of `{place}` has {n_bytes} bytes; the limit is {MAX_VALUE_BYTES}: split it over several records"
    )]
    ValueTooLarge {
        /// Which record or log.
        place: String,
        /// How large it is.
        n_bytes: usize,
    },
    /// More than [`MAX_COMMIT_OPS`] operations or [`MAX_COMMIT_BYTES`] of values.
    #[error(
        "a commit of {n_ops} operations and {n_bytes} bytes is too large; the limits are {MAX_COMMIT_OPS} and {MAX_COMMIT_BYTES}"
    )]
    CommitTooLarge {
        /// Operations asked for.
        n_ops: usize,
        /// Bytes of values asked for.
        n_bytes: usize,
    },
    /// One commit names the same record in two operations.
    #[error("the commit changes `{0}` twice; combine the two operations")]
    KeyTwice(Key),
    /// The root path names no record, log or resource.
    #[error("an empty path is no name for a record, a log or a resource")]
    RootPath,
    /// The idempotency key was used for an entry with other bytes.
    #[error("that idempotency key already stands for another entry (number {seq}); use a new one for a new entry")]
    IdemKeyReused {
        /// The entry it stands for.
        seq: Seq,
    },
    /// No valid path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// No valid idempotency key.
    #[error(transparent)]
    IdemKey(#[from] IdemKeyError),
    /// The record to write cannot be put into an envelope.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Why a claim cannot be renewed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// It ended, was released, or another node has the resource. Stop the work and claim again.
    #[error("the claim is over; the resource is at epoch {current}")]
    Over {
        /// The resource's epoch now; 0 when it was never claimed.
        current: u64,
    },
    /// The store could not answer: treat the claim as over at the end of its time.
    #[error(transparent)]
    Unknown(#[from] StoreError),
}

impl From<PathError> for CommitError {
    fn from(error: PathError) -> Self {
        Refusal::from(error).into()
    }
}

impl From<RecordError> for CommitError {
    fn from(error: RecordError) -> Self {
        Refusal::from(error).into()
    }
}

impl From<StoreError> for CommitError {
    /// For errors met before anything was written: the commit did not happen.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Overloaded => CommitError::Overloaded,
            StoreError::Path(error) => error.into(),
            StoreError::Unavailable { cause } => CommitError::Unavailable { cause },
            StoreError::Damaged { .. } | StoreError::Record { .. } => {
                CommitError::Unavailable { cause: error.to_string() }
            }
        }
    }
}

fn described(version: &Option<Version>) -> String {
    match version {
        Some(version) => format!("it has version {version}"),
        None => "it is absent".to_owned(),
    }
}
