//! The designs by name.

use crate::data::{Dataset, Task, check_number_of_rows};
use crate::error::Error;
use crate::frame::Frame;
use crate::simulate::benard_example_1::BenardExample1;
use crate::simulate::benard_example_2::BenardExample2;
use crate::simulate::friedman_1::Friedman1;
use crate::simulate::li_identification::LiIdentification;
use crate::simulate::li_leaf_size::LiLeafSize;

/// The designs by name, as their papers use them.
///
/// ```
/// use wald::simulate::Design;
///
/// let design = Design::parse("li-leaf-size").expect("a known design");
/// let data = design.draw(60, 1)?; // 60 rows, seed 1
/// assert_eq!(data.n_features(), design.info().n_columns);
/// assert_eq!(design.relevant(1), [1]); // the position of x2
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Design {
    /// [`BenardExample1`]
    BenardExample1,
    /// [`BenardExample2`]
    BenardExample2,
    /// [`Friedman1`]
    Friedman1,
    /// [`LiLeafSize`]
    LiLeafSize,
    /// [`LiIdentification`] of two classes
    LiClassification,
    /// [`LiIdentification`] of a number
    LiRegression,
}

/// What a design is, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignInfo {
    /// The name users type.
    pub id: &'static str,
    /// What it is for, in a few words.
    pub name: &'static str,
    /// How many inputs there are.
    pub n_columns: usize,
    /// How the inputs are distributed.
    pub inputs: &'static str,
    /// How the target follows from them.
    pub target: &'static str,
    /// Which inputs the target depends on.
    pub relevant: &'static str,
    /// Where it is printed.
    pub source: &'static str,
}

const BENARD_EXAMPLE_1: DesignInfo = DesignInfo {
    id: "benard_example_1",
    name: "Dependence and interactions",
    n_columns: 5,
    inputs: "standard normal; x1 and x2 have correlation .9, x4 and x5 have .6",
    target: "1.5 x1 x2 where x3 > 0, x4 x5 where x3 < 0, and noise, a tenth of the variance of y",
    relevant: "all",
    source: "Bénard, Da Veiga & Scornet 2022, Biometrika 109(4), section 3.3, example 1",
};

const BENARD_EXAMPLE_2: DesignInfo = DesignInfo {
    id: "benard_example_2",
    name: "Groups of correlated inputs",
    n_columns: 200,
    inputs: "standard normal; 5 groups of 40 inputs, which have correlation .8 within a group",
    target: "2 x1 + x41 + x81 + x121 + x161 and noise, a tenth of the variance of y",
    relevant: "the first of each group: x1, x41, x81, x121, x161",
    source: "Bénard, Da Veiga & Scornet 2022, Biometrika 109(4), section 3.3, example 2",
};

const FRIEDMAN_1: DesignInfo = DesignInfo {
    id: "friedman_1",
    name: "A smooth function of independent inputs",
    n_columns: 10,
    inputs: "independent, uniform on [0, 1)",
    target: "10 sin(pi x1 x2) + 20 (x3 - .5)^2 + 10 x4 + 5 x5 and standard normal noise",
    relevant: "x1 to x5",
    source: "Friedman 1991, Annals of Statistics 19, 1-67",
};

const LI_LEAF_SIZE: DesignInfo = DesignInfo {
    id: "li_leaf_size",
    name: "Noise of many values beside one binary input that matters",
    n_columns: 5,
    inputs: "independent; x1 standard normal, x2, x3, x4 and x5 of 2, 4, 10 and 20 values from 0 \
             on, all equally likely",
    target: "two classes, P(y = 1) = (1 + x2) / 3",
    relevant: "x2",
    source: "Li et al. 2019, Advances in Neural Information Processing Systems 32, section 4, \
             after Strobl et al. 2007",
};

const LI_CLASSIFICATION: DesignInfo = DesignInfo {
    id: "li_classification",
    name: "Which discrete inputs matter to two classes",
    n_columns: 50,
    inputs: "independent; xj is uniform on 0, 1, ..., j",
    target: "two classes, P(y = 1) = 1 / (1 + exp(-2 m)), where m is the mean of xj / j over the \
             inputs that matter",
    relevant: "five of x1 to x10, chosen by the seed",
    source: "Li et al. 2019, Advances in Neural Information Processing Systems 32, section 4, as \
             the published program has it",
};

const LI_REGRESSION: DesignInfo = DesignInfo {
    id: "li_regression",
    name: "Which discrete inputs matter to a number",
    target: "m and normal noise of standard deviation 100 V[m], where m is the mean of xj / j over \
             the inputs that matter",
    ..LI_CLASSIFICATION
};

