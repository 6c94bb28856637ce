//! How a TV comes into a house.

mod client_lines;

pub use client_lines::{ClientLine, client_lines};
