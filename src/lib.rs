//! Playhouse.
