//! A key that is bound to an engagement never sees, counts or can infer a node outside its reach.
//!
//! Generated productions are asked every question an engagement may ask, three times: as they are, with everything outside the reach taken
//! away, and with everything outside it changed. The answers are the same bytes. What is outside is worked out by [`outside`] from the
//! records alone, apart from the office's own [`Reach`](crate::office::Reach).

mod blueprint;
mod outside;

use std::collections::HashSet;

use jiff::civil::date;
use playhouse_house::{Scope, Scopes};
use proptest::prelude::*;
use serde_json::Value;

use self::blueprint::{OWN, blueprints};
use self::outside::{Seen, changed, removed};
use crate::clamp::Sight;
use crate::messages::{Document, OfficeRefusal, Question, Reader};
use crate::model::Entity;
use crate::office::Office;
use crate::reads::{self, View};

/// Past the largest number of anything in a blueprint.
const ID_END: i64 = 40;

fn office_of(records: &[Entity]) -> Office {
    let mut office = Office::default();
    for record in records {
        office.insert(record.clone());
    }
    office.settle_reach();
    office
}

fn every_question() -> impl Iterator<Item = Question> {
    let bundles = |node_id| [Question::SceneBundle { node_id }, Question::CharacterBundle { node_id }];
    let media = (0..ID_END).map(|id| Question::GetMedia { id });
    let lists = [Question::ListTurnovers, Question::ListPurchaseOrders];
    (0..ID_END).flat_map(bundles).chain(media).chain(lists)
}

fn ask(office: &Office, question: &Question) -> Result<Document, OfficeRefusal> {
    let reader = Reader::bound(OWN, Scopes::of(&[Scope::Read, Scope::ReadMoney, Scope::SubmitTurnover]));
    reads::admit(&reader, question)?;
    let view = View { office, sight: Sight::of(office, &reader)?, today: date(2026, 10, 7) };
    reads::answer(&view, question)
}

/// Every number under one of these names, at any depth.
fn numbers_under(value: &Value, names: &[&str], found: &mut HashSet<u64>) {
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| numbers_under(entry, names, found)),
        Value::Object(members) => {
            for (name, member) in members {
                if names.contains(&name.as_str()) {
                    found.extend(member.as_u64());
                }
                numbers_under(member, names, found);
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn answers_do_not_depend_on_what_is_outside_the_reach(plan in blueprints()) {
        let records = plan.records();
        let seen = Seen::by(OWN, &records);
        let whole = office_of(&records);
        let others = [("removed", office_of(&removed(&records, &seen))), ("changed", office_of(&changed(&records, &seen)))];
        for question in every_question() {
            let answer = ask(&whole, &question);
            for (how, other) in &others {
                let (one, two) = (answer.as_ref().map(Document::json), ask(other, &question));
                prop_assert_eq!(one, two.as_ref().map(Document::json), "{:?} with the rest {}", question, how);
            }
        }
    }

    #[test]
    fn every_node_in_an_answer_is_in_reach(plan in blueprints()) {
        let records = plan.records();
        let seen = Seen::by(OWN, &records);
        let office = office_of(&records);
        for question in every_question() {
            let Ok(document) = ask(&office, &question) else { continue };
            let mut nodes = HashSet::new();
            let value: Value = serde_json::from_str(document.json()).unwrap();
            numbers_under(&value, &["node_id", "scene_node_id"], &mut nodes);
            for node in nodes {
                prop_assert!(seen.nodes().any(|seen| u64::from(seen.0) == node), "{node} in the answer to {question:?}");
            }
            let mut engagements = HashSet::new();
            numbers_under(&value, &["engagement_id"], &mut engagements);
            prop_assert!(engagements.iter().all(|id| *id == u64::from(OWN.0)), "{:?}: {:?}", question, engagements);
        }
    }
}

/// The property would hold of an office that answers nothing: reaches are neither empty nor everything throughout.
#[test]
fn the_generated_reaches_are_parts() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut n_nodes, mut n_seen, mut n_answers) = (0, 0, 0);
    for _ in 0..100 {
        let records = blueprints().new_tree(&mut runner).unwrap().current().records();
        let seen = Seen::by(OWN, &records);
        n_seen += seen.nodes().count();
        n_nodes += records
            .iter()
            .filter(|it| matches!(it, Entity::Scene(_) | Entity::Asset(_) | Entity::Character(_)))
            .count();
        let office = office_of(&records);
        n_answers += every_question().filter(|question| ask(&office, question).is_ok()).count();
    }
    assert!(n_seen * 5 > n_nodes && n_seen * 5 < n_nodes * 4, "{n_seen} of {n_nodes} nodes are in reach");
    assert!(n_answers > 400, "{n_answers} answers");
}
