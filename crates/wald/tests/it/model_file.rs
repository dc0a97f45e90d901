//! The model file: it comes back bit by bit or not at all.

use wald::data::{Column, Target};
use wald::forest::{ConstantDraws, Keep, Sampling};
use wald::measure::MeasureSettings;
use wald::memory::Size;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Progress, Run, Threads};

use crate::support::{Numbers, Shape, all_measures, dataset, grow};

/// Where the body begins: mark, version, length, checksum.
const BODY: usize = 52;

const SHAPE: Shape = Shape { n_rows: 60, n_classes: 0, missing: true, weights: true, seed: 5 };

fn small(n_classes: u32) -> (Dataset, Forest) {
    let data = dataset(Shape { n_rows: 14, n_classes, weights: false, ..SHAPE });
    let forest = grow(&data, &ForestConfig { n_trees: 2, ..ForestConfig::default() });
    (data, forest)
}

/// Makes a changed file look intact.
fn reseal(bytes: &mut [u8]) {
    let length = (bytes.len() - BODY) as u64;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..20]);
    hasher.update(&bytes[BODY..]);
    let hash = *hasher.finalize().as_bytes();
    bytes[20..BODY].copy_from_slice(&hash);
}

fn refused(bytes: &[u8]) -> String {
    match Forest::from_bytes(bytes) {
        Err(error @ Error::ForestFile { .. }) => {
            assert!(!error.help().is_empty());
            error.to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_forest_comes_back_bit_by_bit() {
    for n_classes in [0, 2, 3] {
        for sampling in [Sampling::Bootstrap, Sampling::Subsample, Sampling::All] {
            let data = dataset(Shape { n_classes, ..SHAPE });
            let config = ForestConfig { n_trees: 7, sampling, ..ForestConfig::default() };
            let forest = grow(&data, &config);
            let bytes = forest.to_bytes().expect("a small forest");
            assert_eq!(Forest::from_bytes(&bytes), Ok(forest.clone()));
            let threads = Threads::new(2).expect("two threads");
            let read = Forest::read(&bytes, Some(&data), &Run::on(threads));
            assert_eq!(read, Ok(forest));
        }
    }
}

#[test]
fn writing_is_stopped() {
    let forest = small(3).1;
    let progress = Progress::new();
    let whole = forest.to_bytes_watched(&progress).expect("a small forest");
    assert_eq!(whole, forest.to_bytes().expect("a small forest"));
    progress.cancel();
    assert!(matches!(forest.to_bytes_watched(&progress), Err(Error::Cancelled)));
}

#[test]
fn every_truncation_is_refused() {
    let bytes = small(3).1.to_bytes().expect("a small forest");
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(refused(&longer).contains("should hold"));
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = small(2).1.to_bytes().expect("a small forest");
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut mutant = bytes.clone();
            mutant[place] ^= 1 << bit;
            refused(&mutant);
        }
    }
}

/// Whoever recomputes the checksum gets an error or a forest that works, never a crash.
#[test]
fn forged_files_give_errors_or_working_forests() {
    let mut numbers = Numbers(77);
    let (mut n_read, mut n_refused) = (0, 0);
    for n_classes in [0, 3] {
        let (data, forest) = small(n_classes);
        let bytes = forest.to_bytes().expect("a small forest");
        let mut try_out = |mut mutant: Vec<u8>| {
            reseal(&mut mutant);
            match Forest::from_bytes(&mutant) {
                Ok(forest) => {
                    n_read += 1;
                    use_up(&forest, &data, n_read);
                }
                Err(Error::ForestFile { .. }) => n_refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        };
        for place in BODY..bytes.len() {
            for value in [0x00, 0x01, 0x80, 0xff] {
                let mut mutant = bytes.clone();
                mutant[place] = value;
                try_out(mutant);
            }
            // A length that no file can hold.
            let mut mutant = bytes.clone();
            mutant.splice(place..=place, [0xff, 0xff, 0xff, 0xff, 0x7f]);
            try_out(mutant);
        }
        for _ in 0..2000 {
            let mut mutant = bytes.clone();
            for _ in 0..=numbers.below(3) {
                let place = BODY + numbers.below((mutant.len() - BODY) as u32) as usize;
                match numbers.below(3) {
                    0 => mutant[place] = numbers.below(256) as u8,
                    1 => drop(mutant.remove(place)),
                    _ => mutant.insert(place, numbers.below(256) as u8),
                }
            }
            try_out(mutant);
        }
    }
    assert!(n_read > 100 && n_refused > 1000, "{n_read} read, {n_refused} refused");
}

/// Predicts, measures and writes; results may be odd, errors are welcome, panics are not. Every forest has a
/// third of the measures, in turn.
fn use_up(forest: &Forest, data: &Dataset, turn: usize) {
    let threads = Threads::new(1).expect("one thread");
    let _ = forest.predict(data.features(), &Run::on(threads));
    for measure in all_measures(data).into_iter().skip(turn % 3).step_by(3) {
        let _ = forest.measure(data, &[measure], &Run::on(threads));
    }
    if forest.check_json().is_err() {
        return;
    }
    let mut json = Vec::new();
    forest.to_json(&mut json).expect("memory does not fail");
    Forest::from_json(&json, None, &Run::on(threads)).expect("what was read is written");
    let _ = Forest::read(&json, Some(data), &Run::on(threads));
}

#[test]
fn another_version_is_named() {
    let mut bytes = small(0).1.to_bytes().expect("a small forest");
    bytes[8] = 1;
    reseal(&mut bytes);
    assert_eq!(refused(&bytes), "the model file has version 1; versions 4 to 14 are read");
}

/// The file of a forest that ends where those of version 13 do.
fn without_table(forest: &Forest) -> Vec<u8> {
    let mut bytes = forest.to_bytes().expect("a small forest");
    let table = bytes.split_off(bytes.len() - 33);
    assert_eq!(table[0], 1, "the hash of a table");
    bytes
}

/// The file of a forest that ends where those of versions before 13 do.
fn without_mtry(forest: &Forest) -> Vec<u8> {
    let mut bytes = without_table(forest);
    assert_eq!(bytes.pop(), Some(0), "no mtry of another program");
    bytes
}

/// The file of a forest whose target ends where that of versions before 12 does.
fn of_one_target(forest: &Forest) -> Vec<u8> {
    let mut bytes = without_mtry(forest);
    let target = forest.target();
    let before = postcard::to_allocvec(&(forest.features(), &target.name, &target.classes));
    let outputs = bytes.remove(BODY + before.expect("names").len());
    assert_eq!(outputs, 0, "one target");
    bytes
}

/// Version 4 ends before `constant_draws`; its trees made leaves where all drawn variables were
/// The file of a forest whose trees end where those of versions 4 and 5 do.
fn older_trees(forest: &Forest) -> Vec<u8> {
    let mut bytes = of_one_target(forest);
    for tree in forest.trees() {
        let tree = postcard::to_allocvec(tree).expect("a small tree");
        let start = bytes.windows(tree.len()).position(|part| part == tree).expect("in the file");
        let last = bytes.remove(start + tree.len() - 1);
        assert_eq!(last, 0, "no list of classes");
    }
    bytes
}

/// Nodes of many classes list those that they have met, and predict the same as all shares would.
#[test]
fn trees_of_many_classes_take_little_room() {
    let (n_rows, n_classes) = (300, 100);
    let mut numbers = Numbers(8);
    let x: Vec<f64> = (0..n_rows).map(|_| numbers.unit()).collect();
    let codes: Vec<u32> = (0..n_rows).map(|row| row as u32 % n_classes).collect();
    let names = (0..n_classes).map(|class| class.to_string()).collect();
    let target = Target::classification("y", names, codes.clone()).expect("classes");
    let column = Column::numeric("x", x).expect("numbers");
    let data = Dataset::new(vec![column], target).expect("a table");
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let bytes = forest.to_bytes().expect("a forest");
    let n_nodes: usize = forest.trees().iter().map(wald::forest::Tree::n_nodes).sum();
    assert!(bytes.len() < n_nodes * n_classes as usize, "{} of {n_nodes} nodes", bytes.len());
    let read = Forest::from_bytes(&bytes).expect("intact");
    assert_eq!(read, forest);
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("bags")) {
        let mut shares = vec![0.0; n_classes as usize];
        codes
            .iter()
            .zip(bag.counts())
            .for_each(|(&code, &n)| shares[code as usize] += f64::from(n));
        let all: f64 = shares.iter().sum();
        for (found, count) in tree.value(0).iter().zip(&shares) {
            assert!((found - count / all).abs() < 1e-12, "{found}");
        }
    }
    // Measured while it grows, and from the file.
    let ids =
        [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda, MeasureId::TreeShap];
    let measures = ids.map(|id| Measure::new(id, MeasureSettings::default()).expect("a measure"));
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let keep = Keep::Nothing;
    let grown = Forest::grow_and_measure(&data, &config, &measures, keep, run).expect("grown");
    let stored = read.measure(&data, &measures, run).expect("measured");
    assert_eq!(grown.measured.importances, stored.importances);
    assert_eq!(grown.measured.out_of_bag, stored.out_of_bag);
    let config = ForestConfig { n_trees: 40, ..config };
    let size = Size::of_growing(&data, &config, &[], Keep::Trees, run.threads).expect("fits").trees;
    let bytes = grow(&data, &config).to_bytes().expect("a forest").len() as f64;
    let ratio = size as f64 / bytes;
    assert!((0.8..2.0).contains(&ratio), "{ratio} times the file");
}

#[test]
fn files_of_older_versions_are_read() {
    let (data, mut forest) = small(2);
    let mut older = without_table(&forest);
    older[8] = 13;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    let mut older = without_mtry(&forest);
    older[8] = 12;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    let mut older = of_one_target(&forest);
    older[8] = 11;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    assert_eq!(older.pop(), Some(0), "no trends");
    older[8] = 10;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    assert_eq!(older.pop(), Some(0), "draws of all classes weigh the same");
    older[8] = 9;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    assert_eq!(older.split_off(older.len() - 9), [0; 9], "no limit of leaves, and no cost of them");
    older[8] = 8;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    assert_eq!(older.pop(), Some(0), "the first tree");
    older[8] = 7;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    assert_eq!(older.pop(), Some(0), "no bins");
    older[8] = 6;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    let mut older = older_trees(&forest);
    assert_eq!(older.pop(), Some(0), "no trends");
    assert_eq!(older.pop(), Some(0), "draws of all classes weigh the same");
    assert_eq!(older.split_off(older.len() - 9), [0; 9], "no limit of leaves, and no cost of them");
    assert_eq!(older.pop(), Some(0), "the first tree");
    assert_eq!(older.pop(), Some(0), "no bins");
    older[8] = 5;
    reseal(&mut older);
    assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    older[8] = 4;
    let last = older.pop();
    reseal(&mut older);
    assert_eq!(last, Some(1), "the way of before");
    let read = Forest::from_bytes(&older).expect("an older file");
    let config = read.config().expect("grown by wald").clone();
    assert_eq!(config.constant_draws, ConstantDraws::Leaf);
    assert_eq!(read.trees(), forest.trees());
    let text = serde_json::to_string(&config).expect("settings");
    let text = text.replace(",\"constant_draws\":\"leaf\"", "");
    assert!(!text.contains("constant"), "{text}");
    assert_eq!(serde_json::from_str::<ForestConfig>(&text).ok(), Some(config));
    // A forest of another program has no settings.
    let mut json = Vec::new();
    forest.to_json(&mut json).expect("memory does not fail");
    let mut json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    json.as_object_mut().expect("an object").remove("config");
    let run = &Run::on(Threads::new(1).expect("one thread"));
    forest = Forest::from_json(json.to_string().as_bytes(), Some(&data), run)
        .expect("a forest without settings");
    let mut older = older_trees(&forest);
    for version in [4, 5] {
        older[8] = version;
        reseal(&mut older);
        assert_eq!(Forest::from_bytes(&older), Ok(forest.clone()));
    }
}

#[test]
fn other_files_are_told_apart() {
    let refused = |bytes: &[u8], words: &str| {
        let read = Forest::read(bytes, None, &Run::on(Threads::new(1).expect("one thread")));
        let message = read.expect_err("no forest").to_string();
        assert!(message.contains(words), "{message}");
    };
    refused(b"", "empty");
    refused(b"\x1f\x8b\x08\x00", "compressed");
    refused(b"\x80\x04\x95", "pickle");
    refused(b"RDX3\n", "R image");
    refused(b"a,b,y\n1,2,3\n", "neither");
    refused(b"[1, 2]", "neither");
    refused(b"\xff\xfe{\x00", "neither");
    refused(b"\xef\xbb\xbf  {\"format\": \"wald-forest\"}", "is not marked");
    let mut text = small(0).1.to_bytes().expect("a small forest");
    text.splice(5..7, *b"\n");
    refused(&text, "line ends");
}

#[test]
fn the_table_must_be_the_one_the_forest_was_grown_on() {
    let threads = Threads::new(2).expect("two threads");
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_classes, ..SHAPE });
        let other = dataset(Shape { n_classes, seed: 6, ..SHAPE });
        let shorter = dataset(Shape { n_classes, n_rows: 59, ..SHAPE });
        let unweighted = dataset(Shape { n_classes, weights: false, ..SHAPE });
        let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
        let mut json = Vec::new();
        forest.to_json(&mut json).expect("memory does not fail");
        for bytes in [forest.to_bytes().expect("a small forest"), json] {
            let read = |data: &Dataset| Forest::read(&bytes, Some(data), &Run::on(threads));
            assert_eq!(read(&data).as_ref(), Ok(&forest));
            for (wrong, words) in
                [(&other, "tree 0, node 0 has the"), (&shorter, "60 rows"), (&unweighted, "weight")]
            {
                let message = read(wrong).expect_err("another table").to_string();
                assert!(message.contains(words), "{message}");
            }
        }
    }
}
