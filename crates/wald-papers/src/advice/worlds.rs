//! Designs whose cell of Table 2 is known.

use wald::data::{Column, Target};
use wald::simulate::{BenardExample1, BenardExample2, Friedman1, Numbers};
use wald::{Dataset, Error};

/// Streams of these designs.
const PART: u32 = 90;

/// Inputs of the designs made here.
const COLUMNS: usize = 10;

/// Correlation of neighbours where inputs depend on each other.
const NEIGHBOURS: f64 = 0.8;

/// A design and the truth about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) is_dependent: bool,
    pub(crate) interacts: bool,
    /// A paper's, or made here.
    pub(crate) draw: fn(usize, u64) -> Result<Dataset, Error>,
}

/// At least two designs per cell; the last one has no truth to find.
pub(crate) const WORLDS: [World; 9] = [
    World {
        name: "independent, linear and steps",
        is_dependent: false,
        interacts: false,
        draw: |n, seed| made(n, seed, 0.0, steps, 0.6),
    },
    World {
        name: "independent, Friedman 1",
        is_dependent: false,
        interacts: true,
        draw: |n, seed| Friedman1::default().draw(n, seed),
    },
    World {
        name: "dependent, linear and steps",
        is_dependent: true,
        interacts: false,
        draw: |n, seed| made(n, seed, NEIGHBOURS, steps, 0.6),
    },
    World {
        name: "dependent, linear",
        is_dependent: true,
        interacts: false,
        draw: |n, seed| made(n, seed, NEIGHBOURS, linear, 0.6),
    },
    World {
        name: "dependent, Bénard's example 2",
        is_dependent: true,
        interacts: false,
        draw: |n, seed| BenardExample2::default().draw(n, seed),
    },
    World {
        name: "dependent, two classes, additive",
        is_dependent: true,
        interacts: false,
        draw: classes,
    },
    World {
        name: "dependent, Bénard's example 1",
        is_dependent: true,
        interacts: true,
        draw: |n, seed| BenardExample1::default().draw(n, seed),
    },
    World {
        name: "dependent, a product of two",
        is_dependent: true,
        interacts: true,
        draw: |n, seed| made(n, seed, NEIGHBOURS, product, 0.6),
    },
    World {
        name: "independent, no effects",
        is_dependent: false,
        interacts: false,
        draw: |n, seed| made(n, seed, 0.0, |_| 0.0, 1.0),
    },
];

fn linear(x: &[f64]) -> f64 {
    2.0 * x[0] + x[3] + x[6]
}

fn steps(x: &[f64]) -> f64 {
    x[0] + if x[2] > 0.3 { 2.0 } else { 0.0 } + 0.7 * x[4] * x[4]
}

fn product(x: &[f64]) -> f64 {
    x[0] + x[2] + 0.5 * x[0] * x[2]
}

/// Standard normal inputs, neighbours of which are correlated, and a function of them with noise.
fn made(
    n_rows: usize,
    seed: u64,
    correlation: f64,
    signal: fn(&[f64]) -> f64,
    noise: f64,
) -> Result<Dataset, Error> {
    let mut target = Vec::with_capacity(n_rows);
    let columns = inputs(n_rows, seed, correlation, |x, numbers| {
        target.push(signal(x) + noise * numbers.normal());
    })?;
    Dataset::new(columns, Target::regression("y", target)?)
}

/// Two classes, whose probability is a sum of a step and a sine.
fn classes(n_rows: usize, seed: u64) -> Result<Dataset, Error> {
    let mut codes = Vec::with_capacity(n_rows);
    let columns = inputs(n_rows, seed, NEIGHBOURS, |x, numbers| {
        let probability = 0.5 + 0.2 * x[0].signum() + 0.2 * x[3].sin();
        codes.push(u32::from(numbers.uniform() < probability));
    })?;
    let names = vec!["no".to_owned(), "yes".to_owned()];
    Dataset::new(columns, Target::classification("y", names, codes)?)
}

fn inputs(
    n_rows: usize,
    seed: u64,
    correlation: f64,
    mut row: impl FnMut(&[f64], &mut Numbers),
) -> Result<Vec<Column>, Error> {
    let mut numbers = Numbers::new(seed, PART);
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); COLUMNS];
    let mut x = [0.0; COLUMNS];
    for _ in 0..n_rows {
        for at in 0..COLUMNS {
            let own = numbers.normal();
            let before = if at > 0 { x[at - 1] } else { own };
            x[at] = match at {
                0 => own,
                _ => correlation * before + (1.0 - correlation * correlation).sqrt() * own,
            };
        }
        columns.iter_mut().zip(x).for_each(|(column, value)| column.push(value));
        row(&x, &mut numbers);
    }
    (1..).zip(columns).map(|(at, values)| Column::numeric(format!("x{at}"), values)).collect()
}
