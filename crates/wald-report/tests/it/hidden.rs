//! Whether masking is reported where it is there, and only there.

mod designs;

use std::sync::Arc;

use wald::forest::Keep;
use wald::measure::MeasureSettings;
use wald::message::Neutral;
use wald::work::{jointly, regrown};
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Origin, Run, Threads};
use wald_report::advice::{AdviceSettings, Concern, advise};
use wald_report::{Depth, Quiet, Study};

use designs::{CHOSEN_BY, Design, JUDGED_BY};

fn measured(design: &Design, seed: u64, ids: &[MeasureId]) -> Vec<Importance> {
    let data = design.draw(seed);
    let mtry = Some(design.mtry);
    let config = ForestConfig { n_trees: 150, mtry, seed, ..ForestConfig::default() };
    let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default()).expect("valid");
    let measures: Vec<Measure> = ids.iter().map(measure).collect();
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, run);
    grown.expect("applies").measured.importances
}

/// Whether the note of masking is there exactly where it should be, and names the right variable.
fn is_right(design: &Design, seed: u64) -> bool {
    let found = measured(design, seed, &[MeasureId::SobolMda]).remove(0);
    match (design.hides, of_masking(found.notes)) {
        (None, note) => note.is_none(),
        (Some(input), Some(note)) => {
            let mtry = format!("with mtry {} of {},", design.mtry, design.n_inputs);
            note.contains(&format!("too large for \"x{}\":", input + 1))
                && note.contains(&mtry)
                && note.ends_with(&format!("mtry {}", design.n_inputs.isqrt()))
        }
        (Some(_), None) => false,
    }
}

/// What the value of the variable that hides another is too large by, of all trees and as a multiple
/// of what is reported. Where it is about 1, either answer is right.
fn excess(design: &Design, seed: u64) -> f64 {
    let ids = [MeasureId::SobolMda, MeasureId::TotalSobolRegrow];
    let [projected, again] = &measured(design, seed, &ids)[..] else { panic!("two measures") };
    let pairs = projected.values.iter().zip(&again.values);
    let shares = pairs.filter_map(|(projected, again)| {
        let (projected, again) = projected.zip(*again)?;
        Some((projected - again) / f64::max(0.02, 0.15 * projected))
    });
    shares.fold(0.0, f64::max)
}

fn of_masking(notes: Vec<String>) -> Option<String> {
    notes.into_iter().find(|note| note.starts_with("masking: "))
}

/// Data sets drawn of every design for the tables in docs/measures/projection.md and docs/advice.md;
/// without them a few data sets of some designs are looked at.
fn seeds() -> Option<u64> {
    std::env::var("WALD_SEEDS").ok().and_then(|n| n.parse().ok())
}

#[expect(clippy::print_stdout, reason = "the table of docs/measures/projection.md is made of it")]
fn judge(some: &[&Design], is_right: fn(&Design, u64) -> bool) {
    let all: Vec<&Design> = CHOSEN_BY.iter().chain(&JUDGED_BY).collect();
    let (designs, n) = seeds().map_or((some, 2), |n| (&all, n));
    for design in designs {
        let depends = !design.pairs.is_empty() && design.mtry > 1;
        // How much is hidden differs between data sets; of one, all trees decide.
        let fits = |excess: f64| if design.hides.is_some() { excess < 1.5 } else { excess > 0.5 };
        let (mut right, mut either) = (0, 0);
        for seed in 100..100 + n {
            if is_right(design, seed) {
                right += 1;
            } else if depends && fits(excess(design, seed)) {
                either += 1;
            }
        }
        println!("{}: {right} of {n}, and {either} as all trees have it", design.name);
        assert!(10 * (right + either) >= 9 * n, "{}: {right} of {n}, {either}", design.name);
    }
}

#[test]
fn masking_is_reported_where_it_is() {
    let masked = [&CHOSEN_BY[0], &CHOSEN_BY[7], &JUDGED_BY[0], &JUDGED_BY[4]];
    let harmless = [&CHOSEN_BY[5], &CHOSEN_BY[9], &JUDGED_BY[8], &JUDGED_BY[13]];
    judge(&[masked, harmless].concat(), is_right);
    // What is called too large is too large where all trees are grown again, and nothing else is.
    assert!(excess(masked[3], 7) > 1.5 && excess(harmless[2], 7) < 0.5);
}

