//! What a command is about: a table, and the forest on it where one is stored.

use std::path::Path;
use std::sync::Arc;

use wald::words::counted;
use wald::{Forest, ForestConfig, Origin};
use wald_table::DesignOptions;

use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::host::Host;
use crate::inputs::{self, Data, ForestFile};
use crate::messages;

/// A table, and the forest on it where one is stored.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) data: Data,
    forest: Option<Arc<Forest>>,
}

impl Subject {
    /// Reads the table, and the forest where there is a file of one.
    pub(crate) fn ungrouped(
        table: &Path,
        forest: Option<&Path>,
        design: &DesignOptions,
        host: &Host,
    ) -> Result<Self, Failure> {
        let (threads, quiet) = (host.run.threads, host.quiet);
        let Some(forest) = forest else {
            return Ok(Self { data: inputs::data(table, design, quiet)?, forest: None });
        };
        let file = ForestFile::read(forest)?;
        let (forest, data) = file.with_training_data(table, design.clone(), threads, quiet)?;
        Ok(Self { data, forest: Some(Arc::new(forest)) })
    }

    /// Reads the table, and the forest where there is a file of one; groups the columns.
    pub(crate) fn read(
        table: &Path,
        forest: Option<&Path>,
        design: &DesignOptions,
        grouping: Grouping<'_>,
        host: &Host,
    ) -> Result<Self, Failure> {
        let Self { data, forest } = Self::ungrouped(table, forest, design, host)?;
        host.target.get_or_init(|| data.prepared.dataset.target().name().to_owned());
        let data = grouping.apply(data, &host.run, host.quiet)?;
        Ok(Self { data, forest })
    }

    /// The forest, or the settings with which it is to be grown.
    pub(crate) fn origin<'a>(&'a self, config: &'a ForestConfig) -> Origin<'a> {
        self.forest.as_ref().map_or(Origin::Settings(config), Origin::Forest)
    }
}

/// Prints what was read and decided.
pub(crate) fn announce(data: &Data, n_trees: usize, quiet: bool) {
    if quiet {
        return;
    }
    let dataset = &data.prepared.dataset;
    let kind = match dataset.target().classes() {
        None => "regression".to_owned(),
        Some(classes) => format!("classification into {}", counted(classes.len(), "class")),
    };
    messages::print(&format!(
        "{}: {kind}, `{}` by {}, {}, {}",
        data.source,
        wald_table::escape(dataset.target().name()),
        counted(dataset.n_features(), "variable"),
        counted(dataset.n_rows(), "row"),
        counted(n_trees, "tree"),
    ));
}
