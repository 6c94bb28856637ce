//! What a test sees of an application's preferences, and does to them behind everybody's back.

use std::{borrow::Borrow, sync::Arc};

use serde_json::Value;

use super::{Kept, Preferences, bind, format_rules};
use crate::arr::ArrStandin;

/// How a profile lists the formats that come from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Once, with this score. The applications all take 0.
    AtScore(i32),
    /// With two entries.
    Twice,
    /// As if it had not heard of them.
    NotAtAll,
}

/// Changes of profiles and formats that were asked for by HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SettingsWrites {
    /// What was kept.
    pub n_accepted: usize,
    /// What arrived and was not kept: refused by a rule, lost in a misbehaviour, or still held back.
    pub n_refused: usize,
}

impl SettingsWrites {
    /// Both together: how many arrived.
    #[must_use]
    pub fn n_all(self) -> usize {
        self.n_accepted + self.n_refused
    }
}

impl Preferences {
    /// The profiles, as they are.
    #[must_use]
    pub fn profiles(&self) -> Vec<Value> {
        self.profiles.iter().map(|kept| kept.value.clone()).collect()
    }

    /// The custom formats, as they are.
    #[must_use]
    pub fn formats(&self) -> Vec<Value> {
        self.formats.iter().map(|kept| kept.value.clone()).collect()
    }

    /// The number of the format that came last.
    #[must_use]
    pub fn newest_format(&self) -> Option<u32> {
        self.formats.last().map(|kept| kept.id)
    }

    /// Changes a profile to anything at all. It is asked for by the same number afterwards, whatever it says of itself.
    ///
    /// # Panics
    /// Where there is no such profile.
    pub fn edit_profile(&mut self, id: u32, edit: impl FnOnce(&mut Value)) {
        edit(&mut find(&mut self.profiles, "profile", id).value);
    }

    /// Changes a custom format to anything at all. Profiles call it by its new name, if that is what changed.
    ///
    /// # Panics
    /// Where there is no such format.
    pub fn edit_format(&mut self, id: u32, edit: impl FnOnce(&mut Value)) {
        edit(&mut find(&mut self.formats, "format", id).value);
        self.name_all_again();
    }

    /// Adds a custom format as somebody else does, and answers its number. It is kept as the application would keep it, and where that cannot
    /// be read at all, as it is: two of one name, or none, can be had like this.
    pub fn add_format(&mut self, format: impl Borrow<Value>) -> u32 {
        let format = format.borrow();
        let id = self.next_format_id();
        let shaped = bind::bind(self.kind, &bind::FORMAT, format).ok();
        let shaped = shaped.and_then(|sent| format_rules::shaped(self, &sent, id).ok());
        let kept = shaped.unwrap_or_else(|| {
            let mut as_it_is = format.clone();
            if let Some(members) = as_it_is.as_object_mut() {
                members.insert("id".to_owned(), id.into());
            }
            as_it_is
        });
        self.enter(kept)
    }

    /// Deletes a custom format: no profile lists it any more, and one that lists none asks for no score.
    pub fn remove_format(&mut self, id: u32) {
        self.formats.retain(|kept| kept.id != id);
        for profile in &mut self.profiles {
            if let Some(list) = profile.value.get_mut("formatItems").and_then(Value::as_array_mut) {
                list.retain(|entry| entry["format"] != id);
                if list.is_empty() {
                    // No release could have a score any more.
                    profile.value["minFormatScore"] = 0.into();
                    profile.value["cutoffFormatScore"] = 0.into();
                }
            }
        }
    }

    /// Deletes a profile.
    pub fn remove_profile(&mut self, id: u32) {
        self.profiles.retain(|kept| kept.id != id);
    }

    /// Calls a language otherwise in the catalogue, and in profiles that are for it. Conditions keep the list that they were written with.
    ///
    /// # Panics
    /// Where no language has this number.
    pub fn rename_language(&mut self, id: i32, name: &str) {
        let language = self.languages.iter_mut().find(|known| known.id == id);
        language.unwrap_or_else(|| panic!("no language has the number {id}")).name = name.to_owned();
        self.name_all_again();
    }

    /// Lists formats that come from now on wrongly in one profile.
    pub fn list_new_formats(&mut self, profile: u32, listing: Listing) {
        self.listings.insert(profile, listing);
    }
}