/// Of sets that have no variable in common, what masking adds is that of the same groups of a table, and about what
/// trees that are grown again without them do not lose.
#[test]
fn masking_is_found_for_sets_of_variables() {
    let design = &CHOSEN_BY[0];
    let data = design.draw(5);
    let config = ForestConfig { n_trees: 300, mtry: Some(design.mtry), ..ForestConfig::default() };
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let forest = Forest::grow(&data, &config, run).expect("a forest");
    let names = data.features().names();
    let hides = design.hides.expect("one that hides another");
    // The last input is independent of it, the other set is not masked.
    let (last, others) = (names.len() - 1, [names.len() - 3, names.len() - 2]);
    let sets = [others.to_vec(), vec![hides, last]];
    let settings = MeasureSettings::default();
    let found = jointly(&forest, &data, &sets, &settings, run).expect("applies");
    let excesses = found.excesses.expect("masking");
    let group = |set: &Vec<usize>| {
        let members: Vec<String> = set.iter().map(|&input| names[input].clone()).collect();
        (members.join(" and "), members)
    };
    let groups: Vec<_> = sets.iter().map(group).collect();
    let grouped = data.clone().with_groups(&groups).expect("no column in two");
    let ids = [MeasureId::SobolMda, MeasureId::TotalSobolRegrow];
    let measures = ids.map(|id| Measure::new(id, settings.clone()).expect("valid"));
    let measured = forest.measure(&grouped, &measures, run).expect("applies").importances;
    let places = groups.iter().map(|(name, _)| {
        grouped.groups().names().iter().position(|other| other == name).expect("a group")
    });
    let again = regrown(&forest, &data, &sets, &settings, run).expect("applies");
    let again = again.expect("its settings are known");
    assert_eq!(again.names, found.names);
    let of_groups = measured[0].excesses.as_ref().expect("masking");
    for ((at, place), excess) in places.enumerate().zip(&excesses) {
        let value = found.values[at].expect("defined");
        assert_eq!(again.values[at], measured[1].values[place]);
        let errors = |of: &Importance, at: usize| of.total_errors.as_ref().map(|all| all[at]);
        assert_eq!(errors(&again, at), errors(&measured[1], place));
        let [projected, again] =
            [0, 1].map(|id: usize| measured[id].values[place].expect("defined"));
        assert!((value - projected).abs() < 1e-12, "{value} {projected}");
        assert_eq!(*excess, of_groups[place], "{at}");
        assert_eq!(excess.is_some(), at == 1, "{excesses:?}");
        let seen = projected - again;
        assert!((seen - excess.unwrap_or(0.0)).abs() < 0.03, "{excess:?} for {seen}");
    }
    let overlapping = [vec![0, 1], vec![1, 2]];
    let of_overlapping = regrown(&forest, &data, &overlapping, &settings, run);
    assert_eq!(of_overlapping.expect("applies"), None);
}

/// A forest of 150 trees as another program writes it, with or without its mtry in the file.
fn foreign(data: &Dataset, mtry: usize, in_file: Option<usize>, run: &Run) -> Forest {
    let config = ForestConfig { n_trees: 150, mtry: Some(mtry), ..ForestConfig::default() };
    let own = Forest::grow(data, &config, run).expect("a forest");
    let mut bytes = Vec::new();
    own.to_json(&mut bytes).expect("written");
    let mut file: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    assert!(file.as_object_mut().expect("an object").remove("config").is_some());
    if let Some(mtry) = in_file {
        file["mtry"] = mtry.into();
    }
    let forest = Forest::from_json(file.to_string().as_bytes(), Some(data), run);
    let forest = forest.expect("a forest");
    // Stored as a model file, it is the same.
    let stored = Forest::from_bytes(&forest.to_bytes().expect("written")).expect("intact");
    assert_eq!((stored.mtry(), &stored), (in_file, &forest));
    forest
}

/// How a forest was grown is seen in its trees if it is not stored.
#[test]
fn masking_is_told_of_forests_of_other_programs() {
    let design = &CHOSEN_BY[0];
    let data = design.draw(99);
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let cases = [
        (8, None, Some("with mtry about 8 of 8,")),
        (1, None, None),
        (8, Some(8), Some("with mtry 8 of 8,")),
        // What the file states counts, not what the roots look like.
        (8, Some(7), Some("with mtry 7 of 8,")),
        (8, Some(1), None),
    ];
    for (mtry, in_file, words) in cases {
        let forest = foreign(&data, mtry, in_file, run);
        let measure = Measure::new(MeasureId::SobolMda, MeasureSettings::default());
        let found = forest.measure(&data, &[measure.expect("valid")], run);
        let note = of_masking(found.expect("applies").importances.remove(0).notes);
        assert_eq!(note.is_some(), words.is_some(), "mtry {mtry}: {note:?}");
        if let (Some(note), Some(words)) = (note, words) {
            assert!(note.contains("\"x1\"") && note.contains(words), "{note}");
            let advice = "; grow it with mtry 2, or grow one with wald and use total_sobol_regrow";
            assert!(note.ends_with(advice), "{note}");
        }
    }
}

