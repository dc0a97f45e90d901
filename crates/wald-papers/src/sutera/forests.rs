//! How large the forests of all figures are, and the data of most.

use wald::data::{Column, Target};
use wald::forest::{Impurity, Sampling, Splitting};
use wald::{Dataset, ForestConfig, Threads};

use crate::failure::Failure;
use crate::led;

pub(crate) const SOURCE: &str = "Sutera, Louppe, Huynh-Thu, Wehenkel & Geurts 2021, Advances in \
                                 Neural Information Processing Systems 34";

/// How large the forests are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forests {
    pub(crate) n_trees: usize,
    pub(crate) seed: u64,
    pub(crate) threads: Threads,
}

impl Forests {
    /// Extra-Trees on all rows by entropy.
    pub(super) fn config(&self, mtry: usize) -> ForestConfig {
        ForestConfig {
            n_trees: self.n_trees,
            mtry: Some(mtry),
            splitting: Splitting::RandomThreshold,
            sampling: Sampling::All,
            impurity: Some(Impurity::Entropy),
            min_node_size: Some(1),
            seed: self.seed,
            ..ForestConfig::default()
        }
    }

    pub(super) fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("trees", self.n_trees.to_string()),
            ("seed", self.seed.to_string()),
            ("splitting", "random-threshold (Extra-Trees)".to_owned()),
            ("sampling", "all".to_owned()),
            ("impurity", "entropy".to_owned()),
        ]
    }
}

/// The led problem: every digit once.
pub(super) fn led() -> Result<Dataset, Failure> {
    let column = |segment: usize| {
        let values = led::SEGMENTS.iter().map(|digit| f64::from(digit[segment])).collect();
        Column::numeric(format!("X{}", segment + 1), values)
    };
    let columns = (0..7).map(column).collect::<Result<_, _>>()?;
    let classes = (0..10).map(|digit| digit.to_string()).collect();
    Ok(Dataset::new(columns, Target::classification("digit", classes, (0..10).collect())?)?)
}
