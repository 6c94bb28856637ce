//! Questions and their answers.

use jiff::civil::Date;
use playhouse_bus::{Answer, CallInfo, Handle};
use playhouse_house::Scope;

use super::answers::Asked;
use super::{ProductionActor, opened};
use crate::clamp::Sight;
use crate::messages::{Document, FindMedia, MediaFile, Observe, OfficeRefusal, OfficeState, Question, Read, Reader};
use crate::model::Counter;
use crate::reads::{self, ActivityPage, View};

type Reply<T> = Result<T, OfficeRefusal>;

impl ProductionActor {
    /// Reads the office anew after a commit that ended in doubt. The caller is asked to come again.
    pub(super) fn recover<T: 'static>(&self) -> Answer<Self, Reply<T>> {
        let (services, house) = (self.services.clone(), self.house);
        let reopen = async move { opened(&services, house).await };
        Answer::alone(reopen, |actor: &mut Self, opened| {
            match opened {
                Ok(opened) => actor.take_over(opened),
                Err(error) => tracing::error!(house = %actor.house, %error, "the office could not be read anew"),
            }
            Err(OfficeRefusal::unavailable())
        })
    }

    fn view(&self, reader: &Reader) -> Reply<View<'_>> {
        let sight = Sight::of(&self.office, reader)?;
        Ok(View { office: &self.office, sight, today: reads::today(&self.office, self.now()) })
    }

    fn answer(&mut self, reader: Reader, question: Question) -> Answer<Self, Reply<Document>> {
        if let Err(refusal) = reads::admit(&reader, &question) {
            return Answer::now(Err(refusal));
        }
        let asked = Asked::by(&reader, question);
        let today = reads::today(&self.office, self.now());
        if let Some(document) = self.answers.get(&asked, today) {
            return Answer::now(Ok(document));
        }
        if asked.question.is_about_much() && self.office.is_large() {
            return self.answer_elsewhere(reader, asked, today);
        }
        let document = self.view(&reader).and_then(|view| reads::answer(&view, &asked.question));
        if let Ok(document) = &document {
            self.answers.keep(asked, document.clone());
        }
        Answer::now(document)
    }

    /// Works a long answer out on a thread of its own, so that the actor's neighbours are not held up. Who asks meanwhile waits, and finds it
    /// kept.
    fn answer_elsewhere(&self, reader: Reader, asked: Asked, today: Date) -> Answer<Self, Reply<Document>> {
        let office = self.snapshot();
        let work = move || {
            let document = Sight::of(&office, &reader)
                .and_then(|sight| reads::answer(&View { office: &office, sight, today }, &asked.question));
            (asked, document)
        };
        let working = async move { tokio::task::spawn_blocking(work).await };
        Answer::alone(working, move |actor: &mut Self, worked| {
            let (asked, document) = worked.map_err(|error| {
                tracing::error!(%error, "an answer could not be worked out");
                OfficeRefusal::unavailable()
            })?;
            if let Ok(document) = &document {
                actor.answers.keep(asked, document.clone());
            }
            document
        })
    }
}

impl Handle<Read> for ProductionActor {
    fn handle(&mut self, Read { reader, question }: Read, _: CallInfo) -> Answer<Self, Reply<Document>> {
        if self.in_doubt {
            return self.recover();
        }
        let Question::ListActivity { limit, before_id } = question else {
            return self.answer(reader, question);
        };
        let page = reads::admit(&reader, &question).and_then(|()| ActivityPage::of(&reader, limit, before_id));
        let page = match page {
            Ok(page) => page,
            Err(refusal) => return Answer::now(Err(refusal)),
        };
        match self.activity.recent(page.before, page.limit, |entry| page.shows(entry)) {
            Ok(entries) => Answer::now(reads::activity_document(&entries)),
            Err(further) => Answer::later(async move {
                let entries = further.read(page.limit, |entry| page.shows(entry)).await.map_err(|error| {
                    tracing::warn!(%error, "older activity could not be read");
                    OfficeRefusal::unavailable()
                })?;
                reads::activity_document(&entries)
            }),
        }
    }
}

impl Handle<FindMedia> for ProductionActor {
    fn handle(&mut self, FindMedia { reader, id }: FindMedia, _: CallInfo) -> Answer<Self, Reply<MediaFile>> {
        if self.in_doubt {
            return self.recover();
        }
        let found = reader.require(Scope::Read).and_then(|()| self.view(&reader));
        Answer::now(found.and_then(|view| reads::find_media(&view, id)))
    }
}

impl Handle<Observe> for ProductionActor {
    fn handle(&mut self, _: Observe, _: CallInfo) -> Answer<Self, OfficeState> {
        let office = &self.office;
        Answer::now(OfficeState {
            has_production: office.production.is_some(),
            revision: office.revision,
            n_scenes: office.scenes.len(),
            n_characters: office.characters.len(),
            n_assets: office.assets.len(),
            n_activity: office.counters.last(Counter::Activity),
            n_cached_answers: self.answers.len(),
        })
    }
}
