//! `wald man`: the manual pages of all commands, from the declarations of their arguments.

use std::fs;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use wald::words::counted;

use crate::arguments::{ManArguments, command};
use crate::failure::{EXIT_CODES, Failure};
use crate::messages;
use crate::output::Destination;

pub(crate) fn run(arguments: &ManArguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(|error| Failure::file("write", folder, &error))?;
    let mut pages = Vec::new();
    for (name, text) in all() {
        let path = folder.join(name);
        pages.push((Destination::check(Some(&path), arguments.force, &[])?, text));
    }
    for (destination, text) in &pages {
        destination.write(|writer| writer.write_all(text.as_bytes()))?;
    }
    let what = counted(pages.len(), "page");
    messages::print(&format!("wrote {what} to {}", folder.to_string_lossy()));
    Ok(())
}

/// The names and texts of all pages.
fn all() -> Vec<(String, String)> {
    let mut wald = command();
    wald.build();
    let commands: Vec<Command> = wald.get_subcommands().cloned().collect();
    let first = format!("{}.1", wald.get_name());
    let first = (first, page(wald));
    let others = commands.into_iter().map(|command| {
        let name = command.get_display_name().unwrap_or_default().to_owned();
        (format!("{name}.1"), page(command))
    });
    std::iter::once(first).chain(others).collect()
}

/// The page of a command; a synopsis with every option would be longer than the page's first screen.
fn page(mut command: Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let examples = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let man = Man::new(command.override_usage(usage))
        .source(format!("wald {}", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    let mut written = man.render_title(&mut page);
    written = written.and_then(|()| man.render_name_section(&mut page));
    written = written.and_then(|()| man.render_synopsis_section(&mut page));
    written = written.and_then(|()| man.render_description_section(&mut page));
    written = written.and_then(|()| man.render_options_section(&mut page));
    if has_commands {
        written = written.and_then(|()| man.render_subcommands_section(&mut page));
    }
    written = written.and_then(|()| ending(&examples).to_writer(&mut page));
    // A vector takes all bytes, which are text.
    written.map_or_else(|_| String::new(), |()| String::from_utf8_lossy(&page).into_owned())
}

/// Examples as they stand before the help, and what exit codes stand for.
fn ending(examples: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in examples.lines().skip(1) {
        roff.text([roman(line)]);
    }
    roff.control("fi", []).control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        roff.control("TP", []).text([bold(code.to_string())]).text([roman(*meaning)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman("wald(1) and the pages of its commands, such as wald\\-report(1)")]);
    roff
}
