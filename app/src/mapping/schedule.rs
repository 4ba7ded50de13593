//! Changing when a job fires: the form becomes a definition, or every wrong field says what is wrong.

use horarium_core::{
    code::ErrorCode,
    job::{JobDefinition, TriggerDefinition},
    names::{JobName, TriggerName},
    schedule::Schedule,
};
use horarium_engine::acting::Acting;

use crate::{
    error::{AppError, BAD_FIELDS, FieldError},
    server_fns::TriggerChange,
};

/// The most of what was typed that travels back in the address of a page without scripts.
const DRAFT_BYTES: usize = 4000;

/// Writes description and triggers; everything else of the definition stays as it is.
pub(crate) async fn change_schedule(
    acting: &Acting,
    name: JobName,
    description: String,
    changes: Vec<TriggerChange>,
) -> Result<(), AppError> {
    let draft = draft(&description, &changes);
    let status = acting
        .job(&name)
        .await?
        .ok_or_else(|| AppError::new(ErrorCode::JobNotFound.as_str(), name.as_str()))?;
    let mut definition = status.job.definition;
    let described = description.trim();
    definition.description = (!described.is_empty()).then(|| described.to_owned());
    let result = match apply(&mut definition, &changes) {
        Ok(()) => acting.schedule(definition).await.map_err(AppError::from),
        Err(fields) => Err(AppError {
            fields,
            ..AppError::plain(BAD_FIELDS)
        }),
    };
    result.map_err(|error| AppError { draft, ..error })
}

fn apply(definition: &mut JobDefinition, changes: &[TriggerChange]) -> Result<(), Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut triggers = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        let blank = change.name.trim().is_empty() && change.schedule.trim().is_empty();
        if blank || !change.remove.is_empty() {
            continue;
        }
        let before = definition
            .triggers
            .iter()
            .find(|t| t.name.as_str() == change.name);
        match read(index, change, before) {
            Ok(trigger) => triggers.push(trigger),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() {
        definition.triggers = triggers;
        Ok(())
    } else {
        Err(errors)
    }
}

fn read(
    index: usize,
    change: &TriggerChange,
    before: Option<&TriggerDefinition>,
) -> Result<TriggerDefinition, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut wrong = |field: &str, message: String| {
        errors.push(FieldError {
            field: key(index, field),
            message,
            at: None,
            suggestion: None,
        });
    };
    let name = TriggerName::try_from(change.name.trim())
        .map_err(|error| wrong("name", error.to_string()))
        .ok();
    let priority: Option<i32> = change
        .priority
        .trim()
        .parse()
        .map_err(|_| wrong("priority", "A priority is a whole number.".to_owned()))
        .ok();
    let misfire = change
        .misfire
        .parse()
        .map_err(|error: horarium_core::state::UnknownText| wrong("misfire", error.to_string()))
        .ok();
    let schedule: Option<Schedule> = match change.schedule.parse() {
        Ok(schedule) => Some(schedule),
        Err(error) => {
            let error: horarium_core::schedule::ScheduleError = error;
            errors.push(FieldError {
                field: key(index, "schedule"),
                message: error.message,
                at: Some((error.at.start, error.at.end)),
                suggestion: error.suggestion,
            });
            None
        }
    };
    match (name, schedule, misfire, priority) {
        (Some(name), Some(schedule), Some(misfire), Some(priority)) => Ok(TriggerDefinition {
            name,
            schedule,
            misfire,
            priority,
            data: before.map(|t| t.data.clone()).unwrap_or_default(),
            description: before.and_then(|t| t.description.clone()),
        }),
        _ => Err(errors),
    }
}

fn key(index: usize, field: &str) -> String {
    format!("triggers[{index}][{field}]")
}

fn draft(description: &str, changes: &[TriggerChange]) -> Vec<(String, String)> {
    let mut draft = vec![("description".to_owned(), description.to_owned())];
    for (index, change) in changes.iter().enumerate() {
        let fields = [
            ("name", &change.name),
            ("schedule", &change.schedule),
            ("misfire", &change.misfire),
            ("priority", &change.priority),
        ];
        draft.extend(fields.map(|(field, value)| (key(index, field), value.clone())));
    }
    let mut room = DRAFT_BYTES;
    draft.retain(|(key, value)| {
        let size = key.len() + value.len();
        let fits = size <= room;
        room -= size.min(room);
        fits
    });
    draft
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(name: &str, schedule: &str) -> TriggerChange {
        TriggerChange {
            name: name.to_owned(),
            schedule: schedule.to_owned(),
            misfire: "skip".to_owned(),
            priority: "7".to_owned(),
            remove: String::new(),
        }
    }

    fn job() -> JobDefinition {
        JobDefinition::new("a".parse().unwrap(), "http").on("every 00:10:00".parse().unwrap())
    }

    #[test]
    fn the_blank_row_adds_nothing_and_a_removed_one_goes() {
        let mut definition = job();
        let removed = TriggerChange {
            remove: "yes".to_owned(),
            ..change("default", "every 00:10:00")
        };
        let new = change("noon", "cron 0 12 * * *");
        apply(&mut definition, &[removed, new, change("", " ")]).unwrap();
        let names: Vec<_> = definition
            .triggers
            .iter()
            .map(|t| t.name.as_str())
            .collect();
        assert_eq!(names, ["noon"]);
        assert_eq!(definition.triggers[0].priority, 7);
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let mut definition = job();
        let mut bad = change("Bad Name", "cron 0 99 * * *");
        bad.priority = "high".to_owned();
        let errors = apply(&mut definition, &[bad]).unwrap_err();
        let fields: Vec<_> = errors.iter().map(|e| e.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "triggers[0][name]",
                "triggers[0][priority]",
                "triggers[0][schedule]"
            ]
        );
        let (start, end) = errors[2].at.unwrap();
        assert_eq!(&"cron 0 99 * * *"[start..end], "99");
    }
}
