//! What wald promises of its error bars and p-values, by simulation.

pub(crate) mod coverage;
pub(crate) mod honesty;
pub(crate) mod levels;
mod mixed;
mod sources;
pub(crate) mod symmetry;

use crate::exhibit::Exhibit;
use crate::failure::Failure;
use crate::inference::sources::SOURCE;
use crate::study::Study;

/// All promises at once: coverage of intervals, levels of p-values, and honesty of Monte-Carlo
/// errors.
pub(crate) fn uncertainty(study: &Study) -> Result<Exhibit, Failure> {
    let of = |(run, repetitions, n_rows, n_trees): Part| {
        let repetitions = (study.repetitions * repetitions / 100).max(2);
        run(&Study { repetitions, n_rows, n_trees, ..*study })
    };
    // Repetitions in percent of those asked for, rows and trees: what a part needs to be precise.
    let parts: [Part; 4] = [
        (coverage::run, 30, study.n_rows * 3, study.n_trees * 4),
        (levels::run, 100, study.n_rows, study.n_trees),
        (symmetry::run, 30, study.n_rows, study.n_trees * 2),
        (honesty::run, 50, study.n_rows, study.n_trees),
    ];
    let mut all = Exhibit {
        title: "What error bars and p-values promise".to_owned(),
        source: SOURCE,
        settings: study.settings(),
        ..Exhibit::default()
    };
    for part in parts {
        let found = of(part)?;
        let settings: Vec<String> =
            found.settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let titled = |mut listing: crate::exhibit::Listing| {
            listing.title = format!("{}: {} ({})", found.title, listing.title, settings.join(", "));
            listing
        };
        all.listings.extend(found.listings.into_iter().map(titled));
        all.claims.extend(found.claims);
        all.notes.extend(found.notes);
    }
    Ok(all)
}

/// A study with its share of the repetitions, its rows and its trees.
type Part = (fn(&Study) -> Result<Exhibit, Failure>, usize, usize, usize);
