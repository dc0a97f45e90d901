//! Designs with and without masking.

use wald::Dataset;
use wald::data::{Column, Target};
use wald::simulate::Numbers;

/// What the signal of normal inputs becomes.
#[derive(Debug, Clone, Copy)]
pub enum Response {
    /// With normal noise of this standard deviation.
    Number(f64),
    /// The signal is the logarithm of the odds of two classes.
    Odds,
    /// Three classes, divided at -1 and 1 by the signal and noise.
    Three,
}

/// A design: pairs of inputs and their correlations, inputs that are cut into so many categories,
/// and whether an input hides another.
#[derive(Debug, Clone, Copy)]
pub struct Design {
    pub name: &'static str,
    pub n_rows: usize,
    pub n_inputs: usize,
    pub mtry: usize,
    pub pairs: &'static [(usize, usize, f64)],
    pub categories: &'static [(usize, u32)],
    pub signal: fn(&[f64]) -> f64,
    pub response: Response,
    pub hides: Option<usize>,
}

const PLAIN: Design = Design {
    name: "",
    n_rows: 800,
    n_inputs: 8,
    mtry: 8,
    pairs: &[],
    categories: &[],
    signal: |x| x[0],
    response: Response::Number(0.7),
    hides: None,
};

/// Those that constants were chosen by.
pub const CHOSEN_BY: [Design; 10] = [
    Design {
        name: "linear, stand-in",
        pairs: &[(0, 4, 0.85)],
        signal: |x| 2.0 * x[0] + x[1],
        hides: Some(0),
        ..PLAIN
    },
    Design {
        name: "product, stand-in",
        pairs: &[(2, 5, 0.9)],
        signal: |x| x[0] * x[1] + 2.0 * x[2],
        hides: Some(2),
        ..PLAIN
    },
    // Trees of classes have leaves of one row, which find the stand-in.
    Design {
        name: "classes, stand-in",
        pairs: &[(0, 3, 0.85)],
        signal: |x| 4.0 * x[0] + x[1],
        response: Response::Odds,
        ..PLAIN
    },
    Design {
        name: "linear, stand-in, mtry 1",
        pairs: &[(0, 4, 0.85)],
        signal: |x| 2.0 * x[0] + x[1],
        mtry: 1,
        ..PLAIN
    },
    Design { name: "independent", signal: |x| 2.0 * x[0] + x[1] + x[2], ..PLAIN },
    Design { name: "independent, product", signal: |x| x[0] * x[1] + x[2], ..PLAIN },
    Design {
        name: "dependence of irrelevant variables",
        pairs: &[(5, 6, 0.9)],
        signal: |x| 2.0 * x[0] + x[1] + x[2],
        ..PLAIN
    },
    Design {
        name: "steps, stand-in",
        pairs: &[(1, 6, 0.9)],
        signal: |x| 2.0 * x[1].signum() + x[3],
        hides: Some(1),
        ..PLAIN
    },
    Design {
        name: "sine, stand-in",
        pairs: &[(2, 7, 0.85)],
        signal: |x| 3.0 * x[2].sin() + x[4],
        hides: Some(2),
        ..PLAIN
    },
    Design {
        name: "linear, weak dependence, mtry 2",
        pairs: &[(0, 4, 0.3), (1, 5, 0.3)],
        signal: |x| 2.0 * x[0] + x[1],
        mtry: 2,
        ..PLAIN
    },
];

