//! A request that was found to be in order, and the ways to answer it.

use serde_json::{Value, json};

use super::wire::resource;
use crate::loopback::{Body, Incoming, Reply};

/// A request that was found to be in order.
pub(crate) struct Ask<'a> {
    pub(crate) incoming: &'a Incoming,
    /// The number in the path.
    pub(crate) id: Option<u32>,
    /// Null without one.
    pub(crate) body: Value,
}

impl Ask<'_> {
    /// Names are matched without regard to case, as the applications' framework does.
    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let own = self.incoming.query.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        own.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values(name).next().filter(|value| !value.is_empty())
    }

    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.text(name)?.parse().ok()
    }

    /// Repeated parameters: a list joined by commas is none.
    pub(crate) fn numbers(&self, name: &str) -> Vec<u32> {
        self.values(name).filter_map(|value| value.parse().ok()).collect()
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.text(name).map(|value| value.eq_ignore_ascii_case("true"))
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.flag(name).unwrap_or(false)
    }
}

/// A property of a body, whose name is matched without regard to case.
pub(crate) fn property<'a>(body: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = body.as_object()?;
    fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

pub(crate) fn id_of(body: &Value, name: &str) -> Option<u32> {
    property(body, name)?.as_u64()?.try_into().ok()
}

pub(crate) fn ids_of(body: &Value, name: &str) -> Vec<u32> {
    let list = property(body, name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|id| id.as_u64()?.try_into().ok()).collect()
}

/// Answers with a resource: what is null is left out.
pub(crate) fn found(value: Value) -> Reply {
    Reply::ok(resource(value))
}

/// Answers a list. What is null in it has been left out already, where it should be.
pub(crate) fn listed(entries: impl IntoIterator<Item = Value>) -> Reply {
    Reply::ok(Value::Array(entries.into_iter().collect()))
}

pub(crate) fn created(value: Value) -> Reply {
    Reply::new(201, resource(value))
}

/// As deletions are answered: there is nothing to read in it.
pub(crate) fn done() -> Reply {
    Reply::ok(json!({}))
}

/// Answers of the application itself: the second of the five shapes of an error. The description is a stack trace, with what such a trace
/// gives away.
pub(crate) fn raised(status: u16, message: &str) -> Reply {
    let trace = format!(
        "NzbDrone.Core.Exceptions.NzbDroneClientException: {message}\n   at NzbDrone.Core.Datastore in /config/logs/app.db\n   \
         at http://prowlarr.example.org:9696/2/api?apikey=0123456789abcdef"
    );
    Reply::new(status, json!({ "message": message, "description": trace }))
}

pub(crate) fn no_such_model(name: &str, id: u32) -> Reply {
    raised(404, &format!("{name} with ID {id} does not exist"))
}

/// What a rule of the application refuses: the first shape.
pub(crate) fn invalid(property: &str, message: &str, code: &str) -> Reply {
    let entry = json!({ "propertyName": property, "errorMessage": message, "severity": "error", "errorCode": code,
        "formattedMessageArguments": [], "formattedMessagePlaceholderValues": { "propertyName": property } });
    Reply::new(400, json!([entry]))
}

/// What the web framework could not even read: the third shape.
pub(crate) fn unbindable(path: &str, message: &str) -> Reply {
    let body = json!({ "type": "https://tools.ietf.org/html/rfc9110#section-15.5.1",
        "title": "One or more validation errors occurred.", "status": 400,
        "traceId": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", "errors": { path: [message] } });
    Reply::new(400, body)
}

/// Nothing but the status.
pub(crate) fn bare(status: u16) -> Reply {
    Reply::of(status, Body::Empty)
}
