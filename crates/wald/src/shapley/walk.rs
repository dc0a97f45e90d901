//! A few rows go through all of an outlined tree together.

use crate::forest::Router;
use crate::shapley::factors::{Factors, Meeting, Places, dot};
use crate::shapley::outline::{Edge, Outline, Step};
use crate::shapley::regions::{BlockCodes, Regions};
use crate::shapley::table::Table;

/// Memory of walks with `Q` places at a time.
#[derive(Debug)]
pub(super) struct Walk<const Q: usize> {
    /// Level after level, by row.
    products: Vec<[f64; Q]>,
    sums: Vec<[f64; Q]>,
    /// Level after level, by row: the region of the question there.
    regions: Vec<u32>,
    /// By level: an example of each region.
    examples: Vec<Vec<Option<u32>>>,
    asked: Regions,
    table: Table<Q>,
    /// By region: factors of the edge at hand.
    by_region: Vec<([f64; Q], [f64; Q])>,
}

impl<const Q: usize> Default for Walk<Q> {
    fn default() -> Self {
        Self {
            products: Vec::new(),
            sums: Vec::new(),
            regions: Vec::new(),
            examples: Vec::new(),
            asked: Regions::default(),
            table: Table::default(),
            by_region: Vec::new(),
        }
    }
}

impl<const Q: usize> Walk<Q> {
    /// Adds the values of the rows of a block, one per place of the outline and row after row, to
    /// `values`. What nodes say is given by `says`, one number per node.
    pub(super) fn walk(
        &mut self,
        (router, outline): (&Router<'_>, &Outline),
        block: &BlockCodes,
        (places, says): (&Places<Q>, &[f64]),
        values: &mut [f64],
    ) {
        let n = block.n_rows;
        let n_levels = outline.n_levels.max(1);
        self.products.resize(n_levels * n, [0.0; Q]);
        self.sums.resize(n_levels * n, [0.0; Q]);
        self.regions.resize(n_levels * n, 0);
        self.examples.resize_with(n_levels.max(self.examples.len()), Vec::new);
        self.products[..n].fill([1.0; Q]);
        let stride = outline.columns.len();
        let mut level = 0;
        for step in &outline.steps {
            match *step {
                Step::Ask { question } => {
                    let regions = &mut self.regions[level * n..][..n];
                    regions.fill(0);
                    let question = &outline.questions[question as usize];
                    self.asked.add((router, outline), block, question, (1, regions));
                    self.examples[level].clone_from(&self.asked.examples);
                }
                Step::Down { edge } => {
                    self.meet(router, Some(&outline.edges[edge as usize]), level, places);
                    let regions = &self.regions[level * n..][..n];
                    let (above, below) = self.products.split_at_mut((level + 1) * n);
                    let above = above[level * n..].iter();
                    for ((below, above), &region) in below.iter_mut().zip(above).zip(regions) {
                        let (product, _) = &self.by_region[region as usize];
                        *below = std::array::from_fn(|at| above[at] * product[at]);
                    }
                    level += 1;
                    self.sums[level * n..][..n].fill([0.0; Q]);
                }
                Step::Up { edge } => {
                    level -= 1;
                    let edge = &outline.edges[edge as usize];
                    self.meet(router, Some(edge), level, places);
                    let regions = &self.regions[level * n..][..n];
                    let (above, below) = self.sums.split_at_mut((level + 1) * n);
                    let sums = above[level * n..].iter_mut().zip(&below[..n]);
                    let values = values[edge.place as usize..].iter_mut().step_by(stride);
                    for (((above, below), &region), value) in sums.zip(regions).zip(values) {
                        let (_, factor) = &self.by_region[region as usize];
                        *value += dot(below, factor);
                        for at in 0..Q {
                            above[at] += below[at];
                        }
                    }
                }
                Step::Piece { edge, piece } => {
                    let piece = &outline.pieces[piece as usize];
                    self.table.fill((router, outline), piece, block, (places, says));
                    let edge = edge.map(|edge| &outline.edges[edge as usize]);
                    if edge.is_none() {
                        self.regions[..n].fill(0);
                    }
                    self.meet(router, edge, level, places);
                    self.add_piece(edge.map(|edge| edge.place), level, stride, values);
                }
            }
        }
    }

    /// The factors of an edge by the region of a row at its level; of no edge, ones and zeros.
    fn meet(&mut self, router: &Router<'_>, edge: Option<&Edge>, level: usize, places: &Places<Q>) {
        self.by_region.clear();
        let Some(edge) = edge else {
            self.by_region.push(([1.0; Q], [0.0; Q]));
            return;
        };
        let factors = Factors::new(edge, places);
        self.by_region.extend(self.examples[level].iter().map(|example| {
            let meeting = match example {
                None => Meeting::Before,
                Some(code) if router.child_of_code(edge.node as usize, *code) == edge.child => {
                    Meeting::Takes
                }
                Some(_) => Meeting::Leaves,
            };
            (factors.product[meeting as usize], factors.value[meeting as usize])
        }));
    }

    /// Adds what the piece in the table is to the rows.
    fn add_piece(&mut self, place: Option<u32>, level: usize, stride: usize, values: &mut [f64]) {
        let table = &self.table;
        let n = table.entries.len();
        let (width, columns) = (table.width(), table.places.as_slice());
        let products = self.products[level * n..][..n].iter();
        let sums = self.sums[level * n..][..n].iter_mut();
        // Below no edge, all rows are in region 0.
        let regions = &self.regions[level * n..][..n];
        let place = place.unwrap_or_default() as usize;
        let rows = products.zip(sums).zip(regions).zip(&table.entries);
        for ((((above, sums), &region), &entry), values) in
            rows.zip(values.chunks_exact_mut(stride.max(1)))
        {
            let (product, factor) = &self.by_region[region as usize];
            let product: [f64; Q] = std::array::from_fn(|at| above[at] * product[at]);
            let numbers = &table.numbers[entry as usize * width..][..width];
            let below: [f64; Q] = std::array::from_fn(|at| product[at] * numbers[0][at]);
            for at in 0..Q {
                sums[at] += below[at];
            }
            values[place] += dot(&below, factor);
            for (&column, numbers) in columns.iter().zip(&numbers[1..]) {
                values[column as usize] += dot(&product, numbers);
            }
        }
    }
}
