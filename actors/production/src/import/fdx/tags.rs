//! The breakdown in a Final Draft file: numbers on the words, definitions and categories at the end.

use std::collections::HashMap;

use super::super::text::tidied;
use super::Attributes;

/// What `TagData` says. A run carries the number of a tag; the tag names a definition, and that a category.
#[derive(Default)]
pub(super) struct TagData {
    category_names: HashMap<String, String>,
    /// Label and category of each definition.
    definitions: HashMap<String, (String, String)>,
    /// The definition of each number.
    numbers: HashMap<String, String>,
    /// The number of the tag that is being read.
    number: Option<String>,
}

impl TagData {
    pub(super) fn open(&mut self, name: &str, attributes: &Attributes<'_>) {
        match name {
            "TagCategory" => {
                if let (Some(id), Some(name)) = (attributes.get("Id"), attributes.get("Name")) {
                    self.category_names.insert(id, tidied(&name));
                }
            }
            "TagDefinition" => {
                if let (Some(id), Some(category), Some(label)) =
                    (attributes.get("Id"), attributes.get("CatId"), attributes.get("Label"))
                {
                    if let Some(number) = attributes.get("Number") {
                        // A file without a list of tags has the number here. Where there is one, it decides.
                        self.numbers.entry(number).or_insert_with(|| id.clone());
                    }
                    self.definitions.insert(id, (tidied(&label), category));
                }
            }
            "Tag" => {
                self.number = attributes.get("Number");
                if let Some(definition) = attributes.get("DefId") {
                    self.point_at(&definition);
                }
            }
            _ => {}
        }
    }

    /// The tag that is being read is of this definition.
    pub(super) fn point_at(&mut self, definition: &str) {
        if let Some(number) = &self.number {
            self.numbers.insert(number.clone(), definition.trim().to_owned());
        }
    }

    /// Category and label of the thing that words with this number stand for.
    pub(super) fn find(&self, number: &str) -> Option<(&str, &str)> {
        let (label, category) = self.definitions.get(self.numbers.get(number)?)?;
        Some((self.category_names.get(category).map_or("", String::as_str), label))
    }
}
