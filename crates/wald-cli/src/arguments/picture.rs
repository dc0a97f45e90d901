//! Pictures for papers, theses and slides.

use std::path::{Path, PathBuf};

use clap::Args;
use wald_html::chart::Columns;

use super::known::by_id;
use super::values;
use crate::failure::Failure;

/// Dots per inch, as journals want them at least of pictures with letters.
const USUAL_DPI: usize = 300;
const DPI: std::ops::RangeInclusive<usize> = 50..=2400;

/// Variables in a picture.
const USUAL_VARIABLES: usize = 40;

/// Where pictures go, and how large they are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub(crate) struct PictureArguments {
    /// Write the picture to this file, as SVG
    #[arg(long, value_name = "PATH")]
    pub(crate) svg: Option<PathBuf>,
    /// The same as PDF
    #[arg(long, value_name = "PATH")]
    pub(crate) pdf: Option<PathBuf>,
    /// The same as PNG
    #[arg(long, value_name = "PATH")]
    pub(crate) png: Option<PathBuf>,
    /// Width of the picture in columns of a printed page: one (85 mm) or two (175 mm) [default: one]
    #[arg(long, value_name = "COLUMNS", value_parser = by_id(&Columns::ALL, Columns::id))]
    picture_width: Option<Columns>,
    /// Variables in the picture at most, the most important ones [default: 40]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    picture_variables: Option<usize>,
    /// Dots per inch of the PNG [default: 300]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    dpi: Option<usize>,
}

impl PictureArguments {
    /// Refuses a number of variables where the picture has no rows of them.
    pub(crate) fn refuse_variables(&self, picture: &str) -> Result<(), Failure> {
        if self.picture_variables.is_none() {
            return Ok(());
        }
        let what = format!("{picture} has no variables to choose from");
        Err(Failure::usage(what, "leave out `--picture-variables`"))
    }

    /// Whether there is a picture.
    pub(crate) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.pdf.is_some() || self.png.is_some()
    }

    /// The option of a picture that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [(&self.svg, "--svg"), (&self.pdf, "--pdf"), (&self.png, "--png")];
        all.into_iter().find_map(|(path, option)| path.as_ref().map(|_| option))
    }

    /// The files that are SVG, PDF and PNG.
    pub(crate) fn paths(&self) -> [Option<&Path>; 3] {
        [&self.svg, &self.pdf, &self.png].map(|path| path.as_deref())
    }

    pub(crate) fn columns(&self) -> Columns {
        self.picture_width.unwrap_or(Columns::One)
    }

    pub(crate) fn most_variables(&self) -> usize {
        self.picture_variables.unwrap_or(USUAL_VARIABLES)
    }

    pub(crate) fn dpi(&self) -> usize {
        self.dpi.unwrap_or(USUAL_DPI)
    }

    /// Refuses options of a picture where no picture is drawn.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let all = [
            (self.picture_width.is_some(), "--picture-width"),
            (self.picture_variables.is_some(), "--picture-variables"),
            (self.dpi.is_some(), "--dpi"),
        ];
        let given = all.into_iter().find_map(|(is_given, option)| is_given.then_some(option));
        if let Some(option) = given.filter(|_| !self.is_wanted()) {
            let what = format!("`{option}` is given, but no picture");
            return Err(Failure::usage(what, "name its file with `--svg`, `--pdf` or `--png`"));
        }
        if self.dpi.is_some() && self.png.is_none() {
            let what = "`--dpi` is given, but no PNG";
            return Err(Failure::usage(what, "name its file with `--png`, or leave out `--dpi`"));
        }
        if !DPI.contains(&self.dpi()) {
            let what = format!("a resolution of {} dots per inch", self.dpi());
            let help = format!("give `--dpi` from {} to {}", DPI.start(), DPI.end());
            return Err(Failure::usage(what, help));
        }
        if self.most_variables() == 0 {
            let what = "a picture of 0 variables";
            return Err(Failure::usage(what, "give `--picture-variables` of at least 1"));
        }
        Ok(())
    }
}
