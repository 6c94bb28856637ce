//! Scenes by the numbers that people use.

use std::collections::HashMap;

use super::Office;
use crate::model::{EpisodeId, Scene};

/// The scenes of an office by number, looked up once for all the numbers that are asked about: going through the script for each of them
/// takes as long as both are long, multiplied.
pub(crate) struct SceneNumbers<'a>(HashMap<&'a str, Vec<&'a Scene>>);

/// What a number means.
pub(crate) enum Numbered<'a> {
    One(&'a Scene),
    Nothing,
    /// One scene in each of several episodes.
    Several,
}

impl<'a> SceneNumbers<'a> {
    /// The numbers of all scenes that have one.
    pub(crate) fn of(office: &'a Office) -> Self {
        let mut numbers: HashMap<&str, Vec<&Scene>> = HashMap::new();
        for scene in office.script().filter(|scene| !scene.number.is_empty()) {
            numbers.entry(&scene.number).or_default().push(scene);
        }
        Self(numbers)
    }

    /// The scene with this number, within the episode if one is named; else it must be in one episode only.
    pub(crate) fn find(&self, number: &str, episode: Option<EpisodeId>) -> Numbered<'a> {
        let mut found = self.all(number).iter().filter(|scene| episode.is_none() || scene.episode_id == episode);
        match (found.next(), found.next()) {
            (Some(scene), None) => Numbered::One(scene),
            (None, _) => Numbered::Nothing,
            (Some(_), Some(_)) => Numbered::Several,
        }
    }

    /// The scenes with this number in script order.
    pub(crate) fn all(&self, number: &str) -> &[&'a Scene] {
        self.0.get(number).map_or(&[], Vec::as_slice)
    }
}
