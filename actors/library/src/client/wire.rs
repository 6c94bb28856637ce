//! What the services write, read without trust.
//!
//! Null properties are left out, fields come and go with versions, and enumerations grow: ids and titles are all that is sure. So everything
//! else is optional, unknown fields are passed over, unknown values are kept as text, and one odd element never fails a list.

pub mod error_body;
