//! Maximises a smooth function within bounds by L-BFGS.
//!
//! Bounds are met by a change of variables: every variable is a logistic function of one without
//! bounds. Steps are halved until they are long enough and improve enough (Nocedal and Wright,
//! Numerical Optimization, 2nd edition, algorithms 3.1 and 7.5).

/// Pairs of steps and changes of the gradient that are remembered.
const MEMORY: usize = 10;

/// The share of the expected improvement that a step must bring.
const SUFFICIENT: f64 = 1e-4;

/// Most halvings of a step.
const MOST_HALVINGS: usize = 30;

/// Bounds of a variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    fn value(self, free: f64) -> f64 {
        self.low + (self.high - self.low) / (1.0 + f64::exp(-free))
    }

    fn derivative(self, free: f64) -> f64 {
        let share = 1.0 / (1.0 + f64::exp(-free));
        (self.high - self.low) * share * (1.0 - share)
    }

    fn free(self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(1e-6, 1.0 - 1e-6);
        (share / (1.0 - share)).ln()
    }
}

/// A value of the function and its gradient.
pub(crate) struct Evaluated {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
}

/// Where the optimiser ended.
pub(crate) struct Optimum {
    pub(crate) at: Vec<f64>,
    pub(crate) value: f64,
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// A step, and how the gradient changed over it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
}

/// The direction of ascent that the last steps suggest.
fn direction(gradient: &[f64], pairs: &[Pair]) -> Vec<f64> {
    let mut direction = gradient.to_vec();
    let mut shares = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let share = dot(&pair.step, &direction) / dot(&pair.step, &pair.change);
        direction.iter_mut().zip(&pair.change).for_each(|(to, change)| *to -= share * change);
        shares.push(share);
    }
    let scale = pairs.last().map_or_else(
        || 1.0 / dot(gradient, gradient).sqrt().max(1.0),
        |last| dot(&last.step, &last.change) / dot(&last.change, &last.change),
    );
    direction.iter_mut().for_each(|to| *to *= scale.abs());
    for (pair, share) in pairs.iter().zip(shares.iter().rev()) {
        let back = dot(&pair.change, &direction) / dot(&pair.step, &pair.change);
        direction.iter_mut().zip(&pair.step).for_each(|(to, step)| *to += (share - back) * step);
    }
    direction
}

/// Climbs from a start until a step improves by less than `tolerance`, at most `most_steps` steps;
/// `None` where the function has no value at the start.
pub(crate) fn maximise(
    function: impl Fn(&[f64]) -> Option<Evaluated>,
    bounds: &[Bounds],
    start: &[f64],
    most_steps: usize,
    tolerance: f64,
) -> Option<Optimum> {
    let values = |free: &[f64]| -> Vec<f64> {
        free.iter().zip(bounds).map(|(free, bounds)| bounds.value(*free)).collect()
    };
    let evaluate = |free: &[f64]| {
        let mut evaluated = function(&values(free))?;
        for ((derivative, free), bounds) in evaluated.gradient.iter_mut().zip(free).zip(bounds) {
            *derivative *= bounds.derivative(*free);
        }
        Some(evaluated)
    };
    let mut free: Vec<f64> =
        start.iter().zip(bounds).map(|(value, bounds)| bounds.free(*value)).collect();
    let mut here = evaluate(&free)?;
    let mut pairs: Vec<Pair> = Vec::new();
    for _ in 0..most_steps {
        let mut along = direction(&here.gradient, &pairs);
        let mut slope = dot(&along, &here.gradient);
        if slope.is_nan() || slope <= 0.0 {
            pairs.clear();
            along = direction(&here.gradient, &pairs);
            slope = dot(&along, &here.gradient);
            if slope.is_nan() || slope <= 0.0 {
                break;
            }
        }
        let mut length = 1.0;
        let found = (0..MOST_HALVINGS).find_map(|_| {
            let next: Vec<f64> =
                free.iter().zip(&along).map(|(free, along)| free + length * along).collect();
            let there = evaluate(&next);
            let there = there.filter(|it| it.value >= here.value + SUFFICIENT * length * slope);
            length *= 0.5;
            there.map(|it| (next, it))
        });
        let Some((next, there)) = found else { break };
        let gain = there.value - here.value;
        let step: Vec<f64> = next.iter().zip(&free).map(|(next, free)| next - free).collect();
        // Of the function turned around, whose curvature is positive at a maximum.
        let change: Vec<f64> =
            here.gradient.iter().zip(&there.gradient).map(|(here, there)| here - there).collect();
        if dot(&step, &change) > 1e-12 * dot(&change, &change) {
            if pairs.len() == MEMORY {
                pairs.remove(0);
            }
            pairs.push(Pair { step, change });
        }
        free = next;
        here = there;
        if gain < tolerance {
            break;
        }
    }
    Some(Optimum { at: values(&free), value: here.value })
}
