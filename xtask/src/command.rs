//! Running other programs.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::place;
use crate::spent::Start;

/// What a task ended with: nothing, or a message for people.
pub(crate) type Outcome = Result<(), String>;

/// The cargo that runs this task, at the root of the repository.
pub(crate) fn cargo<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut cargo = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments);
    cargo
}

/// A program that starts at the root of the repository and has nobody to ask.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(place::root()).stdin(Stdio::null());
    command
}

/// Shows a command, runs it, shows the time it took and asks for success.
pub(crate) fn execute(mut command: Command) -> Outcome {
    let shown = show(&command);
    eprintln!("$ {shown}");
    let start = Start::now();
    let ended = command.status();
    eprintln!("# {}", start.spent().to_string().trim_start());
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` did not start: {error}")),
    }
}

/// What a command writes.
pub(crate) fn output(mut command: Command) -> Result<String, String> {
    let shown = show(&command);
    match command.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => Err(format!("`{shown}` ended with {}", output.status)),
        Err(error) => Err(format!("`{shown}` did not start: {error}")),
    }
}

/// Runs a command in silence; true when it succeeds.
pub(crate) fn succeeds(mut command: Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The command as one would type it, with programs by their names alone.
fn show(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
    let settings = command
        .get_envs()
        .filter_map(|(key, value)| Some((key.to_string_lossy(), value?.to_string_lossy())))
        .map(|(key, value)| format!("{key}={value}"));
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    let words: Vec<String> = settings.chain([name.into_owned()]).chain(arguments).collect();
    words.join(" ")
}
