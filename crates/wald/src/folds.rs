//! Which rows are left out together.

use crate::data::{Dataset, Response};
use crate::error::Error;
use crate::random::{Purpose, Stream};
use crate::words::{counted, numbered, there_are};
use crate::{message, setting};

/// The fold of every row, in one repetition.
///
/// Rows are shuffled and dealt out one by one, so that folds differ by one row at most. Classes are
/// dealt out one after the other, so that every fold has its share of each (stratified folds).
/// Rows of one cluster stay together: clusters are shuffled, and each goes to the fold that has
/// the fewest rows by then.
pub(crate) fn fold_of_rows(data: &Dataset, n_folds: usize, seed: u64, repeat: usize) -> Vec<u32> {
    let mut stream = Stream::new(seed, repeat, Purpose::Folds);
    if let Some(clusters) = data.clusters() {
        return folds_of_clusters(clusters, n_folds, &mut stream);
    }
    let mut rows: Vec<u32> = (0..data.n_rows() as u32).collect();
    stream.shuffle(&mut rows);
    if let Response::Classification(classes) = data.target().response() {
        rows.sort_by_key(|&row| classes.codes()[row as usize]);
    }
    let mut folds = vec![0; rows.len()];
    for (place, row) in rows.into_iter().enumerate() {
        folds[row as usize] = (place % n_folds) as u32;
    }
    folds
}

fn folds_of_clusters(clusters: &[u32], n_folds: usize, stream: &mut Stream) -> Vec<u32> {
    let names = distinct(clusters);
    let mut n_rows = vec![0_usize; names.len()];
    // Every cluster's name is found, as they were taken from the clusters.
    let places: Vec<usize> =
        clusters.iter().map(|name| names.partition_point(|other| other < name)).collect();
    places.iter().for_each(|&place| n_rows[place] += 1);
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    stream.shuffle(&mut order);
    let mut sizes = vec![0; n_folds];
    let mut fold_of_cluster = vec![0; names.len()];
    for cluster in order {
        let smallest = (0..n_folds).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
        fold_of_cluster[cluster as usize] = smallest as u32;
        sizes[smallest] += n_rows[cluster as usize];
    }
    places.into_iter().map(|place| fold_of_cluster[place]).collect()
}

/// Refuses folds that rows, or clusters where there are any, cannot be divided into: each has so many
/// parts, of which none may be empty.
///
/// # Errors
/// [`Error::Data`] where no number of folds would do, else [`Error::Setting`].
pub(crate) fn check(n_folds: usize, parts_of_fold: usize, data: &Dataset) -> Result<(), Error> {
    let n_units = n_units(data);
    let unit = if data.clusters().is_some() { "cluster" } else { "row" };
    let most = n_units / parts_of_fold;
    if most < 2 {
        return Err(Error::data(
            format!("{}, too few for folds", there_are(n_units, unit)),
            format!("give at least {}", counted(2 * parts_of_fold, unit)),
        ));
    }
    if (2..=most).contains(&n_folds) {
        return Ok(());
    }
    Err(Error::bad_setting(
        setting::FOLDS,
        message!(setting::FOLDS.name(), " is ", n_folds, ", but ", there_are(n_units, unit)),
        match most {
            2 => format!("give 2, or more {}", numbered(0, unit)),
            most => format!("give a whole number from 2 to {most}"),
        },
    ))
}

/// What folds are made of: clusters where there are any, else rows.
pub(crate) fn n_units(data: &Dataset) -> usize {
    data.clusters().map_or(data.n_rows(), |clusters| distinct(clusters).len())
}

fn distinct(clusters: &[u32]) -> Vec<u32> {
    let mut names = clusters.to_vec();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};

    fn data(n_rows: u32) -> Dataset {
        let x = Column::numeric("x", (0..n_rows).map(f64::from).collect()).expect("finite");
        let names = vec!["often".to_owned(), "rarely".to_owned()];
        let classes = (0..n_rows).map(|row| u32::from(row % 5 == 0)).collect();
        let target = Target::classification("y", names, classes).expect("two classes");
        Dataset::new(vec![x], target).expect("a data set")
    }

    fn count(folds: &[u32], n_folds: usize, counts: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![0; n_folds];
        let rows = folds.iter().enumerate().filter(|(row, _)| counts(*row));
        rows.for_each(|(_, &fold)| found[fold as usize] += 1);
        found
    }

    #[test]
    fn folds_are_even_in_rows_and_in_classes() {
        let data = data(103);
        let folds = fold_of_rows(&data, 10, 7, 0);
        let all = count(&folds, 10, |_| true);
        assert!(all.iter().all(|n| (10..=11).contains(n)), "{all:?}");
        let rare = count(&folds, 10, |row| row % 5 == 0);
        assert!(rare.iter().all(|n| (2..=3).contains(n)), "{rare:?}");
    }

    #[test]
    fn a_single_number_of_folds_is_no_range() {
        let help = |n_rows| check(9, 1, &data(n_rows)).expect_err("fewer rows").help();
        assert_eq!(help(5), "give a whole number from 2 to 5");
        assert_eq!(help(2), "give 2, or more rows");
    }

    #[test]
    fn repetitions_and_seeds_have_their_own_folds() {
        let data = data(103);
        let folds = |seed, repeat| fold_of_rows(&data, 10, seed, repeat);
        assert_eq!(folds(1, 0), folds(1, 0));
        assert_ne!(folds(1, 0), folds(1, 1));
        assert_ne!(folds(1, 0), folds(2, 0));
        assert_ne!(folds(1, 1), folds(2, 0));
    }

    #[test]
    fn clusters_stay_together() {
        let clusters: Vec<u32> = (0..103_u32).map(|row| row * row % 41).collect();
        let data = data(103).with_clusters(clusters.clone()).expect("one per row");
        let n_clusters = n_units(&data);
        for repeat in 0..5 {
            let folds = fold_of_rows(&data, 10, 3, repeat);
            for (row, fold) in folds.iter().enumerate() {
                let same = clusters.iter().zip(&folds).filter(|(c, _)| **c == clusters[row]);
                assert!(same.into_iter().all(|(_, other)| other == fold));
            }
            let sizes = count(&folds, 10, |_| true);
            assert!(sizes.iter().all(|n| (1..=20).contains(n)), "{sizes:?}");
        }
        let alone = fold_of_rows(&data, n_clusters, 3, 0);
        assert!(count(&alone, n_clusters, |_| true).iter().all(|n| *n > 0), "none is empty");
    }
}
