//! The table of calls against the services' own descriptions.

use playhouse_library::Service;
use playhouse_library::client::calls::CALLS;
use serde_json::Value;

use crate::shared::folder;

/// What the descriptions lack, with the reason why it is sent all the same.
const NOT_DESCRIBED: &[(Service, &str, &str)] = &[];

#[test]
fn every_call_and_parameter_is_in_its_services_description() {
    let Some(folder) = folder("arr-openapi") else { return };
    let mut missing = Vec::new();
    let mut n_checked = 0;
    for service in Service::ALL {
        let text = std::fs::read(folder.join(format!("{}.json", service.key()))).unwrap();
        let description: Value = serde_json::from_slice(&text).unwrap();
        for call in CALLS.iter().filter(|call| call.services.contains(&service)) {
            let path = format!("{}/{}", service.facts().api, call.path);
            let verb = call.verb.as_str().to_lowercase();
            let operation = &description["paths"][&path][&verb];
            let mut lacks = |what: &str| {
                if !NOT_DESCRIBED.contains(&(service, call.path, what)) {
                    missing.push(format!("{service} {verb} {path}: {what}"));
                }
            };
            if operation.is_null() {
                lacks("the call");
                continue;
            }
            let described = |name: &str| {
                operation["parameters"]
                    .as_array()
                    .is_some_and(|all| all.iter().any(|one| one["in"] == "query" && one["name"] == name))
            };
            call.query.iter().filter(|name| !described(name)).for_each(|name| lacks(name));
            n_checked += 1;
        }
    }
    assert_eq!(missing, [""; 0]);
    assert!(n_checked > 60, "{n_checked} calls");
}
