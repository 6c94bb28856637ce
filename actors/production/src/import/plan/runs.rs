//! Scenes of two drafts that are the same one.

use std::collections::HashMap;

use super::super::ParsedScene;
use crate::model::Scene;

/// For each parsed scene, the place of the scene among `known` that it is; none for a new one.
///
/// A number that both drafts know decides. Where one of the two is not numbered, the heading does, in order: of all ways to
/// pair scenes of equal headings without crossing, one that pairs the most.
pub(super) fn matched(known: &[&Scene], parsed: &[ParsedScene]) -> Vec<Option<usize>> {
    let numbers: HashMap<&str, usize> = known
        .iter()
        .enumerate()
        .filter(|(_, scene)| !scene.number.is_empty())
        .map(|(at, scene)| (scene.number.as_str(), at))
        .collect();
    let mut found: Vec<Option<usize>> =
        parsed.iter().map(|scene| scene.number.as_deref().and_then(|number| numbers.get(number).copied())).collect();
    let taken = |found: &[Option<usize>]| {
        let mut taken = vec![false; known.len()];
        found.iter().flatten().for_each(|at| taken[*at] = true);
        taken
    };

    // Scenes without a number may be any that is left; scenes that got their first number now, only those that had none.
    for numbered in [false, true] {
        let taken = taken(&found);
        let free = |at: &usize| !taken[*at] && (!numbered || known[*at].number.is_empty());
        let left: Vec<usize> = (0..known.len()).filter(free).collect();
        let new: Vec<usize> =
            (0..parsed.len()).filter(|at| found[*at].is_none() && parsed[*at].number.is_some() == numbered).collect();
        let old_headings: Vec<&str> = left.iter().map(|at| known[*at].heading.as_str()).collect();
        let new_headings: Vec<&str> = new.iter().map(|at| parsed[*at].heading.as_str()).collect();
        for (old, new_at) in longest_common_run(&old_headings, &new_headings) {
            found[new[new_at]] = Some(left[old]);
        }
    }
    found
}

/// Pairs of places with equal words, in order, as many as possible.
fn longest_common_run(one: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let n_head = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[n_head..], &other[n_head..]);
    let n_tail = one_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one_mid, other_mid) = (&one_rest[..one_rest.len() - n_tail], &other_rest[..other_rest.len() - n_tail]);

    let mut pairs: Vec<(usize, usize)> = (0..n_head).map(|at| (at, at)).collect();
    // How long the longest run is from each pair of places on. Scripts have at most some thousands of scenes, mostly alike at both ends.
    let width = other_mid.len() + 1;
    let mut lengths = vec![0_u16; (one_mid.len() + 1) * width];
    for a in (0..one_mid.len()).rev() {
        for b in (0..other_mid.len()).rev() {
            lengths[a * width + b] = if one_mid[a] == other_mid[b] {
                lengths[(a + 1) * width + b + 1] + 1
            } else {
                lengths[(a + 1) * width + b].max(lengths[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    while a < one_mid.len() && b < other_mid.len() {
        if one_mid[a] == other_mid[b] {
            pairs.push((n_head + a, n_head + b));
            (a, b) = (a + 1, b + 1);
        } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs.extend((0..n_tail).map(|at| (one.len() - n_tail + at, other.len() - n_tail + at)));
    pairs
}

/// The order of all scenes: those of the new draft as it has them, and those it left out each behind the one it stood behind.
///
/// `known` and `found` as in [`matched`]. Answers places: `Ok` among `parsed`, `Err` among `known`.
pub(super) fn merged_order(n_known: usize, found: &[Option<usize>]) -> Vec<Result<usize, usize>> {
    let mut place_of = vec![None; n_known];
    for (new, old) in found.iter().enumerate() {
        if let Some(old) = old {
            place_of[*old] = Some(new);
        }
    }
    // What was left out, by the parsed scene it follows; those before all others come first.
    let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut last = None;
    for (old, place) in place_of.iter().enumerate() {
        match place {
            Some(new) => last = Some(*new),
            None => followers.entry(last).or_default().push(old),
        }
    }
    let mut order = Vec::with_capacity(found.len() + n_known);
    let mut add_followers = |order: &mut Vec<_>, of| order.extend(followers.remove(&of).into_iter().flatten().map(Err));
    add_followers(&mut order, None);
    for new in 0..found.len() {
        order.push(Ok(new));
        add_followers(&mut order, Some(new));
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_run_of_equal_headings_is_kept() {
        let pairs = |one: &str, other: &str| {
            let split = |text: &str| text.chars().map(|c| c.to_string()).collect::<Vec<_>>();
            let (one, other) = (split(one), split(other));
            let (one, other): (Vec<&str>, Vec<&str>) =
                (one.iter().map(String::as_str).collect(), other.iter().map(String::as_str).collect());
            longest_common_run(&one, &other)
        };
        assert_eq!(pairs("abc", "abc"), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(pairs("abc", "axbc"), [(0, 0), (1, 2), (2, 3)]);
        assert_eq!(pairs("abcd", "bdac"), [(1, 0), (3, 1)]);
        assert_eq!(pairs("aa", "aaa").len(), 2);
        assert_eq!(pairs("", "a"), []);
    }

    #[test]
    fn what_was_left_out_stays_behind_the_scene_it_stood_behind() {
        // Known 0 1 2 3; the new draft has 0, a new one, 3.
        assert_eq!(merged_order(4, &[Some(0), None, Some(3)]), [Ok(0), Err(1), Err(2), Ok(1), Ok(2)]);
        assert_eq!(merged_order(2, &[None]), [Err(0), Err(1), Ok(0)]);
    }

    proptest! {
        #[test]
        fn every_scene_has_one_place(found in proptest::collection::vec(proptest::option::of(0_usize..6), 0..8)) {
            let mut seen = std::collections::HashSet::new();
            let found: Vec<Option<usize>> = found.into_iter().map(|at| at.filter(|at| seen.insert(*at))).collect();
            let order = merged_order(6, &found);
            prop_assert_eq!(order.len(), 6 - seen.len() + found.len());
            prop_assert_eq!(order.iter().collect::<std::collections::HashSet<_>>().len(), order.len());
        }

        #[test]
        fn pairs_never_cross_and_are_equal(one in "[a-c]{0,9}", other in "[a-c]{0,9}") {
            let (one, other): (Vec<String>, Vec<String>) = (one.chars().map(String::from).collect(), other.chars().map(String::from).collect());
            let (one, other): (Vec<&str>, Vec<&str>) = (one.iter().map(String::as_str).collect(), other.iter().map(String::as_str).collect());
            let pairs = longest_common_run(&one, &other);
            prop_assert!(pairs.iter().all(|(a, b)| one[*a] == other[*b]));
            prop_assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        }
    }
}