/// Those that the choice is judged by.
pub const JUDGED_BY: [Design; 16] = [
    Design {
        name: "exponential, stand-in",
        n_rows: 500,
        n_inputs: 6,
        mtry: 6,
        pairs: &[(1, 4, 0.9)],
        signal: |x| 2.0 * (0.7 * x[1]).exp() + x[0],
        hides: Some(1),
        ..PLAIN
    },
    Design {
        name: "two stand-ins",
        n_rows: 1500,
        n_inputs: 12,
        mtry: 12,
        pairs: &[(0, 3, 0.8), (0, 9, 0.8)],
        signal: |x| 2.0 * x[0] + x[1] + x[2],
        response: Response::Number(1.0),
        hides: Some(0),
        ..PLAIN
    },
    Design {
        name: "V-shaped, stand-in",
        n_rows: 1000,
        n_inputs: 5,
        mtry: 5,
        pairs: &[(2, 3, 0.9)],
        signal: |x| 3.0 * x[2].abs() + x[0],
        hides: Some(2),
        ..PLAIN
    },
    Design {
        name: "mtry 12 of 16, stand-in",
        n_rows: 1000,
        n_inputs: 16,
        mtry: 12,
        pairs: &[(7, 8, 0.9)],
        signal: |x| 2.0 * x[7] + x[1] - x[2],
        hides: Some(7),
        ..PLAIN
    },
    Design {
        name: "category, stand-in a number",
        n_inputs: 7,
        mtry: 7,
        pairs: &[(0, 5, 0.92)],
        categories: &[(0, 6)],
        signal: |x| 2.0 * x[0] + x[1],
        hides: Some(0),
        ..PLAIN
    },
    Design {
        name: "slope by another input, stand-in",
        n_rows: 2000,
        n_inputs: 10,
        mtry: 10,
        pairs: &[(0, 6, 0.85)],
        signal: |x| if x[1] > 0.0 { 3.0 * x[0] } else { x[0] },
        response: Response::Number(1.0),
        hides: Some(0),
        ..PLAIN
    },
    Design {
        name: "three classes, stand-in",
        n_rows: 1500,
        n_inputs: 6,
        mtry: 6,
        pairs: &[(0, 2, 0.95)],
        signal: |x| 2.0 * x[0] + 0.5 * x[1],
        response: Response::Three,
        ..PLAIN
    },
    Design {
        name: "logarithm, much noise, stand-in",
        n_rows: 3000,
        n_inputs: 6,
        mtry: 6,
        pairs: &[(3, 1, 0.9)],
        signal: |x| 2.0 * (0.3 + x[3].abs()).ln() + x[3],
        response: Response::Number(1.0),
        ..PLAIN
    },
    Design {
        name: "independent, Friedman's function",
        n_rows: 500,
        n_inputs: 10,
        mtry: 10,
        signal: |x| 2.0 * (x[0] * x[1]).sin() + x[2] * x[2] + 2.0 * x[3] + x[4],
        ..PLAIN
    },
    Design {
        name: "independent, three-fold product",
        n_rows: 1500,
        n_inputs: 6,
        mtry: 6,
        signal: |x| x[0] * x[1] + x[2] * x[3].max(0.0),
        ..PLAIN
    },
    Design {
        name: "near copy",
        n_rows: 1000,
        n_inputs: 7,
        mtry: 7,
        pairs: &[(0, 1, 0.995)],
        signal: |x| 2.0 * x[0] + x[2],
        hides: Some(0),
        ..PLAIN
    },
    Design {
        name: "classes, dependence of irrelevant variables",
        n_rows: 1000,
        n_inputs: 12,
        mtry: 12,
        pairs: &[(5, 6, 0.9), (7, 8, 0.9)],
        signal: |x| 2.0 * x[0] + 2.0 * x[1],
        response: Response::Odds,
        ..PLAIN
    },
    Design {
        name: "stand-in, mtry 1 of 12",
        n_rows: 1500,
        n_inputs: 12,
        mtry: 1,
        pairs: &[(0, 3, 0.8), (1, 4, 0.8)],
        signal: |x| 2.0 * x[0] + x[1] + x[2],
        ..PLAIN
    },
    Design {
        name: "correlations of .2",
        n_rows: 600,
        n_inputs: 6,
        mtry: 6,
        pairs: &[(0, 1, 0.2), (0, 3, 0.2), (1, 4, 0.2)],
        signal: |x| 2.0 * x[0] + x[1] - x[2],
        ..PLAIN
    },
    Design {
        name: "independent, categories",
        n_rows: 600,
        n_inputs: 6,
        mtry: 6,
        categories: &[(0, 5), (3, 8)],
        signal: |x| 2.0 * x[0] + x[1],
        ..PLAIN
    },
    Design {
        name: "no relevant variable",
        n_rows: 200,
        n_inputs: 8,
        mtry: 8,
        pairs: &[(0, 1, 0.8)],
        signal: |_| 0.0,
        ..PLAIN
    },
];

impl Design {
    pub fn draw(&self, seed: u64) -> Dataset {
        let mut numbers = Numbers::new(seed, 78);
        let mut inputs = vec![Vec::new(); self.n_inputs];
        let (mut values, mut classes) = (Vec::new(), Vec::new());
        for _ in 0..self.n_rows {
            let mut x: Vec<f64> = (0..self.n_inputs).map(|_| numbers.normal()).collect();
            for &(one, other, correlation) in self.pairs {
                x[other] =
                    correlation * x[one] + (1.0 - correlation * correlation).sqrt() * x[other];
            }
            let signal = (self.signal)(&x);
            match self.response {
                Response::Number(noise) => values.push(signal + noise * numbers.normal()),
                Response::Odds => {
                    classes.push(u32::from(numbers.uniform() < 1.0 / (1.0 + (-signal).exp())));
                }
                Response::Three => {
                    let noisy = signal + 0.7 * numbers.normal();
                    classes.push(u32::from(noisy > -1.0) + u32::from(noisy > 1.0));
                }
            }
            inputs.iter_mut().zip(x).for_each(|(input, x)| input.push(x));
        }
        let columns = inputs.into_iter().enumerate().map(|(at, values)| {
            let name = format!("x{}", at + 1);
            match self.categories.iter().find(|(input, _)| *input == at) {
                None => Column::numeric(name, values),
                Some(&(_, n)) => {
                    // Neighbours in number are no neighbours in order.
                    let level = |value: &f64| {
                        let cell =
                            (f64::from(n) * (0.5 + value / 4.0)).clamp(0.0, f64::from(n - 1));
                        (cell as u32 * 7 + 2) % n
                    };
                    let levels = (0..n).map(|level| format!("level {level}")).collect();
                    let codes = values.iter().map(level).collect();
                    Column::categorical(name, levels, codes)
                }
            }
        });
        let names = |n: usize| (1..=n).map(|class| format!("class {class}")).collect();
        let target = match self.response {
            Response::Number(_) => Target::regression("y", values),
            Response::Odds => Target::classification("y", names(2), classes),
            Response::Three => Target::classification("y", names(3), classes),
        };
        let columns = columns.collect::<Result<_, _>>().expect("columns");
        Dataset::new(columns, target.expect("a target")).expect("a data set")
    }
}
