//! Reading what the user names: tables and forests.

use crate::wording::CommandLine;
use std::path::Path;
use std::sync::Arc;

use wald::forest::FeatureKind;
use wald::{Dataset, Features, Forest, Progress, Run, Threads};
use wald_table::{
    DesignOptions, ExpectedColumn, ExpectedKind, Prepared, ReadOptions, Table, TableError,
};

use crate::failure::Failure;
use crate::lists;
use crate::notes::Notes;
use crate::progress::with_progress;

/// A table that became a data set.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) prepared: Prepared,
    /// File name, or `stdin`.
    pub(crate) source: String,
    /// What was found out about the file as a whole.
    pub(crate) notes: Vec<String>,
}

impl Data {
    /// What deserves a second look, in words.
    pub(crate) fn notes(&self) -> Notes {
        let of_columns =
            self.prepared.notices.iter().map(|notice| notice.message.worded(&CommandLine));
        self.notes.iter().cloned().chain(of_columns).collect()
    }

    /// The same where it is not the table that a forest is grown on.
    pub(crate) fn notes_with_source(&self) -> Notes {
        Notes::of_source(&self.source, self.notes())
    }
}

/// The bytes of a forest file.
pub(crate) struct ForestFile<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
}

/// Reads the table and gives its columns their parts.
pub(crate) fn data(path: &Path, options: &DesignOptions, quiet: bool) -> Result<Data, Failure> {
    let doing = format!("reading {}", wald_table::escape_controls(&path.to_string_lossy()));
    with_progress(&doing, &Progress::new(), quiet, || {
        let table = table(path, options.read_options())?;
        let (source, notes) = (table.source().to_owned(), table.notes().to_vec());
        let exclude = lists::columns(&options.exclude, table.names())?;
        let options = DesignOptions { exclude, ..options.clone() };
        let prepared = wald_table::prepare(table, &options)?;
        Ok(Data { prepared, source, notes })
    })
}

/// Reads a table, as far as memory is free.
pub(crate) fn table(path: &Path, options: ReadOptions) -> Result<Table, TableError> {
    wald_table::read(path, &ReadOptions { memory: wald_table::free_memory(), ..options })
}

/// The standard input can be read once.
pub(crate) fn refuse_two_streams(data: &Path, others: &[Option<&Path>]) -> Result<(), Failure> {
    let others = others.iter().flatten().copied();
    let n_streams = others.chain([data]).filter(|path| *path == Path::new("-")).count();
    if n_streams > 1 {
        return Err(Failure::usage(
            "two tables are to be read from the standard input",
            "give a file for one of them",
        ));
    }
    Ok(())
}

/// Reads a table of rows that the forest never saw. The target and the columns are those of the
/// training data.
pub(crate) fn test_data(
    path: &Path,
    training: &Dataset,
    options: &DesignOptions,
    quiet: bool,
) -> Result<Data, Failure> {
    let doing = format!("reading {}", wald_table::escape_controls(&path.to_string_lossy()));
    with_progress(&doing, &Progress::new(), quiet, || {
        let read = options.cells_as_here(wald_table::read_options_for_test(training));
        let table = table(path, read)?;
        let (source, notes) = (table.source().to_owned(), table.notes().to_vec());
        let options = DesignOptions { cluster: None, ..options.clone() };
        let prepared = wald_table::prepare_test(table, training, &options)?;
        Ok(Data { prepared, source, notes })
    })
}

/// Rows without a target.
pub(crate) struct Rows {
    pub(crate) features: Features,
    /// What deserves a second look, with the name of the file.
    pub(crate) notes: Notes,
}

