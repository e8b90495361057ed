//! A file as a whole: its text, its variants, and the scenario of each.

use super::complaint::{BadScenario, Complaint};
use super::file::{OpenFile, ReportFile, ScenarioFile, Text, VERSION, VariantFile};
use super::plan::Scenario;
use super::resolve::resolve;
use crate::form::{self, Form, Misfit};
use crate::kafka::wire::crc_32c;
use crate::world::command::Act;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Longest file in bytes.
pub const LENGTH_MAX_BYTES: usize = 1 << 20;
/// Most variants of a file.
const VARIANTS_MAX: usize = 32;
/// Fields that a link leaves out.
const NOT_CARRIED: &[&str] = &["expect", "wire", "open", "report"];

/// A scenario file that has been read.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    file: ScenarioFile,
    /// The file without its variants, for patches.
    base: Value,
}

impl Document {
    /// Reads a file. Its variants are read when they are asked for.
    ///
    /// # Errors
    /// If it is too long, no JSON, of another shape or another version.
    pub fn parse(text: &str) -> Result<Document, BadScenario> {
        if text.len() > LENGTH_MAX_BYTES {
            let most = LENGTH_MAX_BYTES;
            return Err(BadScenario::whole(Complaint::TooLong { most }));
        }
        let file = serde_json::from_str(text)
            .map_err(|error| BadScenario::whole(Complaint::Syntax(error.to_string())))?;
        Self::from_value(file)
    }

    /// Reads a file whose JSON has been read.
    ///
    /// # Errors
    /// If it is of another shape or another version.
    pub fn from_value(mut base: Value) -> Result<Document, BadScenario> {
        // The version first: another version's file may have any other shape.
        let version = base.get("version").and_then(Value::as_u64);
        if let Some(version) = version.and_then(|version| u32::try_from(version).ok())
            && version != VERSION
        {
            return Err(BadScenario::whole(Complaint::Version(version)));
        }
        // From the value, as patched files are: a second way of reading would be loaded by every browser.
        let file: ScenarioFile = form::read(&base).map_err(|misfit| misfitting(*misfit, None))?;
        if file.variants.len() > VARIANTS_MAX {
            let complaint = Complaint::TooMany { most: VARIANTS_MAX };
            return Err(BadScenario {
                path: "variants".to_owned(),
                ..BadScenario::whole(complaint)
            });
        }
        if let Some(object) = base.as_object_mut() {
            object.remove("variants");
        }
        Ok(Document { file, base })
    }

    /// What the file says before any patch.
    pub fn file(&self) -> &ScenarioFile {
        &self.file
    }

    /// The names and titles of its variants; none: the file itself is the scenario.
    pub fn variants(&self) -> impl Iterator<Item = (&Rc<str>, &Text)> {
        self.file
            .variants
            .iter()
            .map(|(name, variant)| (name, &variant.title))
    }

    /// Every scenario in the file, in the order of their names.
    ///
    /// # Errors
    /// If one of them is refused.
    pub fn scenarios(&self) -> Result<Vec<Scenario>, BadScenario> {
        if self.file.variants.is_empty() {
            return Ok(vec![self.scenario(None)?]);
        }
        let names = self.file.variants.keys();
        names.map(|name| self.scenario(Some(name))).collect()
    }

    /// The scenario of a variant; without a name, what the variants have in common.
    ///
    /// # Errors
    /// If there is no such variant, or what it leads to is refused.
    pub fn scenario(&self, variant: Option<&str>) -> Result<Scenario, BadScenario> {
        let Some(name) = variant else {
            return resolve(&self.file, None);
        };
        let Some((name, patch)) = self.file.variants.get_key_value(name) else {
            return Err(BadScenario {
                path: "variants".to_owned(),
                variant: None,
                complaint: Complaint::Unknown {
                    what: "variant",
                    name: name.into(),
                },
            });
        };
        let merged = self.merged(patch);
        if merged.get("variants").is_some() {
            return Err(BadScenario {
                path: format!("variants.{name}.patch"),
                variant: None,
                complaint: Complaint::NestedVariants,
            });
        }
        let file: ScenarioFile =
            form::read(&merged).map_err(|misfit| misfitting(*misfit, Some(name.clone())))?;
        resolve(&file, Some((name.clone(), patch.title.clone())))
    }

