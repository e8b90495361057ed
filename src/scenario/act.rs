//! A single act in the words of a scenario file.

use super::document::misfitting;
use super::{BadScenario, Complaint, LENGTH_MAX_BYTES};
use crate::form;
use crate::world::command::Command;

/// The command that a text says, such as `{"kill": {"actor": "c1"}}`.
///
/// # Errors
/// If it is too long, no JSON, or no command. Whether the world takes it is another question.
pub fn command(text: &str) -> Result<Command, BadScenario> {
    if text.len() > LENGTH_MAX_BYTES {
        let most = LENGTH_MAX_BYTES;
        return Err(BadScenario::whole(Complaint::TooLong { most }));
    }
    let value = serde_json::from_str(text)
        .map_err(|problem| BadScenario::whole(Complaint::Syntax(problem.to_string())))?;
    form::read(&value).map_err(|misfit| misfitting(*misfit, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_read_or_refused_with_its_place() {
        let killed = Command::Kill { actor: "c1".into() };
        assert_eq!(command(r#"{"kill": {"actor": "c1"}}"#), Ok(killed));
        let place = |text: &str| command(text).err().map(|problem| problem.path);
        assert_eq!(place("kill c1").as_deref(), Some(""));
        assert_eq!(place(r#"{"slay": {"actor": "c1"}}"#).as_deref(), Some(""));
        let without = r#"{"set_handler": {"actor": "c1", "time_per_record_ms": "slow"}}"#;
        assert_eq!(
            place(without).as_deref(),
            Some("set_handler.time_per_record_ms")
        );
    }
}
