//! Parts of the page whose code is in files of its own, fetched when they are first needed: so the first
//! picture comes soon, and who never opens the lab never loads it.
//!
//! A part is a table of functions. `wasm_split` moves whatever only they reach into the part's file; without
//! the feature `parts`, as in tests, everything is in one file, and a part is there when it is asked for.

use super::inspector::{self, InspectorPart};
use super::sheet::{self, SheetPart};
use super::store::{self, SharePart};
use super::views::{self, LabPart, ViewsPart};
use crate::view::Builders;
use crate::view::panel::Tab;
use std::fmt;
use yew::Callback;

/// A part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The inspector, once something is chosen.
    Inspector,
    /// The views but ownership over time and the lab.
    Views,
    /// The assignor lab.
    Lab,
    /// What lies over the page.
    Sheets,
    /// Links and files.
    Share,
}

/// The functions of a part, if they are here. Equal if they are the same table.
pub struct Here<T: 'static>(Option<&'static T>);

impl<T> Clone for Here<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Here<T> {}

impl<T> fmt::Debug for Here<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Here").field(&self.0.is_some()).finish()
    }
}

impl<T> Default for Here<T> {
    fn default() -> Self {
        Here(None)
    }
}

impl<T> PartialEq for Here<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.map(std::ptr::from_ref) == other.0.map(std::ptr::from_ref)
    }
}

impl<T> Here<T> {
    /// The functions.
    pub fn get(self) -> Option<&'static T> {
        self.0
    }
}

/// The parts that are here.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Parts {
    /// The inspector.
    pub inspector: Here<InspectorPart>,
    /// The views.
    pub views: Here<ViewsPart>,
    /// The lab.
    pub lab: Here<LabPart>,
    /// The sheets.
    pub sheets: Here<SheetPart>,
    /// Links and files.
    pub share: Here<SharePart>,
}

impl Parts {
    /// Whether a part is here.
    pub fn has(&self, part: Part) -> bool {
        match part {
            Part::Inspector => self.inspector.0.is_some(),
            Part::Views => self.views.0.is_some(),
            Part::Lab => self.lab.0.is_some(),
            Part::Sheets => self.sheets.0.is_some(),
            Part::Share => self.share.0.is_some(),
        }
    }

    /// The part that draws a view, if the page does not start with it.
    pub const fn of_tab(tab: Tab) -> Option<Part> {
        match tab {
            Tab::Ownership => None,
            Tab::Lab => Some(Part::Lab),
            _ => Some(Part::Views),
        }
    }

    /// What builds what the present parts show.
    pub fn builders(&self) -> Builders {
        Builders {
            panel: self.views.0.map(|part| part.build),
            lab: self.lab.0.map(|part| part.build),
            inspector: self.inspector.0.map(|part| part.build),
        }
    }

    /// Adds what `arrived` holds.
    pub fn add(&mut self, arrived: Arrived) {
        match arrived {
            Arrived::Inspector(part) => self.inspector = Here(Some(part)),
            Arrived::Views(part) => self.views = Here(Some(part)),
            Arrived::Lab(part) => self.lab = Here(Some(part)),
            Arrived::Sheets(part) => self.sheets = Here(Some(part)),
            Arrived::Share(part) => self.share = Here(Some(part)),
        }
    }
}

/// The functions of a part that was fetched.
#[derive(Clone, Copy)]
pub enum Arrived {
    /// Of the inspector.
    Inspector(&'static InspectorPart),
    /// Of the views.
    Views(&'static ViewsPart),
    /// Of the lab.
    Lab(&'static LabPart),
    /// Of the sheets.
    Sheets(&'static SheetPart),
    /// Of links and files.
    Share(&'static SharePart),
}

#[cfg(feature = "parts")]
use wasm_split_helpers::{SplitLoaderError as NotFetched, wasm_split};

/// Why a part did not come. In one file with everything else it always comes.
#[cfg(not(feature = "parts"))]
#[derive(Debug)]
enum NotFetched {}

/// `name: Functions = TABLE`: a function that fetches the part `name`.
macro_rules! parts {
    ($($name:ident: $functions:ty = $table:expr;)*) => {$(
        #[cfg(feature = "parts")]
        #[wasm_split($name, fallible)]
        fn $name() -> Result<&'static $functions, NotFetched> {
            Ok(&$table)
        }

        #[cfg(not(feature = "parts"))]
        async fn $name() -> Result<&'static $functions, NotFetched> {
            Ok(&$table)
        }
    )*};
}

parts! {
    inspector: InspectorPart = inspector::PART;
    views: ViewsPart = views::PART;
    lab: LabPart = views::LAB_PART;
    sheets: SheetPart = sheet::PART;
    share: SharePart = store::SHARE_PART;
}

async fn arrival(part: Part) -> Result<Arrived, NotFetched> {
    Ok(match part {
        Part::Inspector => Arrived::Inspector(inspector().await?),
        Part::Views => Arrived::Views(views().await?),
        Part::Lab => Arrived::Lab(lab().await?),
        Part::Sheets => Arrived::Sheets(sheets().await?),
        Part::Share => Arrived::Share(share().await?),
    })
}

/// Fetches a part; says when it is here, or which did not come.
pub fn fetch(part: Part, done: Callback<Result<Arrived, Part>>) {
    wasm_bindgen_futures::spawn_local(async move {
        done.emit(arrival(part).await.map_err(|_| part));
    });
}
