//! The impurity of the target that is left when the variables of a set are known, for every set.
//!
//! The sets are visited depth first: variable after variable is either kept or summed out, so that
//! tables shrink on the way and no more than one per variable is in memory. The rows of a table
//! are in blocks of equal kept categories, and inside of a block in the order of the categories of
//! the variables that are not decided yet, the last variable being the most significant: rows that
//! become equal when the next variable is summed out are then neighbours.

use wald::work::ordered;
use wald::{Error, Progress, Run};

use crate::population::Population;

/// The first variables are decided by the number of a piece of work.
const DECIDED: usize = 6;

/// Cells with different categories, in blocks.
#[derive(Debug, Clone, Default)]
struct Table {
    /// A point of every cell.
    points: Vec<u32>,
    /// What is known of the target in every cell.
    states: Vec<f64>,
    /// Where blocks end.
    ends: Vec<u32>,
}

/// What all pieces of work look at.
struct Suffixes<'a> {
    population: &'a Population,
    /// By the number of decided variables and point: the place among the combinations of categories
    /// of the others.
    places: Vec<Vec<u32>>,
}

/// The tables of one thread.
struct Visitor<'a> {
    suffixes: &'a Suffixes<'a>,
    progress: &'a Progress,
    /// One table more for every variable that was summed out.
    tables: Vec<Table>,
    sorted: Table,
    order: Vec<u32>,
    /// By the digits of the variables kept, after those decided by the number of the work.
    left: Vec<f64>,
}

/// By set: the impurity that is left when its variables are known. Errors when cancelled.
///
/// Cost: see [`super::Limits`]; at most 3 · 3^p cells for p binary variables.
pub(crate) fn left_by_set(population: &Population, run: &Run) -> Result<Vec<f64>, Error> {
    let n_variables = population.n_variables();
    let suffixes = Suffixes::new(population);
    let n_decided = n_variables.min(DECIDED);
    let mut left = vec![0.0; 1 << n_variables];
    ordered(
        1 << n_decided,
        run,
        || Visitor {
            suffixes: &suffixes,
            progress: &run.progress,
            tables: vec![Table::default(); n_variables + 1],
            sorted: Table::default(),
            order: Vec::new(),
            left: Vec::new(),
        },
        |decisions, visitor| visitor.work(decisions, n_decided),
        |decisions, found: Vec<f64>| {
            let places = left.iter_mut().skip(decisions).step_by(1 << n_decided);
            places.zip(found).for_each(|(place, value)| *place = value);
        },
    )?;
    Ok(left)
}

impl<'a> Suffixes<'a> {
    fn new(population: &'a Population) -> Self {
        let (n_points, n_variables) = (population.n_points(), population.n_variables());
        let mut places = vec![vec![0; n_points]];
        for variable in (0..n_variables).rev() {
            let behind = &places[places.len() - 1];
            let key =
                |point: u32| (behind[point as usize], population.code(point as usize, variable));
            let mut order: Vec<u32> = (0..n_points as u32).collect();
            order.sort_unstable_by_key(|&point| key(point));
            let mut here = vec![0; n_points];
            let mut place = 0;
            for (one, other) in order.iter().zip(order.iter().skip(1)) {
                place += u32::from(key(*one) != key(*other));
                here[*other as usize] = place;
            }
            places.push(here);
        }
        places.reverse();
        Self { population, places }
    }

    /// All points, in one block.
    fn fill(&self, table: &mut Table) {
        let population = self.population;
        table.points.clear();
        table.points.extend(0..population.n_points() as u32);
        table.points.sort_unstable_by_key(|&point| self.places[0][point as usize]);
        table.states.clear();
        for &point in &table.points {
            table.states.extend_from_slice(population.state(point as usize));
        }
        table.ends.clear();
        table.ends.push(table.points.len() as u32);
    }
}

impl Visitor<'_> {
    /// All sets that agree with the decisions on the first variables.
    fn work(&mut self, decisions: usize, n_decided: usize) -> Result<Vec<f64>, Error> {
        let n_variables = self.suffixes.population.n_variables();
        self.left = vec![0.0; 1 << (n_variables - n_decided)];
        self.suffixes.fill(&mut self.tables[0]);
        let mut used = 0;
        for variable in 0..n_decided {
            if decisions >> variable & 1 == 1 {
                self.keep(used, variable);
            } else {
                self.sum_out(used, variable);
                used += 1;
            }
        }
        self.visit(n_decided, n_decided, 0, used)?;
        Ok(std::mem::take(&mut self.left))
    }

    /// Decides on the variables from `variable` on. The recursion is as deep as there are
    /// variables, which are at most 31.
    fn visit(
        &mut self,
        variable: usize,
        n_decided: usize,
        kept: usize,
        used: usize,
    ) -> Result<(), Error> {
        let population = self.suffixes.population;
        if variable == population.n_variables() {
            self.left[kept] = population.response.left_of_all(&self.tables[used].states);
            return Ok(());
        }
        self.progress.check()?;
        self.sum_out(used, variable);
        self.visit(variable + 1, n_decided, kept, used + 1)?;
        self.keep(used, variable);
        self.visit(variable + 1, n_decided, kept | 1 << (variable - n_decided), used)
    }

    /// Makes the next table, without a variable.
    fn sum_out(&mut self, used: usize, variable: usize) {
        let response = self.suffixes.population.response;
        let places = &self.suffixes.places[variable + 1];
        let [from, into] = &mut self.tables[used..used + 2] else { return };
        into.points.clear();
        into.states.clear();
        into.ends.clear();
        let mut start = 0;
        for &end in &from.ends {
            let mut last = None;
            for cell in start..end as usize {
                let point = from.points[cell];
                let state = &from.states[cell * response.stride..][..response.stride];
                let place = places[point as usize];
                if last == Some(place) {
                    let open = into.states.len() - response.stride;
                    response.merge(&mut into.states[open..], state);
                } else {
                    into.points.push(point);
                    into.states.extend_from_slice(state);
                    last = Some(place);
                }
            }
            into.ends.push(into.points.len() as u32);
            start = end as usize;
        }
    }

    /// Divides the blocks of a table by a variable.
    fn keep(&mut self, used: usize, variable: usize) {
        let population = self.suffixes.population;
        let stride = population.response.stride;
        let (table, sorted) = (&mut self.tables[used], &mut self.sorted);
        sorted.points.clear();
        sorted.states.clear();
        sorted.ends.clear();
        let code = |point: u32| population.code(point as usize, variable);
        let n_categories = population.n_categories[variable] as usize;
        let mut start = 0;
        for &end in &table.ends {
            let points = &table.points[start..end as usize];
            let order = &mut self.order;
            order.clear();
            if n_categories <= 4 {
                for category in 0..n_categories as u32 {
                    let of_category =
                        (0..).zip(points).filter(|(_, point)| code(**point) == category);
                    order.extend(of_category.map(|(at, _)| at));
                }
            } else {
                order.extend(0..points.len() as u32);
                order.sort_unstable_by_key(|&at| (code(points[at as usize]), at));
            }
            let mut last = None;
            for &at in order.iter() {
                let point = points[at as usize];
                if last.is_some_and(|last| last != code(point)) {
                    sorted.ends.push(sorted.points.len() as u32);
                }
                last = Some(code(point));
                sorted.points.push(point);
                let state = (start + at as usize) * stride;
                sorted.states.extend_from_slice(&table.states[state..state + stride]);
            }
            sorted.ends.push(sorted.points.len() as u32);
            start = end as usize;
        }
        std::mem::swap(table, sorted);
    }
}
