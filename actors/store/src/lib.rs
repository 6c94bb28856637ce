//! Durable, ordered, versioned records: the Store trait and the sled backend.