fn find<'a>(kept: &'a mut [Kept], what: &str, id: u32) -> &'a mut Kept {
    kept.iter_mut().find(|kept| kept.id == id).unwrap_or_else(|| panic!("no {what} has the number {id}"))
}

impl ArrStandin {
    /// The quality profiles, as they are.
    #[must_use]
    pub fn profiles(&self) -> Vec<Value> {
        self.read(|world| world.preferences.profiles())
    }

    /// The custom formats, as they are.
    #[must_use]
    pub fn formats(&self) -> Vec<Value> {
        self.read(|world| world.preferences.formats())
    }

    /// How many PUTs and POSTs arrived at profiles and formats, and what became of them.
    #[must_use]
    pub fn n_settings_writes(&self) -> SettingsWrites {
        self.read(|world| {
            let preferences = &world.preferences;
            let n_accepted = preferences.n_writes_accepted;
            SettingsWrites { n_accepted, n_refused: preferences.n_writes_arrived.saturating_sub(n_accepted) }
        })
    }

    /// Does to its preferences what somebody else does at this moment; see [`Preferences`].
    pub fn prefer<T>(&self, change: impl FnOnce(&mut Preferences) -> T) -> T {
        self.change(|world| change(&mut world.preferences))
    }

    /// [`Preferences::edit_profile`] at this moment.
    ///
    /// # Panics
    /// Where there is no such profile.
    pub fn edit_profile(&self, id: u32, edit: impl FnOnce(&mut Value)) {
        self.prefer(|preferences| preferences.edit_profile(id, edit));
    }

    /// [`Preferences::edit_format`] at this moment.
    ///
    /// # Panics
    /// Where there is no such format.
    pub fn edit_format(&self, id: u32, edit: impl FnOnce(&mut Value)) {
        self.prefer(|preferences| preferences.edit_format(id, edit));
    }

    /// [`Preferences::add_format`] at this moment.
    pub fn add_format(&self, format: impl Borrow<Value>) -> u32 {
        self.prefer(|preferences| preferences.add_format(format))
    }

    /// [`Preferences::remove_format`] at this moment.
    pub fn remove_format(&self, id: u32) {
        self.prefer(|preferences| preferences.remove_format(id));
    }

    /// [`Preferences::rename_language`] at this moment.
    ///
    /// # Panics
    /// Where no language has this number.
    pub fn rename_language(&self, id: i32, name: &str) {
        self.prefer(|preferences| preferences.rename_language(id, name));
    }

    /// [`Preferences::list_new_formats`] at this moment.
    pub fn list_new_formats(&self, profile: u32, listing: Listing) {
        self.prefer(|preferences| preferences.list_new_formats(profile, listing));
    }

    /// Is a build from now on that is too old to know custom formats: 404 to every call about them.
    pub fn no_custom_formats(&self) {
        self.prefer(|preferences| preferences.is_without_formats = true);
    }

    /// Reads the conditions of formats as current builds are written to: one of an unknown implementation is a 500 of the application's, and
    /// an unknown field is passed over without a word. Unless told so it refuses both with a 400.
    pub fn read_conditions_leniently(&self) {
        self.prefer(|preferences| preferences.is_lenient = true);
    }

    /// Lets somebody else change something right before the n-th of these calls from now, counted from 1, is carried out. `calls` as for
    /// [`misbehave`](crate::Standin::misbehave).
    ///
    /// With `PUT */qualityprofile/*` and 1 that is between everybody's last look and the write.
    pub fn prefer_before(&self, calls: &str, nth: usize, change: impl FnOnce(&mut Preferences) + Send + 'static) {
        let service = Arc::clone(&self.service);
        self.before(calls, nth, move || change(&mut service.world().preferences));
    }

    /// Lets somebody else change something right after the n-th of these calls from now, counted from 1, was carried out: its answer does not
    /// know of it yet. `calls` as for [`misbehave`](crate::Standin::misbehave).
    ///
    /// With a GET that is between two looks; with a PUT it is what a look afterwards finds otherwise than it was written.
    pub fn prefer_after(&self, calls: &str, nth: usize, change: impl FnOnce(&mut Preferences) + Send + 'static) {
        let service = Arc::clone(&self.service);
        self.after(calls, nth, move || change(&mut service.world().preferences));
    }
}