/// Reads a table of rows without a target, of which these columns are wanted.
pub(crate) fn rows(
    path: &Path,
    expected: &[ExpectedColumn],
    read: ReadOptions,
    doing: &str,
    quiet: bool,
) -> Result<Rows, Failure> {
    with_progress(doing, &Progress::new(), quiet, || {
        let table = table(path, read)?;
        let (source, mut notes) = (table.source().to_owned(), table.notes().to_vec());
        let wald_table::NewRows { features, notices } = wald_table::prepare_new(table, expected)?;
        notes.extend(notices.into_iter().map(|notice| notice.message.worded(&CommandLine)));
        Ok(Rows { features, notes: Notes::of_source(&source, notes) })
    })
}

impl<'a> ForestFile<'a> {
    pub(crate) fn read(path: &'a Path) -> Result<Self, Failure> {
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        Ok(Self { path, bytes })
    }

    /// The forest by itself.
    pub(crate) fn forest(&self, threads: Threads, quiet: bool) -> Result<Forest, Failure> {
        self.parse(None, threads, quiet)
    }

    /// The forest and its training data, which complete and check the nodes in the file.
    /// The data are narrowed to the variables of the forest, in its order.
    pub(crate) fn with_training_data(
        &self,
        data: &Path,
        mut options: DesignOptions,
        threads: Threads,
        quiet: bool,
    ) -> Result<(Forest, Data), Failure> {
        // A file without node values can only be read together with the data.
        let outline = self.forest(threads, quiet);
        match &outline {
            Ok(forest) => complete(&mut options, forest),
            Err(failure) if options.target.is_none() && options.formula.is_none() => {
                return Err(failure.clone());
            }
            Err(_) => {}
        }
        let mut data = self::data(data, &options, quiet)?;
        let forest = self.parse(Some(&data.prepared.dataset), threads, quiet)?;
        let narrowed = narrowed(&data.prepared.dataset, &forest);
        data.prepared.dataset =
            Arc::new(narrowed.map_err(|error| Failure::from(error).at_file(&data.source))?);
        Ok((forest, data))
    }

    fn parse(
        &self,
        data: Option<&Dataset>,
        threads: Threads,
        quiet: bool,
    ) -> Result<Forest, Failure> {
        let progress = Progress::new();
        let read = || Forest::read(&self.bytes, data, &Run::new(threads, &progress));
        with_progress("reading the forest", &progress, quiet, read)
            .map_err(|error| Failure::from(error).at_file(&self.path.to_string_lossy()))
    }
}

/// What the forest expects of a table of new rows.
pub(crate) fn expected(forest: &Forest) -> Vec<ExpectedColumn> {
    let expected = |feature: &wald::forest::FeatureInfo| ExpectedColumn {
        name: feature.name.clone(),
        kind: match &feature.kind {
            FeatureKind::Numeric => ExpectedKind::Numeric,
            FeatureKind::Categorical { levels } => ExpectedKind::Categorical(levels.clone()),
        },
    };
    forest.features().iter().map(expected).collect()
}

/// What the user left out, as the forest has it.
fn complete(options: &mut DesignOptions, forest: &Forest) {
    if options.target.is_none() && options.formula.is_none() && !forest.target().name.is_empty() {
        options.target = Some(forest.target().name.clone());
    }
    options.task.get_or_insert(forest.task());
    let levels = expected(forest).into_iter().filter(|column| column.kind != ExpectedKind::Numeric);
    for column in levels {
        if !options.categorical.contains(&column.name) {
            options.categorical.push(column.name);
        }
    }
}

fn narrowed(data: &Dataset, forest: &Forest) -> Result<Dataset, wald::Error> {
    // The engine has refused data that lack a variable of the forest.
    let columns = forest.features().iter().filter_map(|known| data.features().column(&known.name));
    let mut narrowed = Dataset::new(columns.cloned().collect(), data.target().clone())?;
    if let Some(weights) = data.weights() {
        narrowed = narrowed.with_weights(weights.to_vec())?;
    }
    if let Some(clusters) = data.clusters() {
        narrowed = narrowed.with_clusters(clusters.to_vec())?;
    }
    Ok(narrowed)
}
