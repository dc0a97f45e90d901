//! Work that is divided into parts gives the bits of one machine, and parts of other work are refused.

use std::io::Cursor;
use std::sync::Arc;

use wald::forest::Keep;
use wald::inference::{
    Adjustment, Confidence, PermutedResponse, SamplingErrors, ShadowDraws, Subsampling, Test,
    UncertaintyConfig, uncertainty,
};
use wald::masking::masking;
use wald::parts::{PartFile, PartOf, Parts, Recorder};
use wald::pass::Grown;
use wald::selection::{SelectionConfig, SelectionState};
use wald::{
    Dataset, Error, Fitted, Forest, ForestConfig, Measure, MeasureId, Origin, Run, Threads, select,
};

use crate::support::{Shape, all_measures_and_random, dataset};

const SHAPE: Shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 8 };

fn config() -> ForestConfig {
    ForestConfig { n_trees: 11, seed: 3, ..ForestConfig::default() }
}

fn run() -> Run {
    Run::on(Threads::new(2).expect("two threads"))
}

/// Names and bytes of parts.
type Files = Vec<(String, Vec<u8>)>;

fn read(files: &Files) -> Result<Arc<Parts>, Error> {
    let file = |(name, bytes): &(String, Vec<u8>)| PartFile::new(name, Cursor::new(bytes.clone()));
    Parts::read(files.iter().map(file).collect())
}

/// The files of all parts of what `work` does, after those of earlier rounds.
fn round<T>(of: usize, before: &Files, work: impl Fn(&Run) -> Result<T, Error>) -> Files {
    let one = |number: usize| {
        let part = PartOf::new(number, of).expect("a part");
        let recorder = if before.is_empty() {
            Recorder::new(part, vec!["words".to_owned()])
        } else {
            Recorder::after(part, read(before).expect("all parts"))
        };
        let recorder = Arc::new(recorder);
        // Any number of threads.
        let run = Run::on(Threads::new(1 + number % 3).expect("threads"));
        assert_eq!(work(&run.recording(&recorder)).err(), Some(Error::Cancelled));
        let bytes = recorder.bytes().expect("a small part").expect("the part is done");
        (format!("{number}.part"), bytes)
    };
    (1..=of).map(one).collect()
}

fn parts<T>(of: usize, work: impl Fn(&Run) -> Result<T, Error>) -> Files {
    round(of, &Vec::new(), work)
}

/// What merging finds.
fn merged<T>(files: &Files, work: impl Fn(&Run) -> Result<T, Error>) -> T {
    work(&run().merging(read(files).expect("all parts"))).expect("the same work")
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
            let work = |run: &Run| grown(&data, &measures, run);
            let mut files = parts(of, work);
            files.reverse();
            // Also as text: zeros of either sign differ, and undefined numbers are equal.
            assert_eq!(format!("{:?}", merged(&files, work)), format!("{alone:?}"), "{of}");
            files.extend(round(4 - of.min(3), &files, work));
            assert_eq!(format!("{:?}", merged(&files, work)), format!("{alone:?}"), "{of}");
        }
    }
}

#[test]
fn stored_forests_are_measured_in_parts() {
    let data = Arc::new(dataset(SHAPE));
    let measures = all_measures_and_random(&data);
    let forest = Arc::new(grown(&data, &[], &run()).expect("a forest").forest.expect("kept"));
    let fitted = Fitted::new(forest, Arc::clone(&data), &run()).expect("its data");
    let work = |run: &Run| fitted.measure(&measures, run);
    let mut files = parts(3, work);
    let alone = format!("{:?}", work(&run()).expect("applies"));
    assert_eq!(format!("{:?}", merged(&files, work)), alone);
    files.extend(round(2, &files, work));
    assert_eq!(format!("{:?}", merged(&files, work)), alone);
}

