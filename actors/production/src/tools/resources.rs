//! The six documents that clients take along as context.

use playhouse_tools::{DuplicateTool, Registry, ResourceDescriptor};

use super::OFFICE;

const RESOURCES: [ResourceDescriptor; 6] = [
    ResourceDescriptor {
        uri: "playhouse://production",
        seed_uri: Some("throughline://production"),
        name: "production",
        title: "Production",
        description: "What is being made and how far it is.",
        tool: "get_production",
        audience: OFFICE,
    },
    ResourceDescriptor {
        uri: "playhouse://departments",
        seed_uri: Some("throughline://departments"),
        name: "departments",
        title: "Departments",
        description: "All departments with their heads and counts.",
        tool: "list_departments",
        audience: OFFICE,
    },
    ResourceDescriptor {
        uri: "playhouse://schedule",
        seed_uri: Some("throughline://schedule"),
        name: "schedule",
        title: "Schedule (all episodes)",
        description: "Shoot days with their strips, milestones and unscheduled scenes.",
        tool: "get_schedule",
        audience: OFFICE,
    },
    ResourceDescriptor {
        uri: "playhouse://script",
        seed_uri: Some("throughline://script"),
        name: "script",
        title: "Script, scene by scene",
        description: "Every scene in script order.",
        tool: "list_scenes",
        audience: OFFICE,
    },
    ResourceDescriptor {
        uri: "playhouse://deliveries",
        seed_uri: Some("throughline://deliveries"),
        name: "deliveries",
        title: "Deliveries",
        description: "Everything that is owed by a date.",
        tool: "list_deliveries",
        audience: OFFICE,
    },
    ResourceDescriptor {
        uri: "playhouse://approvals",
        seed_uri: Some("throughline://approvals"),
        name: "approvals",
        title: "Approvals",
        description: "What waits for a decision, and what was decided.",
        tool: "list_approvals",
        audience: OFFICE,
    },
];

/// Adds the resources. Their tools come first.
pub(super) fn add(registry: &mut Registry) -> Result<(), DuplicateTool> {
    RESOURCES.into_iter().try_for_each(|resource| registry.add_resource(resource))
}
