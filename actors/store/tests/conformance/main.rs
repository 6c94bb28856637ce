//! What every store promises, tried on each backend.
//!
//! A new backend implements [`Subject`] and is added to the list at the end of this file.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

mod claims;
mod logs;
mod model;
mod records;
mod restores;
mod subject;
mod watching;

use subject::{Memory, Sled, Subject};

/// Runs each named case on a fresh store of the given backend.
macro_rules! holds_for {
    ($backend:ident: $($module:ident :: { $($case:ident),+ $(,)? })+) => {
        $($(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                crate::$module::$case(<crate::$backend as crate::Subject>::fresh().await).await;
            }
        )+)+

        #[test]
        fn any_run_of_calls_answers_as_the_model_does() {
            crate::model::check::<crate::$backend>();
        }
    };
}

macro_rules! conformance {
    ($($name:ident = $backend:ident),+ $(,)?) => {
        $(mod $name {
            holds_for! { $backend:
                records::{
                    what_is_put_is_read_back_with_its_version,
                    a_condition_that_fails_names_the_record_and_stops_the_whole_commit,
                    absent_and_version_conditions_hold_for_deletes_too,
                    a_version_is_never_given_twice_even_after_a_delete,
                    houses_do_not_see_each_other,
                    a_scan_goes_by_whole_segments_in_order,
                    a_page_ends_at_its_limit_and_says_whether_there_is_more,
                    a_page_of_large_values_ends_early,
                    what_breaks_a_rule_is_refused_and_changes_nothing,
                    the_largest_value_is_accepted,
                    counting_together_loses_nothing,
                    a_page_never_shows_half_of_a_commit,
                    everything_is_there_after_opening_again,
                    a_closed_store_answers_unavailable,
                }
                logs::{
                    entries_are_numbered_from_one_without_holes,
                    appending_again_answers_the_first_place,
                    the_same_name_for_other_bytes_is_refused,
                    logs_are_listed_and_apart_from_records,
                    logs_with_names_that_begin_alike_do_not_mix,
                }
                claims::{
                    one_node_at_a_time_owns_a_resource,
                    a_claim_ends_with_its_time_unless_renewed,
                    the_owner_claims_again_under_a_new_epoch,
                    a_released_resource_is_free_and_its_epoch_is_over,
                    a_fenced_write_changes_nothing,
                    epochs_survive_opening_again,
                }
                watching::{
                    watchers_hear_of_what_is_beneath_their_prefix,
                    a_slow_watcher_is_told_that_it_missed_something,
                    watching_ends_when_the_store_closes,
                }
                restores::{
                    a_restored_house_has_exactly_what_came_in,
                    an_occupied_house_is_replaced_only_when_asked,
                    a_source_that_fails_leaves_the_house_as_it_was,
                    a_restore_given_up_half_way_leaves_no_trace,
                    a_house_is_restored_by_one_at_a_time,
                    entries_that_break_a_rule_stop_the_restore,
                    a_version_from_before_does_not_fit_after,
                    more_than_one_round_of_entries_appears_at_once,
                    a_write_before_the_end_of_a_refusing_restore_wins,
                }
            }
        })+
    };
}

conformance! { memory = Memory, sled = Sled }