fn refusal(files: &Files) -> String {
    match read(files) {
        Err(error @ Error::State { .. }) => {
            assert!(!error.help().is_empty());
            error.to_string()
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
    let with = |place: usize, file: &(String, Vec<u8>)| {
        let mut files = files.clone();
        files[place] = ("odd.part".to_owned(), file.1.clone());
        refusal(&files)
    };
    assert_eq!(refusal(&Vec::new()), "there are no parts");
    assert_eq!(refusal(&files[..1].to_vec()), "1 of 3 parts are there; missing: 2/3 and 3/3");
    assert_eq!(with(2, &files[1]), "2.part and odd.part are both part 2/3");
    assert_eq!(with(2, &of_other[2]), "odd.part is of another table than 1.part");
    assert_eq!(with(2, &without[2]), "odd.part is of other settings than 1.part");
    assert_eq!(with(2, &halves[1]), "odd.part is part 2/2, but 1.part is part 1/3");
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = files[1].1.clone();
        change(&mut bytes);
        with(1, &(String::new(), bytes))
    };
    let cut = "odd.part is cut off, or longer than it was";
    assert_eq!(changed(&|bytes| bytes.truncate(100)), cut);
    assert_eq!(changed(&|bytes| bytes.truncate(15)), cut);
    assert_eq!(changed(&|bytes| bytes.push(0)), cut);
    assert!(changed(&|bytes| bytes[8] = 9).starts_with("odd.part has version 9"));
    assert_eq!(changed(&|bytes| bytes.clear()), changed(&|bytes| bytes[5] = b'\n'));
    let damaged = "odd.part is damaged: its checksum is wrong";
    for place in [20, 60] {
        assert_eq!(changed(&|bytes| bytes[place] ^= 1), damaged);
    }
    let n = files[1].1.len();
    for place in [n - 100, n - 1] {
        let mut files = files.clone();
        files[1].1[place] ^= 1;
        files[1].0 = "odd.part".to_owned();
        let merging = run().merging(read(&files).expect("results are checked when they are read"));
        assert_eq!(grown(&data, &mdi, &merging).expect_err("damaged").to_string(), damaged);
    }
    let whole: [Measure; 1] = [MeasureId::TreeShap.into()];
    let work = |run: &Run| grown(&data, &whole, run);
    let second = round(2, &parts(2, work), work);
    let of_second = "1.part is of a later round, and parts of an earlier one are missing";
    assert_eq!(refusal(&second), of_second);
}

/// The header of a part, as the module that writes it describes it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Header {
    program: String,
    part: (usize, usize),
    round: usize,
    words: Vec<String>,
    jobs: Vec<Job>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Job {
    work: ([u8; 32], [u8; 32]),
    n_units: usize,
    results: Vec<(u64, [u8; 32])>,
}

/// The header and the results of a part.
fn taken_apart(bytes: &[u8]) -> (Header, Vec<Vec<u8>>) {
    let (header, mut rest) = postcard::take_from_bytes::<Header>(&bytes[52..]).expect("a header");
    let lengths = header.jobs.iter().flat_map(|job| &job.results);
    let results = lengths.map(|(length, _)| rest.split_off(..*length as usize).expect("so many"));
    let results = results.map(<[u8]>::to_vec).collect();
    (header, results)
}

/// A part with right checksums.
fn put_together(mut header: Header, results: &[Vec<u8>]) -> Vec<u8> {
    let entries = header.jobs.iter_mut().flat_map(|job| &mut job.results);
    for (entry, result) in entries.zip(results) {
        *entry = (result.len() as u64, *blake3::hash(result).as_bytes());
    }
    sealed(&header, results)
}

fn sealed(header: &Header, results: &[Vec<u8>]) -> Vec<u8> {
    let header = postcard::to_allocvec(header).expect("small");
    let mut prefix = b"\x89walp\r\n\x1a\x02\0\0\0".to_vec();
    prefix.extend((header.len() as u64).to_le_bytes());
    let hash = *blake3::hash(&[&prefix[..], &header].concat()).as_bytes();
    [&prefix[..], &hash, &header, &results.concat()].concat()
}

/// Parts that contradict themselves, whose checksums are right.
#[test]
fn forged_parts_are_refused() {
    let data = dataset(SHAPE);
    let measures = all_measures_and_random(&data);
    let bytes = parts(1, |run| grown(&data, &measures, run)).remove(0).1;
    let refused = |bytes: Vec<u8>| match read(&vec![("forged.part".to_owned(), bytes)]) {
        Err(Error::State { .. }) => true,
        Err(other) => panic!("{other:?}"),
        Ok(parts) => match grown(&data, &measures, &run().merging(parts)) {
            Ok(_) => false,
            Err(Error::State { .. }) => true,
            Err(other) => panic!("{other:?}"),
        },
    };
    let (header, results) = taken_apart(&bytes);
    assert!(!refused(put_together(header, &results)), "as it was");
    let changed = |change: &dyn Fn(&mut Header)| {
        let (mut header, results) = taken_apart(&bytes);
        change(&mut header);
        refused(sealed(&header, &results))
    };
    assert!(changed(&|header| header.part = (0, 1)));
    assert!(changed(&|header| header.part = (1, usize::MAX)));
    assert!(changed(&|header| header.jobs.clear()));
    assert!(changed(&|header| header.round = 7));
    assert!(changed(&|header| header.jobs[0].n_units = usize::MAX));
    assert!(changed(&|header| header.jobs[0].results[0].0 = u64::MAX));
    assert!(changed(&|header| {
        header.jobs[0].results[0].0 -= 1;
        header.jobs[0].results[1].0 += 1;
    }));
    // Results of a table with fewer rows and columns, or more: they are read, but are not of this one.
    for n_rows in [20, 100] {
        let other = dataset(Shape { n_rows, ..SHAPE });
        let of_other = parts(1, |run| grown(&other, &measures, run)).remove(0).1;
        let (header, mut results) = taken_apart(&bytes);
        results[3] = taken_apart(&of_other).1.remove(3);
        assert!(n_rows < 60 || refused(put_together(header, &results)), "{n_rows} rows");
    }
    // Bytes changed anywhere are refused, or give other numbers; nothing panics.
    let mut random = 1_u64;
    for _ in 0..40 {
        let (header, mut results) = taken_apart(&bytes);
        for _ in 0..3 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (random >> 33) as usize % results[2].len();
            results[2][place] = (random >> 20) as u8;
        }
        refused(put_together(header, &results));
    }
}

