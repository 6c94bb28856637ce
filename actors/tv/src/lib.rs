//! Paired TVs: pairing, the bridge's wire protocol, TvActor and the tv_* tools.
