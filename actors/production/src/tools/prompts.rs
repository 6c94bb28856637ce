//! Four ready-made questions. Each tells the assistant which tool to call and how to read its answer; none has data in it.

use playhouse_tools::{ArgumentForm, DuplicateTool, PromptArgument, PromptDescriptor, Registry};

use super::OFFICE;

const PROMPTS: [PromptDescriptor; 4] = [
    PromptDescriptor {
        name: "scene_status",
        title: "How a scene stands",
        description: "Reports one scene: its last change, what is outstanding and when it is shot.",
        arguments: &[PromptArgument {
            name: "node_id",
            description: "The scene's node_id, as list_scenes gives it.",
            required: true,
            form: ArgumentForm::Number,
        }],
        audience: OFFICE,
        text: |arguments| {
            format!(
                "Call get_scene_bundle with node_id {}. Report the scene's number and heading, the colour of its last change (or that it was \
                 omitted), each line of `outstanding` as it is, and its shoot dates. If `view` is \"engagement\", say that the answer covers \
                 this engagement's part only. Add nothing that is not in the answer.",
                arguments.get("node_id")
            )
        },
    },
    PromptDescriptor {
        name: "pending_turnovers",
        title: "Turnovers that are owed",
        description: "Lists what is overdue, due within a week, and due later.",
        arguments: &[],
        audience: OFFICE,
        text: |_| {
            "Call list_turnovers and take those with `outstanding` true. Group them: overdue, due within seven days, later or without a date. \
             For each give its title, vendor, due date, shots, and its last submission with that submission's status, or that there is none."
                .to_owned()
        },
    },
    PromptDescriptor {
        name: "whats_changed",
        title: "What has changed",
        description: "Sums up the newest activity by subject.",
        arguments: &[PromptArgument {
            name: "limit",
            description: "How many entries to look at, 1 to 200; 50 when left out.",
            required: false,
            form: ArgumentForm::Between(1, 200),
        }],
        audience: OFFICE,
        text: |arguments| {
            let call = match arguments.get("limit") {
                "" => "Call list_activity".to_owned(),
                limit => format!("Call list_activity with limit {limit}"),
            };
            format!(
                "{call}. Group the entries by subject, newest first, and keep apart what was decided from what was asked for. Quote no more \
                 than the summaries."
            )
        },
    },
    PromptDescriptor {
        name: "how_to_submit_work",
        title: "How to submit work",
        description: "Explains how files for one turnover are to be named and sent.",
        arguments: &[PromptArgument {
            name: "delivery_id",
            description: "The turnover's id, as list_turnovers gives it.",
            required: true,
            form: ArgumentForm::Number,
        }],
        audience: OFFICE,
        text: |arguments| {
            let id = arguments.get("delivery_id");
            format!(
                "Call list_turnovers and find the turnover with id {id}. Repeat its spec and its shots, and name the files by `spec.naming`. \
                 If they come to less than about 9 MB in all, submit_turnover with delivery_id {id} takes them; above that they go as \
                 multipart/form-data to POST /v1/turnovers/{id}/submissions with the same key. Ask before sending anything."
            )
        },
    },
];

/// Adds the prompts.
pub(super) fn add(registry: &mut Registry) -> Result<(), DuplicateTool> {
    PROMPTS.into_iter().try_for_each(|prompt| registry.add_prompt(prompt))
}
