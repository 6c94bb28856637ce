use super::*;
use crate::service::Service;

fn section(found: DiagnosedQueue) -> Section<DiagnosedQueue> {
    let id = "radarr-00000001".parse().unwrap();
    let instance = InstanceSummary { id, service: Service::Radarr, name: "4K".into(), is_default: true, sort_order: 0 };
    Ok((Chosen { instance, was_named: false }, found))
}

fn nothing(n_items: usize) -> DiagnosedQueue {
    DiagnosedQueue {
        problems: Vec::new(),
        n_problems: 0,
        n_healthy: n_items,
        n_items,
        hints: Vec::new(),
        concerns_the_service: false,
    }
}

#[test]
fn an_empty_queue_a_healthy_one_and_one_narrowed_to_nothing_are_told_apart() {
    let scoped = Scope { season_number: Some(11), tmdb_id: Some(1), ..Scope::default() };
    let prose = |scope: &Scope, found| answer(scope, vec![section(found)]).prose;
    assert!(prose(&Scope::default(), nothing(0)).contains("The queue is empty"));
    assert!(prose(&Scope::default(), nothing(3)).contains("all 3 items in the queue are normal"));
    let narrowed = prose(&scoped, nothing(0));
    assert!(narrowed.contains("season 11") && narrowed.contains("cannot see imported files"), "{narrowed}");
}

#[test]
fn a_cause_in_the_service_points_to_its_health() {
    let answered =
        answer(&Scope::default(), vec![section(DiagnosedQueue { concerns_the_service: true, ..nothing(1) })]);
    assert!(answered.prose.contains("get_arr_health"), "{}", answered.prose);
    assert_eq!(answered.output.notes, [SEE_HEALTH]);
}