#[test]
fn parts_are_merged_with_their_own_table_and_settings_only() {
    let (data, other) = (dataset(SHAPE), dataset(Shape { seed: 9, ..SHAPE }));
    let mdi: [Measure; 1] = [MeasureId::Mdi.into()];
    let merging = || {
        let files = parts(2, |run| grown(&data, &mdi, run));
        run().merging(read(&files).expect("all parts"))
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

fn mdi() -> Measure {
    MeasureId::Mdi.into()
}

#[test]
fn eliminations_are_divided() {
    let data = dataset(Shape { n_rows: 40, ..SHAPE });
    let forest = ForestConfig { n_trees: 3, ..config() };
    let config = SelectionConfig { folds: 3, repeats: 2, ..SelectionConfig::new(forest, mdi()) };
    let work = |run: &Run| {
        let state = SelectionState::new(&data, &config);
        select(&data, &config, state, |_| {}, run)
    };
    let alone = work(&run()).expect("a selection");
    for of in [1, 2, 3, 9] {
        assert_eq!(merged(&parts(of, work), work), alone);
    }
}

#[test]
fn forests_by_mtry_are_divided() {
    let data = dataset(SHAPE);
    let work = |run: &Run| masking(&data, &config(), &mdi(), &[1, 2, 4], run);
    let alone = work(&run()).expect("forests");
    for of in [1, 2, 3, 7] {
        assert_eq!(merged(&parts(of, work), work), alone);
    }
}

#[test]
fn all_forests_of_uncertainty_are_divided_in_one_round() {
    let data = dataset(Shape { n_rows: 40, ..SHAPE });
    let forest = ForestConfig { n_trees: 4, ..config() };
    let measures =
        ["mdi", "mda_breiman_cutler", "split_count"].map(|id| id.parse().expect("known"));
    let subsampling =
        SamplingErrors::Subsampling(Subsampling { n_subsamples: 7, ..Subsampling::default() });
    let permuted = |enough| Test::Permuted(PermutedResponse { permutations: 12, enough });
    let tests = [
        (subsampling, None),
        (subsampling, Some(permuted(None))),
        (subsampling, Some(permuted(Some(2)))),
        (subsampling, Some(Test::Shadow(ShadowDraws { draws: 6 }))),
        (subsampling, Some(Test::Mirrored)),
        (SamplingErrors::Jackknife, Some(permuted(None))),
    ];
    for (errors, test) in tests {
        let confidence = Confidence::new(0.9).expect("a probability");
        let adjustment = Adjustment::None;
        let asked = UncertaintyConfig { confidence, errors, test, adjustment };
        // The jackknife is for measures of bags.
        let n_measures = if errors == SamplingErrors::Jackknife { 1 } else { 3 };
        let measures: &[Measure] = &measures[..n_measures];
        let origin = Origin::Settings(&forest);
        let work = |run: &Run| uncertainty(&data, origin, measures, &asked, run);
        let alone = format!("{:?}", work(&run()).expect("intervals"));
        for of in [1, 2, 3, 7] {
            let files = parts(of, work);
            let reading = run().merging(read(&files).expect("all parts"));
            let found = work(&reading).expect("the same work");
            assert_eq!(format!("{found:?}"), alone, "{test:?}");
        }
    }
}
