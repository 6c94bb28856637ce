//! Addressing, supervision, deadlines, back-pressure and health for every actor of Playhouse.
