//! Replies that an `Idempotency-Key` may ask for again within a day.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use playhouse_house::CredentialId;
use playhouse_store::{Expect, Op, put};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::layout::{OFFICE, RecordOrPath, parts};
use crate::messages::{Document, Idempotency, OfficeRefusal, Written};

/// How long a key replays its first reply.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);

/// How many old replies one write may remove, so that its commit stays small.
const MOST_REMOVED: usize = 8;

/// A reply that was given once.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) at: Timestamp,
    pub(crate) request_sha256: String,
    pub(crate) written: Written,
}

/// One part of a reply in the store.
#[derive(Serialize, Deserialize)]
pub(super) struct ReplyPart {
    pub(super) at: Timestamp,
    pub(super) request_sha256: String,
    pub(super) status: u16,
    pub(super) location: Option<String>,
    pub(super) body: String,
}

/// The replies of the last day, by the name of their key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Replies(HashMap<String, Reply>);

/// Under which name a reply is kept: keys of different holders never meet, and no key's text reaches the store.
pub(crate) fn name_of(credential: CredentialId, key: &str) -> String {
    let sum = Sha256::digest(format!("{credential}\n{key}"));
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Replies {
    /// The first reply, when this request was made before with this key.
    ///
    /// # Errors
    /// 409 when the key came with another request.
    pub(crate) fn find(
        &self,
        name: &str,
        asked: &Idempotency,
        now: Timestamp,
    ) -> Result<Option<Written>, OfficeRefusal> {
        match self.0.get(name) {
            Some(reply) if now.duration_since(reply.at) < KEPT_FOR => {
                if reply.request_sha256 != asked.request_sha256 {
                    return Err(OfficeRefusal::conflict(
                        "This Idempotency-Key was used for another request; use a new one for a new request.",
                    ));
                }
                Ok(Some(Written { replayed: true, ..reply.written.clone() }))
            }
            _ => Ok(None),
        }
    }

    /// Whether a reply is kept under this name, whatever the request was.
    pub(crate) fn has(&self, name: &str, now: Timestamp) -> bool {
        self.0.get(name).is_some_and(|reply| now.duration_since(reply.at) < KEPT_FOR)
    }

    /// The operations that keep `reply` under `name`, and those that remove replies nobody can ask for any more; with the removed names.
    pub(super) fn operations(&self, name: &str, reply: &Reply) -> Result<(Vec<Op>, Vec<String>), RecordOrPath> {
        let mut ops = Vec::new();
        for (at, body) in parts(reply.written.document.json()).into_iter().enumerate() {
            let part = ReplyPart {
                at: reply.at,
                request_sha256: reply.request_sha256.clone(),
                status: reply.written.status,
                location: reply.written.location.clone(),
                body: body.to_owned(),
            };
            ops.push(put(OFFICE.join("reply")?.join(format!("{name}-{at:03}"))?, &part, Expect::Any)?);
        }
        let is_over = |(known, old): &(&String, &Reply)| *known != name && reply.at.duration_since(old.at) >= KEPT_FOR;
        let over: Vec<_> = self.0.iter().filter(is_over).take(MOST_REMOVED).collect();
        for (name, old) in &over {
            for at in 0..parts(old.written.document.json()).len() {
                ops.push(Op::delete(OFFICE.join("reply")?.join(format!("{name}-{at:03}"))?, Expect::Any));
            }
        }
        Ok((ops, over.into_iter().map(|(name, _)| name.clone()).collect()))
    }

    pub(crate) fn keep(&mut self, name: String, reply: Reply) {
        self.0.insert(name, reply);
    }

    pub(crate) fn forget(&mut self, names: &[String]) {
        for name in names {
            self.0.remove(name);
        }
    }

    /// Takes one stored part in; parts of one reply come in order.
    pub(super) fn add_part(&mut self, name: &str, part: ReplyPart) {
        let before = self.0.get(name).map_or_else(String::new, |reply| reply.written.document.json().to_owned());
        let document = Document::from_json((before + &part.body).into());
        let written = Written { document, status: part.status, location: part.location, replayed: false };
        self.0.insert(name.to_owned(), Reply { at: part.at, request_sha256: part.request_sha256, written });
    }
}
