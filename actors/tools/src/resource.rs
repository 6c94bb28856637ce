//! Documents that a client may want as context, without a call of its own making: MCP's resources.
//!
//! A resource is a tool that is read without arguments, so what a key may read and in which words it is refused is said once, by the tool.

use playhouse_house::{Scope, Scopes};
use serde_json::{Value, json};

/// The media type of every resource: each is a tool's JSON document.
pub const RESOURCE_MEDIA_TYPE: &str = "application/json";

/// The words under which a resource is listed, and the tool that it is read through.
#[derive(Debug, Clone, Copy)]
pub struct ResourceDescriptor {
    /// Its address.
    pub uri: &'static str,
    /// The address in the system that it comes from: accepted on read, never listed.
    pub seed_uri: Option<&'static str>,
    /// The name that programs use.
    pub name: &'static str,
    /// A short name for people.
    pub title: &'static str,
    /// What is in it.
    pub description: &'static str,
    /// The tool whose answer to no arguments it is.
    pub tool: &'static str,
    /// To whom it is listed. Reading it is the tool's to allow.
    pub audience: Audience,
}

/// Whom a resource or prompt is listed to. Lists only describe what exists, so this is a matter of tidiness, not of rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Audience(pub &'static [Scope]);

impl Audience {
    /// Whether a key with these scopes is shown it: a key that has one of the audience's, or that has none at all and so belongs to nobody
    /// else's wing.
    pub fn includes(self, scopes: Scopes) -> bool {
        scopes.is_empty() || self.0.iter().any(|scope| scopes.contains(*scope))
    }
}

/// All resources of the instance, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Resources(Vec<ResourceDescriptor>);

impl Resources {
    pub(crate) fn add(&mut self, resource: ResourceDescriptor) -> Result<(), &'static str> {
        if self.find(resource.uri).is_some() || resource.seed_uri.is_some_and(|uri| self.find(uri).is_some()) {
            return Err("a resource has its address already");
        }
        self.0.push(resource);
        Ok(())
    }

    /// The resource at an address, its own or the seed's.
    pub fn find(&self, uri: &str) -> Option<&ResourceDescriptor> {
        self.0.iter().find(|resource| resource.uri == uri || resource.seed_uri == Some(uri))
    }

    /// The JSON array of `resources/list` for a key with these scopes.
    pub fn list(&self, scopes: Scopes) -> Value {
        let listed = |resource: &ResourceDescriptor| {
            json!({
                "uri": resource.uri,
                "name": resource.name,
                "title": resource.title,
                "description": resource.description,
                "mimeType": RESOURCE_MEDIA_TYPE,
            })
        };
        self.0.iter().filter(|resource| resource.audience.includes(scopes)).map(listed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL_SHEET: ResourceDescriptor = ResourceDescriptor {
        uri: "playhouse://call-sheet",
        seed_uri: Some("seed://call-sheet"),
        name: "call-sheet",
        title: "Call sheet",
        description: "Who is called when.",
        tool: "get_call_sheet",
        audience: Audience(&[Scope::Read]),
    };

    #[test]
    fn a_resource_is_found_at_both_addresses_and_listed_at_one() {
        let mut resources = Resources::default();
        resources.add(CALL_SHEET).unwrap();
        for uri in ["playhouse://call-sheet", "seed://call-sheet"] {
            assert_eq!(resources.find(uri).map(|found| found.tool), Some("get_call_sheet"));
        }
        assert!(resources.find("playhouse://call").is_none());
        let listed = resources.list(Scopes::of(&[Scope::Read]));
        assert_eq!((listed.as_array().map(Vec::len), &listed[0]["uri"]), (Some(1), &json!("playhouse://call-sheet")));
    }

    #[test]
    fn keys_of_other_wings_are_not_shown_it() {
        let mut resources = Resources::default();
        resources.add(CALL_SHEET).unwrap();
        assert_eq!(resources.list(Scopes::of(&[Scope::Tv])), json!([]));
        assert_eq!(resources.list(Scopes::NONE).as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn an_address_is_given_once() {
        let mut resources = Resources::default();
        resources.add(CALL_SHEET).unwrap();
        assert!(resources.add(CALL_SHEET).is_err());
        assert!(resources.add(ResourceDescriptor { uri: "seed://call-sheet", seed_uri: None, ..CALL_SHEET }).is_err());
    }
}
