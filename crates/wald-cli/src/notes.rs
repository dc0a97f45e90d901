//! What deserves a second look, at the data and at what was found: below the results on the terminal,
//! and in every JSON, also where the terminal shows none.

use std::io::{self, Write};

use serde::Serialize;
use wald::words::counted;

use crate::messages;

/// More notes than this are summed up on the terminal.
const MOST_TOLD: usize = 16;

/// What was dropped, decoded, inferred or left out, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Notes(Vec<String>);

impl FromIterator<String> for Notes {
    fn from_iter<I: IntoIterator<Item = String>>(notes: I) -> Self {
        Self(notes.into_iter().collect())
    }
}

impl Notes {
    /// The notes about another table, which name it.
    pub(crate) fn of_source(source: &str, notes: impl IntoIterator<Item = String>) -> Self {
        notes.into_iter().map(|note| format!("{source}: {note}")).collect()
    }

    /// The same with further notes at the end.
    #[must_use]
    pub(crate) fn and(mut self, others: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(others);
        self
    }

    /// Prints them; after the results, where they are seen.
    pub(crate) fn print(&self, quiet: bool) {
        if quiet {
            return;
        }
        if !self.0.is_empty() {
            messages::gap();
        }
        for note in self.0.iter().take(MOST_TOLD) {
            messages::note(note);
        }
        if self.0.len() > MOST_TOLD {
            let more = counted(self.0.len() - MOST_TOLD, "more note");
            messages::note(&format!("{more} left out here"));
        }
    }

    /// Writes a document as one line of JSON whose last field they are.
    pub(crate) fn write_json(
        &self,
        writer: &mut dyn Write,
        document: impl Serialize,
    ) -> io::Result<()> {
        serde_json::to_writer(&mut *writer, &Noted { document, notes: self })?;
        writer.write_all(b"\n")
    }
}

impl IntoIterator for Notes {
    type Item = String;
    type IntoIter = std::vec::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[derive(Serialize)]
struct Noted<'a, D> {
    #[serde(flatten)]
    document: D,
    notes: &'a Notes,
}
