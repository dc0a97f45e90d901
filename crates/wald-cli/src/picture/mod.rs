//! Pictures for papers, theses and slides: from results to drawings (`ranking.rs`, ...), and from a drawing
//! to files (`print.rs`). The drawings themselves are those of the report (`wald_html::chart`).

mod comparison;
mod dependence;
mod masking;
mod print;
mod ranking;
mod selection;
mod uncertainty;

pub(crate) use comparison::of_comparisons;
pub(crate) use dependence::{of_dependence, refuse_single};
pub(crate) use masking::of_masking;
pub(crate) use ranking::of_measures;
pub(crate) use selection::of_selection;
pub(crate) use uncertainty::of_uncertainty;

use std::path::Path;

use wald::DecimalMark;
use wald_html::chart::{Columns, Sheet};

use crate::arguments::{OutputArguments, PictureArguments};
use crate::failure::Failure;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::picture::print::Printable;

/// The kinds of files, in their order.
const NAMES: [&str; 3] = ["the SVG", "the PDF", "the PNG"];

/// The files of a picture that is drawn beside the results.
#[derive(Debug)]
pub(crate) struct PictureFiles<'a> {
    arguments: &'a PictureArguments,
    decimal_mark: DecimalMark,
    /// SVG, PDF and PNG, as far as they are wanted.
    files: [Option<(&'a Path, Destination)>; 3],
}

impl<'a> PictureFiles<'a> {
    /// Checks before any work that the picture, if one is wanted, can be written, and goes elsewhere than
    /// the `results`.
    pub(crate) fn check(
        arguments: &'a PictureArguments,
        output: &OutputArguments,
        inputs: &[&Path],
        results: &Destination,
    ) -> Result<Option<Self>, Failure> {
        Self::check_beside(arguments, output, inputs, &[("the results", results)])
    }

    /// The same, with several results and what to call them.
    pub(crate) fn check_beside(
        arguments: &'a PictureArguments,
        output: &OutputArguments,
        inputs: &[&Path],
        results: &[(&str, &Destination)],
    ) -> Result<Option<Self>, Failure> {
        arguments.check()?;
        let mut taken: Vec<(&str, Destination)> =
            results.iter().map(|(name, place)| (*name, (*place).clone())).collect();
        let mut files = [None, None, None];
        for ((file, path), name) in files.iter_mut().zip(arguments.paths()).zip(NAMES) {
            let Some(path) = path else { continue };
            let place = Destination::check(Some(path), output.force, inputs)?;
            for (other_name, other) in &taken {
                refuse_same(name, &place, other_name, other)?;
            }
            taken.push((name, place.clone()));
            *file = Some((path, place));
        }
        let is_wanted = files.iter().any(Option::is_some);
        Ok(is_wanted.then_some(Self { arguments, decimal_mark: output.decimal_mark, files }))
    }

    /// How wide the picture is.
    pub(crate) fn columns(&self) -> Columns {
        self.arguments.columns()
    }

    /// How many variables it has at most.
    pub(crate) fn most_variables(&self) -> usize {
        self.arguments.most_variables()
    }

    /// Writes the picture of variables of these names, and reports its files. All are made before any is
    /// written.
    pub(crate) fn write(&self, sheet: Sheet, names: &[String], quiet: bool) -> Result<(), Failure> {
        let sheet = &sheet.with_mark(self.decimal_mark, names);
        let [svg, pdf, png] = &self.files;
        let paged = pdf.is_some() || png.is_some();
        let printable = if paged { Some(Printable::new(sheet)?) } else { None };
        let of = |file: &Option<_>| printable.as_ref().filter(|_| file.is_some());
        let contents = [
            svg.is_some().then(|| sheet.svg.clone().into_bytes()),
            of(pdf).map(Printable::pdf).transpose()?,
            of(png).map(|printable| printable.png(self.arguments.dpi())).transpose()?,
        ];
        for (file, bytes) in self.files.iter().zip(contents) {
            if let (Some((path, place)), Some(bytes)) = (file, bytes) {
                place.write(|writer| writer.write_all(&bytes))?;
                if !quiet && *place != Destination::Stdout {
                    messages::print(&messages::written(path));
                }
            }
        }
        let unknown = printable.as_ref().map_or_else(Vec::new, Printable::unknown_letters);
        if !quiet && !unknown.is_empty() {
            messages::print(&boxes(&unknown));
        }
        Ok(())
    }
}

/// That letters are boxes in PDF and PNG.
fn boxes(letters: &[char]) -> String {
    const MOST: usize = 10;
    let shown: String = letters.iter().take(MOST).collect();
    let more = if letters.len() > MOST { " and others" } else { "" };
    format!(
        "PDF and PNG have boxes in the place of the letters {shown}{more}; the SVG (`--svg`) has them"
    )
}

/// What is left out of a picture, in words; empty where nothing is.
fn note(n_shown: usize, n_variables: usize) -> String {
    if n_shown < n_variables {
        format!("The first {n_shown} of {n_variables} variables.")
    } else {
        String::new()
    }
}
