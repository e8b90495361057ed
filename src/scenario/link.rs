//! Links: a scenario, what was done in it, and where the page stands, as a piece of an address.
//!
//! Format 1: `s=` and, in base64url without padding (RFC 4648 §5), a zlib stream (RFC 1950: its checksum
//! tells a damaged link from a bad one) of a JSON object. A scenario that comes with the program is only
//! named, along with how many of its own acts are left; a fingerprint tells when it is no longer the one that
//! was meant. Fields are added with defaults; a change of meaning is another format.
//!
//! Anybody can write a link, so lengths are bounded before anything is made of them, and what is refused is
//! refused with its place and a sentence.

use super::complaint::{BadScenario, Complaint};
use super::document::{Document, LENGTH_MAX_BYTES, misfitting};
use super::file::OpenFile;
use super::library::entry;
use super::plan::Scenario;
use super::resolve::RUN_MAX;
use crate::form::{self, Form};
use crate::kafka::time::Instant;
use crate::world::command::Act;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The format that this code reads and writes.
pub const FORMAT: u32 = 1;
/// Longest address that is offered as a link, in characters: what everybody is asked to carry at least (RFC
/// 9110 §4.1 recommends 8000 octets). What is longer is offered as a file.
pub const LINK_LENGTH_MAX: usize = 8_000;
/// Longest link that is read, in characters: twice what Chromium shows of an address.
const READ_MAX: usize = 1 << 16;
/// What begins the piece of an address that is a link.
pub const LINK_PREFIX: &str = "s=";
/// A zlib stream's head, its shortest inside and its checksum.
const PACKED_MIN_BYTES: usize = 8;
/// Of 0 to 10; links are short.
const COMPRESSION: u8 = 9;

/// A scenario, what was done in it, and where the page stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// [`FORMAT`].
    pub format: u32,
    /// What it starts from.
    pub of: Base,
    /// How many of the scenario's own acts are left, from the first. Not said: all.
    pub kept: Option<u64>,
    /// The acts after those.
    pub acts: Vec<Act>,
    /// Where the page stands.
    pub open: OpenFile,
}

/// What a link starts from.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    /// A scenario of the library.
    Library(Named),
    /// The scenario of an incident.
    Incident(Named),
    /// A scenario of somebody's own.
    Scenario {
        /// Its file.
        file: Map<String, Value>,
        /// Which of its variants.
        variant: Option<Rc<str>>,
    },
}

/// A scenario that comes with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: Rc<str>,
    /// Which of its variants.
    pub variant: Option<Rc<str>>,
    /// Its fingerprint when the link was made.
    pub check: u32,
}

/// Where a scenario comes from that comes with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The library; its name there.
    Library(Rc<str>),
    /// The shelf of incidents; its name there.
    Incident(Rc<str>),
}

/// What a link leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Destination {
    /// The scenario's file.
    pub document: Document,
    /// Which of its variants.
    pub variant: Option<Rc<str>>,
    /// The scenario, with the link's acts.
    pub scenario: Scenario,
    /// Where the page stands.
    pub open: OpenFile,
    /// The scenario is no longer what it was when the link was made: the run may be another.
    pub is_changed: bool,
}

/// Why a link does not open.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BadLink {
    /// It is longer than any that is made here.
    #[error("it has more than {most} characters")]
    TooLong {
        /// Most characters.
        most: usize,
    },
    /// A character that no link has.
    #[error("character {at} of it is {character:?}, which no link has")]
    Character {
        /// Its place, from 1.
        at: usize,
        /// It.
        character: char,
    },
    /// Its end is missing.
    #[error("its end is missing")]
    Cut,
    /// Its checksum or its inside is wrong.
    #[error("something in it has been changed")]
    Damaged,
    /// It would unfold into too much.
    #[error("it unfolds into more than {most} bytes")]
    TooLarge {
        /// Most bytes.
        most: usize,
    },
    /// Another format.
    #[error("it has format {0}, and this program reads format {FORMAT}")]
    Format(u64),
    /// No scenario of that name comes with the program.
    #[error("there is no scenario {0:?}")]
    Unknown(Rc<str>),
    /// What it holds is refused.
    #[error("{0}")]
    Content(BadScenario),
}

impl From<BadScenario> for BadLink {
    fn from(bad: BadScenario) -> Self {
        BadLink::Content(bad)
    }
}

impl Link {
    /// The link to a run of a document's variant with these acts.
    ///
    /// # Errors
    /// If the document has no such variant.
    pub fn to(
        document: &Document,
        origin: Option<&Origin>,
        variant: Option<&Rc<str>>,
        acts: &[Act],
        open: OpenFile,
    ) -> Result<Link, BadScenario> {
        let own = document.scenario(variant.map(|name| &**name))?.acts;
        let both = own.iter().zip(acts);
        let kept = both.take_while(|(own, act)| own == act).count();
        let named = |name: &Rc<str>| Named {
            name: name.clone(),
            variant: variant.cloned(),
            check: document.fingerprint(variant.map(|name| &**name)),
        };
        Ok(Link {
            format: FORMAT,
            of: match origin {
                Some(Origin::Library(name)) => Base::Library(named(name)),
                Some(Origin::Incident(name)) => Base::Incident(named(name)),
                None => Base::Scenario {
                    file: document.to_carry(),
                    variant: variant.cloned(),
                },
            },
            // Lists are shorter than 2^32.
            kept: (kept < own.len()).then_some(kept as u64),
            acts: acts.get(kept..).unwrap_or_default().to_vec(),
            open,
        })
    }

