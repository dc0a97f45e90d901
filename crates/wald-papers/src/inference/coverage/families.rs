//! Families of designs that intervals are tried on. In each, five variables matter and three, which
//! depend on nothing, do not. Intervals were made on the first four, and judged on the others.

use wald::data::{Column, Target};
use wald::simulate::Numbers;
use wald::{Dataset, Error};

/// Variables that matter come first; those from here on are irrelevant.
pub(super) const N_SIGNAL: usize = 5;
pub(super) const N_COLUMNS: usize = 8;

/// Random numbers of this study.
const PART: u32 = 40;

/// A way to draw data sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Family {
    /// Correlated normal inputs, normal noise.
    Normal,
    /// Correlated normal inputs, an interaction, a two-valued input, noise of Student's t with three
    /// degrees of freedom.
    HeavyTails,
    /// Lognormal inputs and a lognormal response.
    Skewed,
    /// Three classes, one of them of five rows in a hundred.
    RareClass,
    /// Counts (Poisson) of inputs of Student's t.
    Counts,
    /// Uniform inputs, steps, exponential noise whose scale depends on an input.
    Steps,
    /// Two classes, one of them of twelve rows in a hundred, of inputs with two peaks.
    RareEvent,
    /// A chain of normal inputs, each correlated .8 with the one before; waves and a product.
    Chain,
}

impl Family {
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::HeavyTails => "heavy-tails",
            Self::Skewed => "skewed",
            Self::RareClass => "rare-class",
            Self::Counts => "counts",
            Self::Steps => "steps",
            Self::RareEvent => "rare-event",
            Self::Chain => "chain",
        }
    }

    pub(super) fn draw(self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        let mut numbers = Numbers::new(seed, PART + self as u32);
        let mut columns = vec![Vec::new(); N_COLUMNS];
        let mut response = Vec::with_capacity(n_rows);
        for _ in 0..n_rows {
            let (x, y) = self.row(&mut numbers);
            columns.iter_mut().zip(x).for_each(|(column, x)| column.push(x));
            response.push(y);
        }
        let named = (1..).zip(columns).map(|(at, x)| Column::numeric(format!("x{at}"), x));
        let target = match self {
            Self::RareClass => {
                Target::classification("y", names(["a", "b", "rare"]), codes(&response))?
            }
            Self::RareEvent => Target::classification("y", names(["no", "yes"]), codes(&response))?,
            _ => Target::regression("y", response)?,
        };
        Dataset::new(named.collect::<Result<_, _>>()?, target)
    }

    fn row(self, numbers: &mut Numbers) -> ([f64; N_COLUMNS], f64) {
        let mut x = [0.0; N_COLUMNS];
        x.iter_mut().for_each(|x| *x = numbers.normal());
        match self {
            Self::Normal => {
                x[1] = 0.6 * x[0] + 0.8 * x[1];
                x[3] = 0.6 * x[2] + 0.8 * x[3];
                let y = 2.0 * x[0] + x[1] + x[2] + x[3].abs() + 0.7 * x[4] + numbers.normal();
                (x, y)
            }
            Self::HeavyTails => {
                x[1] = 0.5 * x[0] + 0.75_f64.sqrt() * x[1];
                x[4] = f64::from(u8::from(x[4] > 0.0));
                x[7] = f64::from(u8::from(x[7] > 0.5));
                let y = x[0] + x[1] + x[2] * x[3] + 1.5 * x[4] + student_3(numbers);
                (x, y)
            }
            Self::Skewed => {
                let log = 0.8 * x[0] + 0.5 * x[1] + 0.4 * x[2] * x[3] - 0.4 * x[4];
                x.iter_mut().for_each(|x| *x = x.exp());
                (x, (log + 0.5 * numbers.normal()).exp())
            }
            Self::RareClass => {
                let one = x[0] + 0.7 * x[1] + 0.7 * x[2] * x[3] + 0.5 * logistic(numbers);
                let rare = x[4] + 0.5 * x[0] + 0.3 * logistic(numbers);
                let code = if rare > 2.0 { 2.0 } else { f64::from(u8::from(one > 0.0)) };
                (x, code)
            }
            Self::Counts => {
                x.iter_mut().for_each(|x| *x /= (0.4 + 0.6 * numbers.normal().powi(2)).sqrt());
                x[1] = 0.5 * (x[0] + x[1]);
                let bound = |x: f64| x.clamp(-2.0, 2.0);
                let log = 0.5 + 0.5 * bound(x[0]) + 0.3 * bound(x[1]) - 0.4 * bound(x[2])
                    + 0.2 * bound(x[3]) * bound(x[4]);
                (x, poisson(numbers, log.exp()))
            }
            Self::Steps => {
                x.iter_mut().for_each(|x| *x = numbers.uniform());
                let above = |x: f64, least: f64| f64::from(u8::from(x > least));
                let noise = -(1.0 - numbers.uniform()).ln() * (0.3 + x[4]);
                let y = 2.0 * above(x[0], 0.3) + above(x[1], 0.7) + 2.0 * above(x[2], 0.5) * x[3];
                (x, y + noise)
            }
            Self::RareEvent => {
                x.iter_mut()
                    .for_each(|x| *x = 0.5 * *x + numbers.uniform().mul_add(2.0, -1.0).signum());
                let score = x[0] + 0.8 * x[1] + 0.6 * x[2] * x[3] + 0.5 * x[4];
                (x, f64::from(u8::from(score + 0.5 * logistic(numbers) > 2.4)))
            }
            Self::Chain => {
                for at in 1..N_SIGNAL {
                    x[at] = 0.8 * x[at - 1] + 0.6 * x[at];
                }
                let y = 2.0 * x[0] + (2.0 * x[1]).sin() + x[2] * x[3] + x[4].max(0.0);
                (x, y + 2.0 * numbers.uniform() - 1.0)
            }
        }
    }
}

fn names<const N: usize>(of_classes: [&str; N]) -> Vec<String> {
    of_classes.map(str::to_owned).to_vec()
}

fn codes(response: &[f64]) -> Vec<u32> {
    response.iter().map(|&code| code as u32).collect()
}

/// By the product of uniform numbers (Knuth).
fn poisson(numbers: &mut Numbers, mean: f64) -> f64 {
    let least = (-mean).exp();
    let (mut product, mut count) = (numbers.uniform(), 0.0);
    while product > least {
        product *= numbers.uniform();
        count += 1.0;
    }
    count
}

fn student_3(numbers: &mut Numbers) -> f64 {
    let squares: f64 = (0..3).map(|_| numbers.normal().powi(2)).sum();
    numbers.normal() / (squares / 3.0).sqrt()
}

fn logistic(numbers: &mut Numbers) -> f64 {
    let share = numbers.uniform().clamp(1e-12, 1.0 - 1e-12);
    (share / (1.0 - share)).ln()
}
