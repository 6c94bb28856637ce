use jiff::ToSpan;

use super::*;

fn now() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

/// An episode that airs `air_in_hours` from now, with a file imported `imported_in_hours` from now.
fn episode(number: u32, air_in_hours: Option<i64>, file: Option<Option<i64>>) -> DatedEpisode {
    let at = |hours: i64| now() + hours.hours();
    DatedEpisode {
        season: 3,
        number,
        title: format!("Part {number}"),
        air: air_in_hours.map(at),
        has_file: file.is_some(),
        file: file.map(|imported| EpisodeFileFacts {
            imported: imported.map(at),
            release: Some(format!("Show.S03E{number:02}")),
            quality: Some("WEBDL-1080p".into()),
        }),
    }
}

const DAYS: i64 = 24;

fn with_file(number: u32, air_in_hours: i64, imported_in_hours: i64) -> DatedEpisode {
    episode(number, Some(air_in_hours), Some(Some(imported_in_hours)))
}

fn without_file(number: u32, air_in_hours: i64) -> DatedEpisode {
    episode(number, Some(air_in_hours), None)
}

fn laid_out(episodes: &[DatedEpisode]) -> SeasonLayout {
    lay_out(3, episodes, now())
}

#[test]
fn case_131_two_unaired_episodes_with_files_13_days_early_are_a_finding() {
    let layout = laid_out(&[with_file(1, 13 * DAYS - 1, -1), with_file(2, 20 * DAYS, -1), without_file(3, 27 * DAYS)]);
    assert!(layout.counts.pre_air_fill);
    assert_eq!(layout.unaired_with_file, [1, 2]);
    assert_eq!(layout.episodes_to_clear(), Some(&[1, 2][..]));
    assert!(layout.explanation.contains("episodes 1, 2 of season 3"), "{}", layout.explanation);
    assert!(layout.explanation.contains("imported on 2026-11-30"), "{}", layout.explanation);
    assert!(layout.explanation.contains("airs on 2026-12-13"), "{}", layout.explanation);
    assert!(layout.explanation.contains("cannot be the episodes"), "{}", layout.explanation);
}

#[test]
fn case_132_one_unaired_episode_with_a_file_is_a_near_miss() {
    let layout = laid_out(&[with_file(1, -DAYS, -1), with_file(2, 13 * DAYS, -1)]);
    assert!(!layout.counts.pre_air_fill);
    assert_eq!(layout.episodes_to_clear(), None);
    assert!(layout.explanation.contains("Episode 2 has a file although it is dated later"), "{}", layout.explanation);
}

#[test]
fn case_133_a_binge_premiere_staggered_by_running_time_is_no_finding() {
    let episodes: Vec<_> = (1..=12).map(|number| with_file(number, i64::from(number), 0)).collect();
    let layout = laid_out(&episodes);
    assert!(!layout.counts.pre_air_fill);
    assert_eq!((layout.unaired_with_file, layout.imported_before_air), (vec![], vec![]));
}

#[test]
fn case_134_exactly_twelve_hours_do_not_count_and_more_do() {
    let second = SignedDuration::from_secs(1);
    let mut at_the_edge = with_file(1, 12, 0);
    let at = laid_out(&[at_the_edge.clone()]);
    assert!(at.imported_before_air.is_empty() && at.unaired_with_file.is_empty());

    at_the_edge.air = Some(at_the_edge.air.unwrap() + second);
    assert_eq!(laid_out(&[at_the_edge.clone()]).imported_before_air, [1]);
    assert_eq!(laid_out(&[at_the_edge]).unaired_with_file, [1]);
}

#[test]
fn case_135_an_import_at_the_air_instant_does_not_count() {
    assert!(laid_out(&[with_file(1, -5, -5)]).imported_before_air.is_empty());
}

#[test]
fn an_episode_is_aired_from_its_air_instant_on() {
    let layout = laid_out(&[without_file(1, 0), without_file(2, 1)]);
    assert_eq!(layout.counts.aired, 1);
    assert_eq!(layout.aired_missing, [1]);
}

#[test]
fn a_file_does_not_make_an_episode_aired() {
    let layout = laid_out(&[with_file(1, 5 * DAYS, -1)]);
    assert_eq!((layout.counts.aired, layout.counts.with_files), (0, 1));
    assert_eq!(layout.episodes[0].state, AirState::Unaired);
}

#[test]
fn an_old_early_import_is_listed_without_being_a_finding() {
    let layout = laid_out(&[with_file(1, -30 * DAYS, -40 * DAYS), with_file(2, -23 * DAYS, -40 * DAYS)]);
    assert_eq!(layout.imported_before_air, [1, 2]);
    assert!(!layout.counts.pre_air_fill);
    assert_eq!(layout.episodes_to_clear(), None);
}