impl Design {
    /// All designs.
    pub const ALL: &'static [Self] = &[
        Self::BenardExample1,
        Self::BenardExample2,
        Self::Friedman1,
        Self::LiLeafSize,
        Self::LiClassification,
        Self::LiRegression,
    ];

    /// What it is, in words.
    pub fn info(self) -> &'static DesignInfo {
        match self {
            Self::BenardExample1 => &BENARD_EXAMPLE_1,
            Self::BenardExample2 => &BENARD_EXAMPLE_2,
            Self::Friedman1 => &FRIEDMAN_1,
            Self::LiLeafSize => &LI_LEAF_SIZE,
            Self::LiClassification => &LI_CLASSIFICATION,
            Self::LiRegression => &LI_REGRESSION,
        }
    }

    /// The name users type.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// The design of that name; dashes and underscores are equal.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|design| design.id() == name)
    }

    /// Draws rows of the design with its paper's settings. Cost O(rows * columns).
    ///
    /// # Errors
    /// As [`BenardExample1::draw`], and [`Error::TooLarge`] for more rows than a table can have.
    pub fn draw(self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        check_number_of_rows(n_rows)?;
        match self {
            Self::BenardExample1 => BenardExample1::default().draw(n_rows, seed),
            Self::BenardExample2 => BenardExample2::default().draw(n_rows, seed),
            Self::Friedman1 => Friedman1::default().draw(n_rows, seed),
            Self::LiLeafSize => LiLeafSize::default().draw(n_rows, seed),
            Self::LiClassification => LiIdentification::of(Task::Classification).draw(n_rows, seed),
            Self::LiRegression => LiIdentification::of(Task::Regression).draw(n_rows, seed),
        }
    }

    /// Positions of the inputs that the target depends on where rows are drawn from this seed,
    /// increasing. Of the two `li` designs that choose them, equal seeds choose equal inputs.
    pub fn relevant(self, seed: u64) -> Vec<usize> {
        match self {
            Self::BenardExample1 | Self::Friedman1 => (0..5).collect(),
            Self::BenardExample2 => BenardExample2::default().relevant(),
            Self::LiLeafSize => vec![1],
            Self::LiClassification => LiIdentification::of(Task::Classification).relevant(seed),
            Self::LiRegression => LiIdentification::of(Task::Regression).relevant(seed),
        }
    }

    /// The truth about the inputs as a table: a line for each, with the columns `variable` and
    /// `relevant`, which is 1 or 0.
    ///
    /// ```
    /// use wald::frame::FrameColumn;
    /// use wald::simulate::Design;
    ///
    /// let truth = Design::LiLeafSize.truth(1);
    /// let relevant = [0.0, 1.0, 0.0, 0.0, 0.0].map(Some).to_vec();
    /// assert_eq!(truth.columns[1], ("relevant".into(), FrameColumn::Numbers(relevant)));
    /// ```
    pub fn truth(self, seed: u64) -> Frame {
        let (relevant, n_columns) = (self.relevant(seed), self.info().n_columns);
        Frame::default()
            .with_text("variable", (1..=n_columns).map(|number| format!("x{number}")))
            .with_numbers("relevant", (0..n_columns).map(|at| f64::from(relevant.contains(&at))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ColumnData, Response};

    #[test]
    fn names_lead_to_designs() {
        for &design in Design::ALL {
            assert_eq!(Design::parse(&design.id().replace('_', "-")), Some(design));
        }
        assert_eq!(Design::parse("friedman"), None);
    }

    #[test]
    fn words_and_data_agree() {
        for &design in Design::ALL {
            let info = design.info();
            let data = design.draw(30, 5).expect("a valid design");
            assert_eq!(data.n_features(), info.n_columns, "{}", info.id);
            let is_classes = matches!(data.target().response(), Response::Classification(_));
            assert_eq!(is_classes, info.target.contains("classes"), "{}", info.id);
            let relevant = design.relevant(5);
            assert!(relevant.is_sorted() && relevant.iter().all(|&at| at < info.n_columns));
            let names: Vec<String> = relevant.iter().map(|at| format!("x{}", at + 1)).collect();
            let expected = match design {
                Design::BenardExample1 => "all".to_owned(),
                Design::BenardExample2 => {
                    format!("the first of each group: {}", names.join(", "))
                }
                Design::Friedman1 => "x1 to x5".to_owned(),
                Design::LiLeafSize => names[0].clone(),
                Design::LiClassification | Design::LiRegression => {
                    assert_eq!(names.len(), 5);
                    "five of x1 to x10, chosen by the seed".to_owned()
                }
            };
            assert_eq!(info.relevant, expected, "{}", info.id);
        }
    }

    #[test]
    fn the_inputs_that_matter_are_those_that_classes_are_correlated_with() {
        for seed in 0..3 {
            let data = Design::LiClassification.draw(40_000, seed).expect("a valid design");
            let Response::Classification(classes) = data.target().response() else {
                panic!("two classes")
            };
            let y: Vec<f64> = classes.codes().iter().map(|&code| f64::from(code)).collect();
            let mean = y.iter().sum::<f64>() / 4e4;
            let relevant = Design::LiClassification.relevant(seed);
            for (at, column) in data.features().columns().iter().enumerate() {
                let ColumnData::Numeric(x) = column.data() else { panic!("numbers") };
                // xj is uniform on 0, ..., j.
                let j = at as f64 + 1.0;
                let covariance: f64 =
                    x.iter().zip(&y).map(|(x, y)| (x - 0.5 * j) * (y - mean)).sum::<f64>() / 4e4;
                let deviation = (j * (j + 2.0) / 12.0 * mean * (1.0 - mean)).sqrt();
                let score = covariance / deviation * 200.0;
                // Scores of the 135 others are about standard normal: none is above 4.2 with
                // probability .998. Those of relevant inputs are around 11 to 18.
                assert_eq!(
                    score > 4.2,
                    relevant.contains(&at),
                    "seed {seed}, x{}: {score}",
                    at + 1
                );
            }
        }
    }

    #[test]
    fn more_rows_than_a_table_can_have_are_refused() {
        let refusal = Design::Friedman1.draw(usize::MAX, 0);
        assert!(matches!(refusal, Err(Error::TooLarge { .. })));
    }
}
