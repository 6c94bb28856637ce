//! What an MCP tool is: descriptor, registry, call context, answers and refusals.