#[test]
fn case_136_undated_episodes_with_files_are_in_no_list() {
    let layout = laid_out(&[episode(1, None, Some(Some(-1))), episode(2, None, Some(None)), episode(3, None, None)]);
    assert_eq!((layout.counts.total, layout.counts.aired, layout.counts.with_files), (3, 0, 2));
    assert_eq!((layout.unaired_with_file, layout.imported_before_air, layout.aired_missing), (vec![], vec![], vec![]));
    assert!(layout.episodes.iter().all(|line| line.state == AirState::Unscheduled && line.flags.is_empty()));
    assert_eq!((layout.first_air, layout.last_air), (None, None));
}

#[test]
fn case_137_duplicate_records_are_listed_once() {
    let layout = laid_out(&[
        with_file(2, 20 * DAYS, -1),
        with_file(1, 13 * DAYS, -1),
        with_file(2, 20 * DAYS, -1),
        with_file(1, 13 * DAYS, -1),
        without_file(4, -1),
        without_file(4, -1),
    ]);
    assert_eq!(layout.unaired_with_file, [1, 2]);
    assert_eq!(layout.imported_before_air, [1, 2]);
    assert_eq!(layout.aired_missing, [4]);
}

#[test]
fn duplicates_of_one_episode_are_no_finding() {
    assert!(!laid_out(&[with_file(1, 13 * DAYS, -1), with_file(1, 13 * DAYS, -1)]).counts.pre_air_fill);
}

#[test]
fn case_138_a_finding_without_import_dates_stands_but_proposes_nothing() {
    let mut unread = without_file(2, 20 * DAYS);
    unread.has_file = true;
    let layout = laid_out(&[episode(1, Some(13 * DAYS), Some(None)), unread]);
    assert!(layout.counts.pre_air_fill);
    assert_eq!(layout.earliest_import, None);
    assert!(!layout.explanation.contains("imported"), "{}", layout.explanation);
    assert_eq!(layout.episodes_to_clear(), None);
}

#[test]
fn case_139_a_series_overview_details_the_newest_flagged_season() {
    let season = |season: u32, flagged: bool| {
        let in_season = move |mut episode: DatedEpisode| {
            episode.season = season;
            episode
        };
        let air = if flagged { 20 * DAYS } else { -20 * DAYS };
        [in_season(with_file(1, air, -1)), in_season(with_file(2, air, -1))]
    };
    let episodes = [season(11, true), season(12, false), season(3, true)].concat();
    let seasons = lay_out_all(episodes, now());
    assert_eq!(seasons.iter().map(|layout| layout.counts.season).collect::<Vec<_>>(), [3, 11, 12]);
    assert_eq!(newest_flagged(&seasons).unwrap().counts.season, 11);
}

#[test]
fn case_140_nothing_flagged_names_no_season() {
    let seasons = lay_out_all(vec![with_file(1, -DAYS, -1), without_file(2, DAYS)], now());
    assert_eq!(newest_flagged(&seasons), None);
}

#[test]
fn case_141_of_65_episodes_60_are_listed_and_5_are_counted() {
    let episodes: Vec<_> = (1..=65).rev().map(|number| without_file(number, -1)).collect();
    let layout = laid_out(&episodes);
    assert_eq!(layout.episodes.len(), 60);
    assert_eq!((layout.episodes[0].number, layout.episodes[59].number), (1, 60));
    assert_eq!(layout.aired_missing.len(), 65, "the lists are whole");
    assert!(layout_prose(&layout).ends_with("…and 5 more"));
}

#[test]
fn first_and_last_air_and_the_earliest_import_are_over_what_is_known() {
    let layout = laid_out(&[with_file(2, -5, -3), episode(3, None, Some(Some(-9))), without_file(1, -7)]);
    assert_eq!(layout.first_air, Some(now() - 7.hours()));
    assert_eq!(layout.last_air, Some(now() - 5.hours()));
    assert_eq!(layout.earliest_import, Some(now() - 9.hours()));
}

#[test]
fn an_empty_season_says_so() {
    assert_eq!(lay_out(0, &[], now()).explanation, "There are no episodes in the specials (season 0).");
}

#[test]
fn a_whole_season_is_told_with_its_counts() {
    let all = laid_out(&[with_file(1, -5, -3), with_file(2, -4, -3)]);
    assert_eq!(
        all.explanation,
        "Season 3 has 2 episodes: 2 aired, 2 with files. Every episode that has aired has a file."
    );
    let missing = laid_out(&[with_file(1, -5, -3), without_file(2, -4)]);
    assert_eq!(missing.explanation, "Season 3 has 2 episodes: 2 aired, 1 with files. 1 aired episode has no file.");
}

#[test]
fn a_line_names_episode_file_and_what_to_look_at() {
    let layout = laid_out(&[with_file(7, 13 * DAYS, -1)]);
    let prose = layout_prose(&layout);
    assert_eq!(
        prose.lines().last().unwrap(),
        "S03E07 \"Part 7\": airs 2026-12-13 12:00 UTC; file: Show.S03E07 [WEBDL-1080p], imported 2026-11-30 11:00 UTC ← file for an episode that \
         has not aired; imported before it aired"
    );
}