    /// The piece of an address, to stand after its `#`.
    pub fn fragment(&self) -> String {
        let json = self.write().to_string();
        let packed = compress_to_vec_zlib(json.as_bytes(), COMPRESSION);
        LINK_PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode(packed)
    }

    /// Reads the piece of an address after its `#`. `None`: it is no link of ours.
    ///
    /// # Errors
    /// If it is one, but a broken one.
    pub fn of_fragment(fragment: &str) -> Option<Result<Link, BadLink>> {
        fragment.strip_prefix(LINK_PREFIX).map(read)
    }

    /// What it leads to, if `document` is what it [starts from](Link::of).
    ///
    /// # Errors
    /// If that has no such variant, or does not run.
    pub fn open(self, document: Document) -> Result<Destination, BadScenario> {
        let (variant, check) = match self.of {
            Base::Library(named) | Base::Incident(named) => (named.variant, Some(named.check)),
            Base::Scenario { variant, .. } => (variant, None),
        };
        let mut scenario = document.scenario(variant.as_deref())?;
        let own = scenario.acts.len();
        let kept = self.kept.map_or(own, |kept| {
            usize::try_from(kept).map_or(own, |kept| kept.min(own))
        });
        scenario.acts.truncate(kept);
        scenario.acts.extend(self.acts);
        let (least, most) = (scenario.setup.origin, Instant(RUN_MAX.0));
        if !(least..=most).contains(&self.open.at) {
            return Err(BadScenario {
                path: "open.at".to_owned(),
                ..BadScenario::whole(Complaint::TimeOutOfBounds { least, most })
            });
        }
        let found = document.fingerprint(variant.as_deref());
        Ok(Destination {
            is_changed: check.is_some_and(|check| check != found),
            document,
            variant,
            scenario,
            open: self.open,
        })
    }

    /// The document that it starts from, unless that is a file beside the page.
    ///
    /// # Errors
    /// If there is none, or it is refused.
    pub fn document(&self) -> Result<Option<Document>, BadLink> {
        match &self.of {
            Base::Library(named) => match entry(&named.name) {
                Some(entry) => Ok(Some(entry.document())),
                None => Err(BadLink::Unknown(named.name.clone())),
            },
            Base::Incident(_) => Ok(None),
            Base::Scenario { file, .. } => {
                let document = Document::from_value(Value::Object(file.clone()));
                let document = document.map_err(|bad| BadScenario {
                    path: match bad.path.is_empty() {
                        true => "of.scenario.file".to_owned(),
                        false => format!("of.scenario.file.{}", bad.path),
                    },
                    ..bad
                });
                Ok(Some(document?))
            }
        }
    }
}

impl Base {
    /// Where the scenario comes from, if it comes with the program.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Base::Library(named) => Some(Origin::Library(named.name.clone())),
            Base::Incident(named) => Some(Origin::Incident(named.name.clone())),
            Base::Scenario { .. } => None,
        }
    }
}

/// A character of base64url.
fn counts(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

fn read(text: &str) -> Result<Link, BadLink> {
    // What stood around the link in a text often comes along with it.
    let text = text.trim_end_matches(|character| !counts(character));
    if text.len() > READ_MAX {
        return Err(BadLink::TooLong { most: READ_MAX });
    }
    let strange = text.chars().enumerate();
    if let Some((place, character)) = strange.into_iter().find(|(_, one)| !counts(*one)) {
        let at = place + LINK_PREFIX.len() + 1;
        return Err(BadLink::Character { at, character });
    }
    let packed = URL_SAFE_NO_PAD.decode(text).map_err(|error| match error {
        DecodeError::InvalidByte(..) | DecodeError::InvalidPadding => BadLink::Damaged,
        DecodeError::InvalidLength(_) | DecodeError::InvalidLastSymbol { .. } => BadLink::Cut,
    })?;
    if packed.len() < PACKED_MIN_BYTES {
        return Err(BadLink::Cut);
    }
    let most = LENGTH_MAX_BYTES;
    let json = decompress_to_vec_zlib_with_limit(&packed, most);
    let json = json.map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => BadLink::TooLarge { most },
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => BadLink::Cut,
        _ => BadLink::Damaged,
    })?;
    let link: Value = serde_json::from_slice(&json)
        .map_err(|error| BadScenario::whole(Complaint::Syntax(error.to_string())))?;
    // The format first: another one may have any other shape.
    let format = link.get("format").and_then(Value::as_u64);
    if let Some(format) = format.filter(|format| *format != u64::from(FORMAT)) {
        return Err(BadLink::Format(format));
    }
    let link: Link = form::read(&link).map_err(|misfit| misfitting(*misfit, None))?;
    match &link.of {
        // It becomes part of an address.
        Base::Incident(named) if !is_incident(&named.name) => {
            Err(BadLink::Unknown(named.name.clone()))
        }
        _ => Ok(link),
    }
}

/// Whether the file of an incident can have that name.
fn is_incident(name: &str) -> bool {
    let number = name.strip_prefix("i-");
    number
        .is_some_and(|number| number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
}
