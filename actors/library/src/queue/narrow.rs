//! Narrows a queue to what was asked for.

use std::collections::HashMap;

use playhouse_bus::Deadline;

use super::row;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Scope};
use crate::client::Patience;
use crate::client::wire::{Movie, QueueRow, Series};
use crate::reads::identity::{Fit, RowIdentity};
use crate::service::Service;

/// The rows that `scope` means.
///
/// A row that lacks the catalogue id that is asked for is proved by its own record; one that is not proved is left out. A record that cannot be
/// read is a failure of the whole: the row might be the one that is meant.
pub(crate) async fn narrow(
    rows: Vec<QueueRow>,
    scope: &Scope,
    hands: &Hands,
    deadline: Deadline,
) -> Result<Vec<QueueRow>, ArrFailure> {
    if scope.is_empty() {
        return Ok(rows);
    }
    let mut records = Records { hands, deadline, known: HashMap::new() };
    let mut meant = Vec::new();
    for row in rows {
        if is_named(&row, scope) && is_about(&row, scope, &mut records).await? {
            meant.push(row);
        }
    }
    Ok(meant)
}

fn is_named(row: &QueueRow, scope: &Scope) -> bool {
    scope.queue_id.is_none_or(|id| row.id == id)
        && scope.download_id.as_deref().is_none_or(|id| row::download_id(row) == Some(id))
}

async fn is_about(row: &QueueRow, scope: &Scope, records: &mut Records<'_>) -> Result<bool, ArrFailure> {
    let media_type = records.hands.service.media_type();
    let identity = row::identity(row);
    Ok(match identity.fit(media_type, scope, None) {
        Fit::Fits => true,
        Fit::Differs => false,
        Fit::Unproven => match records.complete(identity).await? {
            Some(proved) => proved.fit(media_type, scope, None) == Fit::Fits,
            None => false,
        },
    })
}

/// The records of movies and series that rows refer to, each read once.
struct Records<'a> {
    hands: &'a Hands,
    deadline: Deadline,
    /// TMDB id and TVDB id, by the service's own id.
    known: HashMap<i64, (i64, i64)>,
}

impl Records<'_> {
    /// The row's identity with what its record knows; `None` where the row refers to no record.
    async fn complete(&mut self, identity: RowIdentity) -> Result<Option<RowIdentity>, ArrFailure> {
        if identity.title_id <= 0 {
            return Ok(None);
        }
        let (tmdb_id, tvdb_id) = match self.known.get(&identity.title_id) {
            Some(known) => *known,
            None => {
                let read = self.read(identity.title_id).await?;
                self.known.insert(identity.title_id, read);
                read
            }
        };
        let or = |known: i64, read: i64| if known > 0 { known } else { read };
        Ok(Some(RowIdentity {
            tmdb_id: or(identity.tmdb_id, tmdb_id),
            tvdb_id: or(identity.tvdb_id, tvdb_id),
            ..identity
        }))
    }

    async fn read(&self, id: i64) -> Result<(i64, i64), ArrFailure> {
        let client = &self.hands.client;
        if self.hands.service == Service::Radarr {
            let movie: Movie = client.read(&format!("movie/{id}"), &[], Patience::Quick30s, self.deadline).await?;
            return Ok((movie.tmdb_id, 0));
        }
        let series: Series = client.read(&format!("series/{id}"), &[], Patience::Quick30s, self.deadline).await?;
        Ok((series.tmdb_id, series.tvdb_id))
    }
}
