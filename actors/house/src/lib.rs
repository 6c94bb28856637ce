//! Houses, keys, scopes and principals.
