//! Incidents: what a scenario's file says of the case that it retells, and the shelf on which all of them
//! stand. The shelf's list is a file of its own, so that the page can show it without reading the scenarios.

use super::complaint::{BadScenario, Complaint};
use super::document::misfitting;
use super::file::Text;
use crate::form;
use serde_json::Value;
use std::rc::Rc;

/// What a file says of the incident that it retells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IncidentFile {
    /// Where on the shelf it stands.
    pub area: Area,
    /// What would have avoided it, or that nothing would.
    pub remedy: Text,
    /// The variant in which it happens. Not said: the file has no variants.
    pub from: Option<Rc<str>>,
    /// The variant in which it is avoided. Not said: no configuration avoids it.
    pub to: Option<Rc<str>>,
}

/// What incidents are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Area {
    /// Members that die or stall.
    FailureDetection,
    /// Rebalances, and what they cost.
    RebalanceProtocol,
    /// `group.instance.id`
    StaticMembership,
    /// Who gets which partition.
    Assignors,
    /// Offsets, and what is delivered twice or not at all.
    Commits,
    /// Offset resets, retention, new partitions and topics.
    ResetAndGrowth,
    /// Fetching, and falling behind.
    FetchAndLag,
}

impl Area {
    /// All of them, in the order of the shelf.
    pub const ALL: [Area; 7] = [
        Area::FailureDetection,
        Area::RebalanceProtocol,
        Area::StaticMembership,
        Area::Assignors,
        Area::Commits,
        Area::ResetAndGrowth,
        Area::FetchAndLag,
    ];
}

/// An incident on the shelf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShelfCard {
    /// Name of its file, without folder and ending.
    pub name: Rc<str>,
    /// Id of its card.
    pub card: Rc<str>,
    /// Its title.
    pub title: Text,
    /// Its story.
    pub story: Text,
    /// Its question.
    pub question: Text,
    /// The rest.
    pub incident: IncidentFile,
}

impl ShelfCard {
    /// Whether every word of `wanted`, in lower case, stands somewhere in the card, in any language.
    pub fn has_words(&self, wanted: &str) -> bool {
        let texts = [
            &self.title,
            &self.story,
            &self.question,
            &self.incident.remedy,
        ];
        let mut all = self.card.to_lowercase();
        for text in texts {
            for language in [&text.en, &text.ko] {
                all.push(' ');
                all.push_str(&language.to_lowercase());
            }
        }
        wanted.split_whitespace().all(|word| all.contains(word))
    }
}

/// Reads the shelf's list.
///
/// # Errors
/// If it is no such list.
pub fn read_shelf(text: &str) -> Result<Vec<ShelfCard>, BadScenario> {
    let list: Value = serde_json::from_str(text)
        .map_err(|error| BadScenario::whole(Complaint::Syntax(error.to_string())))?;
    form::read(&list).map_err(|misfit| misfitting(*misfit, None))
}
