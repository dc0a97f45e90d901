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

/// A step that improves by less ends a climb.
const TOLERANCE: f64 = 1e-6;

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
#[derive(Clone)]
pub(crate) struct Evaluated {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// A step, and how the gradient changed over it.
#[derive(Clone)]
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

/// A climb from a start, which may be interrupted and go on.
#[derive(Clone)]
pub(crate) struct Climb<'a> {
    bounds: &'a [Bounds],
    /// Where it is, as variables without bounds.
    free: Vec<f64>,
    here: Evaluated,
    pairs: Vec<Pair>,
    has_ended: bool,
}

/// The function of variables without bounds.
fn evaluate(
    function: &mut impl FnMut(&[f64]) -> Option<Evaluated>,
    bounds: &[Bounds],
    free: &[f64],
) -> Option<Evaluated> {
    let mut evaluated = function(&values(bounds, free))?;
    for ((derivative, free), bounds) in evaluated.gradient.iter_mut().zip(free).zip(bounds) {
        *derivative *= bounds.derivative(*free);
    }
    Some(evaluated)
}

fn values(bounds: &[Bounds], free: &[f64]) -> Vec<f64> {
    free.iter().zip(bounds).map(|(free, bounds)| bounds.value(*free)).collect()
}

impl<'a> Climb<'a> {
    /// `None` where the function has no value at the start.
    pub(crate) fn new(
        function: &mut impl FnMut(&[f64]) -> Option<Evaluated>,
        bounds: &'a [Bounds],
        start: &[f64],
    ) -> Option<Self> {
        let free: Vec<f64> =
            start.iter().zip(bounds).map(|(value, bounds)| bounds.free(*value)).collect();
        let here = evaluate(function, bounds, &free)?;
        Some(Self { bounds, free, here, pairs: Vec::new(), has_ended: false })
    }

    /// The value of the function.
    pub(crate) fn value(&self) -> f64 {
        self.here.value
    }

    /// Where the climb is.
    pub(crate) fn at(&self) -> Vec<f64> {
        values(self.bounds, &self.free)
    }

    /// Climbs until a step improves by less than [`TOLERANCE`], at most `most_steps` steps.
    pub(crate) fn go_on(
        &mut self,
        function: &mut impl FnMut(&[f64]) -> Option<Evaluated>,
        most_steps: usize,
    ) {
        for _ in 0..most_steps {
            if self.has_ended {
                return;
            }
            let gain = self.step(function).unwrap_or(0.0);
            self.has_ended = gain < TOLERANCE;
        }
    }

    /// By how much a step improves; `None` where none does.
    fn step(&mut self, function: &mut impl FnMut(&[f64]) -> Option<Evaluated>) -> Option<f64> {
        let (along, slope) = self.ascent().or_else(|| {
            self.pairs.clear();
            self.ascent()
        })?;
        let mut length = 1.0;
        let (next, there) = (0..MOST_HALVINGS).find_map(|_| {
            let free = self.free.iter().zip(&along);
            let next: Vec<f64> = free.map(|(free, along)| free + length * along).collect();
            let there = evaluate(function, self.bounds, &next);
            let enough = self.here.value + SUFFICIENT * length * slope;
            length *= 0.5;
            there.filter(|it| it.value >= enough).map(|it| (next, it))
        })?;
        let gain = there.value - self.here.value;
        let step: Vec<f64> = next.iter().zip(&self.free).map(|(next, free)| next - free).collect();
        // Of the function turned around, whose curvature is positive at a maximum.
        let gradients = self.here.gradient.iter().zip(&there.gradient);
        let change: Vec<f64> = gradients.map(|(here, there)| here - there).collect();
        if dot(&step, &change) > 1e-12 * dot(&change, &change) {
            if self.pairs.len() == MEMORY {
                self.pairs.remove(0);
            }
            self.pairs.push(Pair { step, change });
        }
        self.free = next;
        self.here = there;
        Some(gain)
    }

    /// A direction and the slope along it, if that is upwards.
    fn ascent(&self) -> Option<(Vec<f64>, f64)> {
        let along = direction(&self.here.gradient, &self.pairs);
        let slope = dot(&along, &self.here.gradient);
        (slope > 0.0).then_some((along, slope))
    }
}
