//! `POST /mcp`: the door for assistants.
//!
//! One endpoint, no sessions, JSON answers, and two eras told apart request by request: revisions up to 2025-11-25, which begin with
//! `initialize`, and 2026-07-28, where each request says its version in `_meta`.
//!
//! ```text
//! door.rs       method, host, sizes, media types, key     → HTTP refusals
//! envelope.rs   one JSON-RPC message of bytes             → -32700, -32600
//! era.rs        which revision this request is made under → -32602, -32020, -32022
//! methods.rs    method and parameters to a result         → -32601, -32602
//! calls.rs      tools/call: a tool's outcome in the protocol's words
//! context.rs    resources and prompts
//! router.rs     McpRouter: lists and calls tools, one actor a house
//! result.rs     results as JSON text, by era
//! reply.rs      results and errors to bytes
//! ```

mod calls;
mod context;
mod dispatch;
mod door;
mod envelope;
mod era;
mod methods;
mod pretty;
mod reply;
mod result;
mod router;
mod well_known;

pub use door::{MAX_BODY_BYTES, McpServices, routes};
pub use envelope::{Envelope, EnvelopeError, Incoming, read_incoming};
pub use era::{LEGACY_VERSIONS, MODERN_VERSION};
pub use reply::RpcError;
pub use router::{CallTool, ListTools, McpRouter, RouterServices};