    fn merged(&self, patch: &VariantFile) -> Value {
        let mut merged = self.base.clone();
        merge(&mut merged, &patch.patch);
        merged
    }

    /// The text of a file with the scenario of a variant, these acts instead of its own, where the page
    /// stands, and what somebody reports of it. What must hold is left out: it spoke of other acts.
    pub fn with_acts(
        &self,
        variant: Option<&str>,
        acts: &[Act],
        open: Option<&OpenFile>,
        report: Option<&ReportFile>,
    ) -> String {
        let mut file = self.without(variant, &["expect", "wire", "card", "incident"]);
        let acts = acts.iter().map(Act::write).collect();
        form::put(&mut file, "acts", Value::Array(acts));
        for (name, said) in [
            ("open", open.map(Form::write)),
            ("report", report.map(Form::write)),
        ] {
            file.remove(name);
            if let Some(value) = said {
                form::put(&mut file, name, value);
            }
        }
        format!("{:#}", Value::Object(file))
    }

    /// The file with all its variants, but without what must hold and where the page stood: what it takes to
    /// open it again elsewhere.
    pub(super) fn to_carry(&self) -> Map<String, Value> {
        let mut file = self.without(None, NOT_CARRIED);
        if !self.file.variants.is_empty() {
            form::put(&mut file, "variants", self.file.variants.write());
        }
        file
    }

    /// A number that differs if the run of a variant may differ; what is only said about it does not count.
    pub(super) fn fingerprint(&self, variant: Option<&str>) -> u32 {
        let mut file = self.without(variant, NOT_CARRIED);
        for said in ["title", "story", "question", "card", "incident"] {
            file.remove(said);
        }
        crc_32c(Value::Object(file).to_string().as_bytes())
    }

    /// The file of a variant without some of its fields.
    fn without(&self, variant: Option<&str>, names: &[&str]) -> Map<String, Value> {
        let patch = variant.and_then(|name| self.file.variants.get(name));
        let file = match patch {
            Some(patch) => self.merged(patch),
            None => self.base.clone(),
        };
        let mut file = match file {
            Value::Object(file) => file,
            _ => Map::new(),
        };
        file.retain(|name, _| !names.contains(&name.as_str()));
        file
    }
}

pub(super) fn misfitting(misfit: Misfit, variant: Option<Rc<str>>) -> BadScenario {
    let Misfit { path, wrong } = misfit;
    BadScenario {
        path,
        variant,
        complaint: Complaint::Misfit(wrong),
    }
}

/// RFC 7386. The depth is bounded by the parser's.
fn merge(target: &mut Value, patch: &Map<String, Value>) {
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else {
        return;
    };
    for (key, value) in patch {
        match value {
            Value::Null => {
                target.remove(key);
            }
            Value::Object(inner) => merge(target.entry(key).or_insert(Value::Null), inner),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                target.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::LIBRARY;
    use serde_json::json;

    #[test]
    fn a_patch_merges_objects_replaces_the_rest_and_takes_away_what_is_null() {
        let mut target = json!({"a": {"b": 1, "c": 2}, "list": [1, 2], "gone": 1});
        let patch = json!({"a": {"c": 3, "d": {"e": null}}, "list": [3], "gone": null});
        merge(&mut target, patch.as_object().expect("an object"));
        assert_eq!(target, json!({"a": {"b": 1, "c": 3, "d": {}}, "list": [3]}));
    }

    #[test]
    fn what_is_saved_with_its_acts_is_read_again() {
        for entry in LIBRARY {
            let document = entry.document();
            let names = document.variants().map(|(name, _)| Some(name.clone()));
            for variant in names.chain([None]) {
                let scenario = document.scenario(variant.as_deref());
                let scenario = scenario.expect("the library's scenarios are read");
                let saved = document.with_acts(variant.as_deref(), &scenario.acts, None, None);
                let again = Document::parse(&saved).and_then(|saved| saved.scenario(None));
                let again = again.unwrap_or_else(|problem| panic!("{}: {problem}", entry.name));
                assert_eq!(again.acts, scenario.acts, "{}", entry.name);
                assert_eq!(again.setup, scenario.setup, "{}", entry.name);
            }
        }
    }
}
