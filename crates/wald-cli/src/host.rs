//! The command line as the front of a study: how its work is shown and worded.

use std::sync::OnceLock;

use wald::message::{Mention, Procedure, Wording};
use wald::{Progress, Run};
use wald_report::Front;

use crate::arguments::{RunArguments, repeated};
use crate::progress::{with_percent, with_progress};
use crate::wording::{CommandLine, on_table};

/// The work of a command.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) run: Run,
    /// Whether progress is not shown.
    pub(crate) quiet: bool,
    /// The target, once it is known.
    pub(crate) target: OnceLock<String>,
    /// Those of the command, after the name of the program.
    pub(crate) words: Vec<String>,
}

impl Host {
    pub(crate) fn new(arguments: &RunArguments) -> Self {
        let run = arguments.shared.run(Run::new(arguments.threads(), &Progress::new()));
        let words = arguments.shared.words();
        Self { run, quiet: arguments.quiet, target: OnceLock::new(), words }
    }

    /// Does a piece of work, and shows its progress.
    pub(crate) fn show<T: Send>(&self, doing: &str, work: impl FnOnce() -> T + Send) -> T {
        // What was counted before is over.
        self.run.progress.start(0);
        with_progress(doing, &self.run.progress, self.quiet, work)
    }

    /// The same where the counted units are of no interest to the reader.
    pub(crate) fn show_percent<T: Send>(&self, doing: &str, work: impl FnOnce() -> T + Send) -> T {
        self.run.progress.start(0);
        with_percent(doing, &self.run.progress, self.quiet, work)
    }
}

impl Front for Host {
    fn run(&self) -> &Run {
        &self.run
    }

    fn wording(&self) -> &dyn Wording {
        self
    }

    fn free(&self) -> Option<u64> {
        wald_table::free_memory()
    }

    fn watch(&self, doing: &str, work: &mut (dyn FnMut() + Send)) {
        self.show(doing, work);
    }
}

impl Wording for Host {
    fn setting(&self, mention: &Mention) -> Option<String> {
        CommandLine.setting(mention)
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        CommandLine.procedure(procedure)
    }

    /// A command on the table and with the forest of this one.
    fn line(&self, procedure: &Procedure) -> String {
        let target = self.target.get().map(String::as_str);
        let typed = std::iter::once("wald").chain(self.words.iter().map(String::as_str));
        match repeated(typed.map(Into::into), procedure.id, target) {
            None => CommandLine.line(procedure),
            Some(words) => on_table(procedure, words),
        }
    }
}
