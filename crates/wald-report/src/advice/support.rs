//! How often permuted rows lie outside the data: Bénard, Da Veiga & Scornet 2022, Remark 2.

use crate::advice::dependence::Dependence;
use crate::advice::words::{count, listed, named};
use crate::advice::{Concern, Evidence, Finding};
use wald::Error;
use wald::Run;
use wald::association::cells::{Cells, Crossed};
use wald::data::Dataset;
use wald::words::percent;
use wald::work::{ordered, scattered_rows};

/// Cells per variable, at most: with so many of each, five rows are expected per pair of cells if
/// two variables are independent.
const MOST_CELLS: usize = 24;
const EXPECTED: usize = 5;

/// Rows that are looked at, scattered over the table.
const MOST_ROWS: usize = 5000;

/// Pairs that are looked at, the most dependent ones.
const MOST_PAIRS: usize = 20_000;

/// From this share of permuted rows on, predictions outside the data count.
const MATERIAL: f64 = 0.1;

/// Variables named in the sentence.
const NAMED: usize = 3;

/// Of each variable (group) that depends on another, the share of permuted rows in empty cells, and
/// the partner of whom that is true.
#[derive(Debug, Clone)]
pub(super) struct Support {
    /// By decreasing share.
    found: Vec<(usize, usize, f64)>,
    is_known: bool,
}

/// When a variable is permuted, it and another one are independent; so the share of its permuted
/// rows that fall into a cell of the two is the product of the cell's margins. What lies in cells
/// without any row is outside of the data as far as two variables show. The share that would be
/// empty by chance, were the two independent, is taken off. More than two variables would show
/// more; cells where data are thin may be empty by chance. Cost O(rows * dependent pairs).
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn support(
    data: &Dataset,
    dependence: &Dependence,
    run: &Run,
) -> Result<Support, Error> {
    let rows = scattered_rows(data.n_rows(), MOST_ROWS);
    let most = (((rows.len() / EXPECTED) as f64).sqrt() as usize).clamp(2, MOST_CELLS);
    let columns = data.features().columns();
    let pairs: Vec<_> = dependence.material().take(MOST_PAIRS).collect();
    let mut is_wanted = vec![false; columns.len()];
    pairs.iter().flat_map(|pair| pair.columns).for_each(|column| is_wanted[column] = true);
    let mut cells: Vec<Option<Cells>> = Vec::with_capacity(columns.len());
    let cut = |index: usize, (): &mut ()| {
        let cut = || Cells::new(&columns[index].select(&rows), most, EXPECTED.min(rows.len()));
        Ok(is_wanted[index].then(cut))
    };
    ordered(columns.len(), run, || (), cut, |_, column| cells.push(column))?;
    let n_groups = data.groups().n_groups();
    let mut best: Vec<Option<(usize, f64)>> = vec![None; n_groups];
    let look = |index: usize, (): &mut ()| {
        let [a, b] = pairs[index].columns;
        Ok(match (&cells[a], &cells[b]) {
            (Some(a), Some(b)) => outside(a, b),
            _ => 0.0,
        })
    };
    let note = |index: usize, share: f64| {
        let [a, b] = pairs[index].groups;
        for (group, partner) in [(a, b), (b, a)] {
            if best[group].is_none_or(|(_, most)| share > most) {
                best[group] = Some((partner, share));
            }
        }
    };
    ordered(pairs.len(), run, || (), look, note)?;
    let with_group = |(group, found): (usize, Option<(usize, f64)>)| {
        found.map(|(partner, share)| (group, partner, share))
    };
    let mut found: Vec<_> = best.into_iter().enumerate().filter_map(with_group).collect();
    found.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    Ok(Support { found, is_known: dependence.answer != super::Answer::Unknown })
}

/// The share of rows that fall into empty cells when the one is permuted against the other, beyond
/// what chance leaves empty.
fn outside(one: &Cells, other: &Cells) -> f64 {
    let width = other.size;
    let Crossed { table, of_one, of_other, total } = one.crossed(other);
    if total == 0.0 {
        return 0.0;
    }
    let mut share = 0.0;
    for (cell, observed) in table.iter().enumerate() {
        let expected = of_one[cell / width] * of_other[cell % width] / total;
        share += expected / total * (f64::from(u8::from(*observed == 0.0)) - (-expected).exp());
    }
    share.max(0.0)
}

impl Support {
    pub(super) fn finding(&self, names: &[String]) -> Finding {
        let material = || self.found.iter().filter(|(_, _, share)| *share >= MATERIAL);
        let largest = self.found.first().map_or(0.0, |(_, _, share)| *share);
        let variables: Vec<String> = material().map(|(group, ..)| names[*group].clone()).collect();
        let (concern, sentence, consequence) = if !self.is_known {
            (
                Concern::Unknown,
                "Support was not tested, because dependence was not tested.".to_owned(),
                "",
            )
        } else if let Some(&(group, partner, share)) =
            self.found.first().filter(|_| !variables.is_empty())
        {
            let also = if variables.len() == 1 {
                String::new()
            } else {
                format!(
                    "; with {} it is {} or more",
                    listed(&variables[1..], NAMED),
                    percent(MATERIAL)
                )
            };
            (
                Concern::Serious,
                format!(
                    "When {} is permuted, about {} of the permuted rows lie outside the data, \
                     judged by {} alone{also}.",
                    named(&names[group]),
                    percent(share),
                    named(&names[partner]),
                ),
                "Forests extrapolate there. Permutation importances, and Shapley values that \
                 replace values regardless of others, are based on such predictions (Remark 2); \
                 sobol_mda is not.",
            )
        } else {
            (
                Concern::None,
                format!(
                    "No variable was found for which {} or more of the permuted rows lie outside \
                     the data; {}.",
                    percent(MATERIAL),
                    match self.found.len() {
                        0 => "there were no dependent pairs to test".to_owned(),
                        n => format!(
                            "the largest share among {} is {}",
                            count(n, "variable", "variables"),
                            percent(largest)
                        ),
                    }
                ),
                "",
            )
        };
        Finding {
            id: "support".to_owned(),
            name: "Permuted rows outside of the data".to_owned(),
            concern,
            sentence,
            consequence: consequence.to_owned(),
            evidence: vec![
                Evidence::new("largest share outside", self.is_known.then_some(largest)),
                Evidence::new("variables with a tenth outside", Some(variables.len() as f64)),
            ],
            variables,
            source: "Bénard, Da Veiga & Scornet 2022, Remark 2; Hooker, Mentch & Zhou 2021"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::Column;

    #[test]
    fn rows_of_a_diagonal_fall_outside_when_one_side_is_permuted() {
        let column = || Column::numeric("x", (0..400).map(f64::from).collect()).expect("x");
        let cells = Cells::new(&column(), 4, 5);
        // 12 of 16 cells are empty; chance would leave exp(-25) of them so.
        assert!((outside(&cells, &cells) - 0.75).abs() < 1e-9);
        let mixed = (0..400_u32).map(|row| f64::from(row * 7 % 400)).collect();
        let mixed = Cells::new(&Column::numeric("y", mixed).expect("y"), 4, 5);
        assert_eq!(outside(&cells, &mixed), 0.0);
    }
}