/// Of a forest of another program nothing is stated, nor recommended, that does not hold of it.
#[test]
fn advice_on_masking_is_of_the_forest() {
    let data = Arc::new(CHOSEN_BY[0].draw(99));
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let front = Quiet { run, wording: &Neutral, free: None };
    let otherwise = "If all 8 variables competed at every node, as in scikit-learn's regression \
                     forests, variables";
    for (in_file, n_trees, begins, concern) in [
        (Some(8), 150, "With mtry 8 of 8, variables", Concern::Serious),
        (Some(8), 90, "With mtry 8 of 8, variables", Concern::Serious),
        (Some(1), 150, "One variable is tried at a node", Concern::None),
        (None, 150, "With the unknown mtry of this forest, variables", Concern::Serious),
        // The trees are too few to decide.
        (None, 90, otherwise, Concern::Minor),
    ] {
        let forest = Arc::new(foreign(&data, 8, in_file, run).first_trees(n_trees));
        let measures = vec![MeasureId::SobolMda.into()];
        let study = Study::new(&data, Origin::Forest(&forest), measures, Depth::Quick, &front);
        let study = study.expect("fits");
        let note = of_masking(study.measured.importances[0].notes.clone());
        let found = advise(&study, AdviceSettings::default(), &front);
        let found = found.expect("advice");
        let finding = found.findings.iter().find(|finding| finding.id == "masking");
        let finding = finding.expect("a finding");
        assert!(finding.sentence.starts_with(begins), "{}", finding.sentence);
        assert_eq!(finding.concern, concern, "{}", finding.sentence);
        // Where there is a note, the finding is the same.
        assert_eq!(note.is_some(), n_trees == 150 && concern != Concern::None, "{note:?}");
        assert!(!finding.consequence.contains("total_sobol_regrow, which"), "{finding:?}");
        // What would grow forests like this one cannot be run.
        for objective in found.objectives {
            assert!(objective.command.starts_with("importance "), "{}", objective.command);
        }
    }
}

/// Rows that are too few to test dependence show none.
#[test]
fn dependence_that_was_not_tested_is_not_asserted() {
    let rows: Vec<u32> = (0..12).collect();
    let data = Arc::new(CHOSEN_BY[0].draw(99).select(&rows).expect("rows"));
    let config = ForestConfig { n_trees: 30, ..ForestConfig::default() };
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let front = Quiet { run, wording: &Neutral, free: None };
    let measures = vec![MeasureId::SobolMda.into()];
    let origin = Origin::Settings(&config);
    let study = Study::new(&data, origin, measures, Depth::Importances, &front).expect("fits");
    let found = advise(&study, AdviceSettings::default(), &front).expect("advice");
    let finding = found.findings.iter().find(|finding| finding.id == "masking");
    let sentence = &finding.expect("a finding").sentence;
    let start = "Whether variables depend on each other is not known; with mtry";
    assert!(sentence.starts_with(start), "{sentence}");
}

/// The finding rests on a forest of its own, but on the same comparison.
fn finding_is_right(design: &Design, seed: u64) -> bool {
    let data = design.draw(seed);
    let mtry = Some(design.mtry);
    let config = ForestConfig { n_trees: 100, mtry, seed, ..ForestConfig::default() };
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let front = Quiet { run, wording: &Neutral, free: None };
    let (data, origin) = (Arc::new(data), Origin::Settings(&config));
    let measures = vec![MeasureId::SobolMda.into()];
    let mut study = Study::new(&data, origin, measures, Depth::Importances, &front).expect("fits");
    study.allowed = vec![MeasureId::SobolMda, MeasureId::TotalSobolRegrow];
    let found = advise(&study, AdviceSettings::default(), &front).expect("advice");
    let finding = found.findings.iter().find(|finding| finding.id == "masking");
    let hides: Vec<String> =
        design.hides.map(|input| format!("x{}", input + 1)).into_iter().collect();
    finding.expect("a finding").variables == hides
}

#[test]
fn the_finding_agrees() {
    judge(&[&JUDGED_BY[0], &CHOSEN_BY[2]], finding_is_right);
}
