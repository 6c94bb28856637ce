//! The house a record belongs to.

pub use playhouse_bus::HouseId;
