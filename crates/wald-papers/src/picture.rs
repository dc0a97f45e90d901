//! Where pictures go.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;

/// Where the picture goes.
#[derive(Debug, Args)]
pub(crate) struct PictureArguments {
    /// Draw the figure into this file
    #[arg(long, value_name = "PATH")]
    svg: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl PictureArguments {
    /// Refuses a file that exists, unless it is to be replaced.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match &self.svg {
            Some(path) if path.exists() && !self.force => Err(Failure::usage(
                format!("the file {} exists", path.display()),
                "name another file by `--svg`, or replace it with `--force`",
            )),
            _ => Ok(()),
        }
    }

    /// Writes the picture where it was requested.
    pub(crate) fn write(&self, svg: &str) -> Result<(), Failure> {
        let Some(path) = &self.svg else { return Ok(()) };
        std::fs::write(path, svg)
            .map_err(|error| Failure::output(&format!("{}: {error}", path.display())))
    }
}
