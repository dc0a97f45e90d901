//! Arguments of the commands that people meet first: an example, and what a shell and `man` show.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::known::words;

/// Shells that complete words by a script.
const SHELLS: &[(&str, Shell)] = &[
    ("bash", Shell::Bash),
    ("elvish", Shell::Elvish),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("zsh", Shell::Zsh),
];

/// Write an example table and its report into this folder, and print what the report concludes
///
/// The table, wald-demo.csv, is a simulated field trial: the yield of 500 fields by ten columns, of
/// which five matter (the design `friedman_1` of `wald simulate`). The report is wald-demo.html.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald demo
  wald demo --force                              once more")]
pub(crate) struct DemoArguments {
    /// Replace the files of an earlier demo
    #[arg(long)]
    pub(crate) force: bool,
    /// Print results and errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Print the script by which a shell completes the words of wald
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald completions bash > ~/.local/share/bash-completion/completions/wald
  wald completions zsh > ~/.zfunc/_wald          a folder of $fpath
  wald completions fish > ~/.config/fish/completions/wald.fish
  wald completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArguments {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_parser = words(SHELLS))]
    pub(crate) shell: Shell,
}

/// Write the manual pages of all commands into a folder
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald man ~/.local/share/man/man1               then: man wald-report")]
pub(crate) struct ManArguments {
    /// The folder, which is created if it does not exist
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// Replace existing pages
    #[arg(long)]
    pub(crate) force: bool,
}
