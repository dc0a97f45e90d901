//! Work that is divided into parts gives the bits of one machine, and parts of other work are refused.

use std::sync::Arc;

use wald::forest::Keep;
use wald::parts::{PartFile, PartOf, Parts, Recorder, Unit};
use wald::pass::Grown;
use wald::{Dataset, Error, Fitted, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{Shape, all_measures_and_random, dataset};

const SHAPE: Shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 8 };

fn config() -> ForestConfig {
    ForestConfig { n_trees: 11, seed: 3, ..ForestConfig::default() }
}

fn run() -> Run {
    Run::on(Threads::new(2).expect("two threads"))
}

/// The files of all parts of what `work` does.
fn parts<T>(of: usize, work: impl Fn(&Run) -> Result<T, Error>) -> Vec<PartFile> {
    (1..=of)
        .map(|number| {
            let part = PartOf::new(number, of).expect("a part");
            let recorder = Recorder::new(part, Unit::Trees, vec!["words".to_owned()]);
            assert_eq!(work(&run().recording(&recorder)).err(), Some(Error::Cancelled));
            let bytes = recorder.bytes().expect("a small part").expect("the part is done");
            PartFile { name: format!("{number}.part"), bytes }
        })
        .collect()
}

fn grown(data: &Dataset, measures: &[Measure], run: &Run) -> Result<Grown, Error> {
    Forest::grow_and_measure(data, &config(), measures, Keep::Trees, run)
}

#[test]
fn all_measures_have_the_bits_of_one_machine() {
    for (n_classes, missing, weights) in [(0, false, true), (3, true, false), (2, false, false)] {
        let data = dataset(Shape { n_classes, missing, weights, ..SHAPE });
        let measures = all_measures_and_random(&data);
        let alone = grown(&data, &measures, &run()).expect("a forest");
        for of in [1, 2, 3, 7] {
            let mut files = parts(of, |run| grown(&data, &measures, run));
            files.reverse();
            let merging = run().merging(Parts::read(files).expect("all parts"));
            let merged = grown(&data, &measures, &merging).expect("the same work");
            // Also as text: zeros of either sign differ, and undefined numbers are equal.
            assert_eq!(format!("{merged:?}"), format!("{alone:?}"), "{n_classes} {of}");
        }
    }
}

#[test]
fn stored_forests_are_measured_in_parts() {
    let data = Arc::new(dataset(SHAPE));
    let measures = all_measures_and_random(&data);
    let forest = Arc::new(grown(&data, &[], &run()).expect("a forest").forest.expect("kept"));
    let fitted = Fitted::new(forest, Arc::clone(&data), &run()).expect("its data");
    let files = parts(3, |run| fitted.measure(&measures, run));
    let merging = run().merging(Parts::read(files).expect("all parts"));
    let merged = fitted.measure(&measures, &merging).expect("the same work");
    let alone = fitted.measure(&measures, &run()).expect("applies");
    assert_eq!(format!("{merged:?}"), format!("{alone:?}"));
}

fn refusal(files: Vec<PartFile>) -> String {
    match Parts::read(files) {
        Err(Error::State { what, help }) => {
            let neutral = Error::State { what, help };
            assert!(!neutral.help().is_empty());
            neutral.to_string()
        }
        other => panic!("not refused: {:?}", other.err()),
    }
}

#[test]
fn what_is_not_a_complete_set_of_parts_is_refused() {
    let (data, other) = (dataset(SHAPE), dataset(Shape { seed: 9, ..SHAPE }));
    let mdi: [Measure; 1] = [MeasureId::Mdi.into()];
    let files = parts(3, |run| grown(&data, &mdi, run));
    let of_other = parts(3, |run| grown(&other, &mdi, run));
    let without = parts(3, |run| grown(&data, &[], run));
    let halves = parts(2, |run| grown(&data, &mdi, run));
    let with = |place: usize, file: &PartFile| {
        let mut files = files.clone();
        files[place] = PartFile { name: "odd.part".to_owned(), bytes: file.bytes.clone() };
        refusal(files)
    };
    assert_eq!(refusal(Vec::new()), "there are no parts");
    assert_eq!(refusal(files[..1].to_vec()), "1 of 3 parts are there; missing: 2/3 and 3/3");
    assert_eq!(with(2, &files[1]), "2.part and odd.part are both part 2/3");
    assert_eq!(with(2, &of_other[2]), "odd.part is of another table than 1.part");
    assert_eq!(with(2, &without[2]), "odd.part is of other settings than 1.part");
    assert_eq!(with(2, &halves[1]), "odd.part is part 2/2, but 1.part is part 1/3");
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = files[1].bytes.clone();
        change(&mut bytes);
        with(1, &PartFile { name: String::new(), bytes })
    };
    let cut = "odd.part is cut off, or longer than it was";
    assert_eq!(changed(&|bytes| bytes.truncate(100)), cut);
    assert_eq!(changed(&|bytes| bytes.truncate(15)), cut);
    assert_eq!(changed(&|bytes| bytes.push(0)), cut);
    assert!(changed(&|bytes| bytes[8] = 9).starts_with("odd.part has version 9"));
    assert_eq!(changed(&|bytes| bytes.clear()), changed(&|bytes| bytes[5] = b'\n'));
    let n = files[1].bytes.len();
    for place in [20, 60, n / 2, n - 1] {
        let damaged = changed(&|bytes| bytes[place] ^= 1);
        assert_eq!(damaged, "odd.part is damaged: its checksum is wrong");
    }
}

#[test]
fn parts_are_merged_with_their_own_table_and_settings_only() {
    let (data, other) = (dataset(SHAPE), dataset(Shape { seed: 9, ..SHAPE }));
    let mdi: [Measure; 1] = [MeasureId::Mdi.into()];
    let merging = || {
        let files = parts(2, |run| grown(&data, &mdi, run));
        run().merging(Parts::read(files).expect("all parts"))
    };
    let refused = |found: Result<Grown, Error>, what: &str| {
        let error = found.expect_err("other work").to_string();
        assert_eq!(error, format!("the parts are of {what}; the first is 1.part"));
    };
    refused(grown(&other, &mdi, &merging()), "another table than this one");
    refused(grown(&data, &[], &merging()), "other settings than these");
    let deeper = ForestConfig { max_depth: Some(2), ..config() };
    let found = Forest::grow_and_measure(&data, &deeper, &mdi, Keep::Trees, &merging());
    refused(found, "other settings than these");
}
