//! A few rows go through all of an outlined tree together.

use crate::error::Error;
use crate::forest::Router;
use crate::run::Progress;
use crate::tree_shap::additions::Additions;
use crate::tree_shap::alike::Alike;
use crate::tree_shap::factors::{
    AtEdge, Factors, Places, Records, RegionFactors, add, dot, product, sum,
};
use crate::tree_shap::outline::{Edge, Outline, OutlinedTree, Step};
use crate::tree_shap::pairs::{Above, pair};
use crate::tree_shap::piece_table::Table;
use crate::tree_shap::regions::{BlockCodes, Regions};

/// Memory of walks with `Q` places at a time.
#[derive(Debug)]
pub(super) struct Walk<const Q: usize> {
    n_rows: usize,
    places: Places<Q>,
    levels: Vec<Alike<Q>>,
    /// Level after level, by row.
    sums: Vec<[f64; Q]>,
    /// Level after level, by row: the region of the split there.
    regions: Vec<u32>,
    /// By level: an example of each region.
    examples: Vec<Vec<Option<u32>>>,
    split_regions: Regions,
    table: Table<Q>,
    /// By region: what the edge at hand does.
    met: Vec<RegionFactors<Q>>,
    /// The rows at the top of a piece, and what it adds to them.
    at_piece: Alike<Q>,
    additions: Additions<Q>,
    /// Where pairs are computed.
    above: Option<Above<Q>>,
}

impl<const Q: usize> Default for Walk<Q> {
    fn default() -> Self {
        Self {
            n_rows: 0,
            places: Places::default(),
            levels: Vec::new(),
            sums: Vec::new(),
            regions: Vec::new(),
            examples: Vec::new(),
            split_regions: Regions::default(),
            table: Table::default(),
            met: Vec::new(),
            at_piece: Alike::default(),
            additions: Additions::default(),
            above: None,
        }
    }
}

impl<const Q: usize> Walk<Q> {
    /// Adds the values of the rows of a block to their records.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn walk(
        &mut self,
        tree: OutlinedTree<'_>,
        block: &BlockCodes,
        places: Places<Q>,
        records: &mut Records<'_>,
        progress: &Progress,
    ) -> Result<(), Error> {
        let OutlinedTree { router, outline, .. } = tree;
        let Records { values, pairs } = records;
        let pairs = *pairs;
        self.places = places;
        self.begin(outline, block.n_rows());
        let n = self.n_rows;
        self.table.set_pairs(pairs);
        self.above = pairs.then(|| self.above.take().unwrap_or_default());
        if let Some(above) = &mut self.above {
            above.begin(n, outline.columns.used.len(), &places);
        }
        let mut level = 0;
        for step in &outline.steps {
            progress.check()?;
            match *step {
                Step::Split { splits } => {
                    let regions = &mut self.regions[level * n..][..n];
                    regions.fill(0);
                    let splits = &outline.column_splits[splits as usize];
                    self.split_regions.add(tree, block, splits, 1, regions);
                    self.examples[level].clone_from(&self.split_regions.examples);
                }
                Step::Down { edge } => {
                    let edge = &outline.edges[edge as usize];
                    self.meet(router, Some(edge), level);
                    self.down(edge, level);
                    level += 1;
                }
                Step::Up { edge } => {
                    level -= 1;
                    let edge = &outline.edges[edge as usize];
                    self.meet(router, Some(edge), level);
                    self.up(edge, level, values);
                }
                Step::Piece { edge, piece } => {
                    let piece = &outline.pieces[piece as usize];
                    self.table.fill(tree, piece, block, &places);
                    let edge = edge.map(|edge| &outline.edges[edge as usize]);
                    if edge.is_none() {
                        self.regions[..n].fill(0);
                    }
                    self.meet(router, edge, level);
                    if pairs {
                        self.add_piece_of_pairs(edge, level, values);
                    } else {
                        self.add_piece(edge.map(|edge| edge.place), level, values);
                    }
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, outline: &Outline, n: usize) {
        self.n_rows = n;
        let n_levels = outline.n_levels.max(1);
        self.levels.resize_with(n_levels.max(self.levels.len()), Alike::default);
        self.levels[0].begin(n);
        self.sums.resize(n_levels * n, [0.0; Q]);
        self.regions.resize(n_levels * n, 0);
        self.examples.resize_with(n_levels.max(self.examples.len()), Vec::new);
    }

    /// Goes down an edge.
    fn down(&mut self, edge: &Edge, level: usize) {
        let n = self.n_rows;
        let regions = &self.regions[level * n..][..n];
        let (above, below) = self.levels.split_at_mut(level + 1);
        below[0].down(&above[level], &self.met, regions);
        if let Some(above) = &mut self.above {
            above.down(edge, &self.met, regions);
        }
        self.sums[(level + 1) * n..][..n].fill([0.0; Q]);
    }

    /// Goes back over an edge, which corrects the values of its column.
    fn up(&mut self, edge: &Edge, level: usize, values: &mut [f64]) {
        let n = self.n_rows;
        let regions = &self.regions[level * n..][..n];
        let (above, below) = self.sums.split_at_mut((level + 1) * n);
        let sums = above[level * n..].iter_mut().zip(&below[..n]);
        let records = values.chunks_exact_mut(values.len() / n.max(1));
        let place = edge.place as usize;
        let rows = sums.zip(regions).zip(records);
        let Some(pairs) = &mut self.above else {
            for (((above, below), &region), record) in rows {
                record[place] += dot(below, &self.met[region as usize].value);
                add(above, below);
            }
            return;
        };
        pairs.up(edge, &self.met, regions);
        pairs.choose(&[edge.place]);
        for (row, (((above, below), &region), record)) in rows.enumerate() {
            let met = &self.met[region as usize];
            if met.satisfied {
                let term = product(below, &met.value);
                record[pair(place, place)] += sum(&term);
                pairs.add(row, &[term], record);
            }
            add(above, below);
        }
    }

    /// What an edge does by the region of a row at its level; of no edge, nothing.
    fn meet(&mut self, router: &Router<'_>, edge: Option<&Edge>, level: usize) {
        self.met.clear();
        let Some(edge) = edge else {
            self.met.push(RegionFactors::NOTHING);
            return;
        };
        let factors = Factors::new(edge, &self.places);
        self.met.extend(self.examples[level].iter().map(|example| {
            let meeting = match example {
                None => AtEdge::Unsatisfied,
                Some(code) if router.child_of_code(edge.node as usize, *code) == edge.child => {
                    AtEdge::Takes
                }
                Some(_) => AtEdge::Leaves,
            };
            factors.met(meeting)
        }));
    }

    /// Adds what the piece in the table is to the rows.
    fn add_piece(&mut self, place: Option<u32>, level: usize, values: &mut [f64]) {
        let n = self.n_rows;
        // Below no edge, all rows are in region 0.
        let regions = &self.regions[level * n..][..n];
        self.at_piece.down(&self.levels[level], &self.met, regions);
        self.additions.begin(self.at_piece.products.len(), &self.table, n);
        let sums = self.sums[level * n..][..n].iter_mut();
        let place = place.unwrap_or_default() as usize;
        let columns = self.table.places.as_slice();
        let rows = sums.zip(regions).zip(&self.at_piece.groups).zip(&self.table.entries);
        let records = values.chunks_exact_mut(values.len() / n.max(1));
        for ((((sums, &region), &group), &entry), record) in rows.zip(records) {
            let above = &self.at_piece.products[group as usize];
            let met = &self.met[region as usize];
            let at = (group, entry);
            let (below, first, others) = self.additions.of(at, &self.table, above, met);
            add(sums, below);
            record[place] += first;
            for (&column, value) in columns.iter().zip(others) {
                record[column as usize] += value;
            }
        }
    }

    /// The same with pairs.
    fn add_piece_of_pairs(&mut self, edge: Option<&Edge>, level: usize, values: &mut [f64]) {
        let (table, n) = (&self.table, self.n_rows);
        let Some(pairs) = &mut self.above else { return };
        let (width, columns) = (table.width(), table.places.as_slice());
        let regions = &self.regions[level * n..][..n];
        if let Some(edge) = edge {
            pairs.down(edge, &self.met, regions);
        }
        pairs.choose(columns);
        let own = |column: &u32| pair(*column as usize, *column as usize);
        let mut slots: Vec<usize> = columns.iter().map(own).collect();
        for (at, &column) in columns.iter().enumerate() {
            let with = columns[..at].iter().map(|&other| pair(column as usize, other as usize));
            slots.extend(with);
        }
        self.at_piece.down(&self.levels[level], &self.met, regions);
        let Alike { groups, products, .. } = &self.at_piece;
        let rows = groups.iter().zip(&table.entries);
        let records = values.chunks_exact_mut(values.len() / n.max(1));
        let mut terms = vec![[0.0; Q]; columns.len()];
        for (row, ((&group, &entry), record)) in rows.zip(records).enumerate() {
            let above = &products[group as usize];
            let numbers = &table.numbers[entry as usize * width..][..width];
            for (term, numbers) in terms.iter_mut().zip(&numbers[1..]) {
                *term = product(above, numbers);
            }
            pairs.add(row, &terms, record);
            for (&slot, numbers) in slots.iter().zip(&numbers[1..]) {
                record[slot] += dot(above, numbers);
            }
        }
        let Some(edge) = edge else { return };
        pairs.up(edge, &self.met, regions);
        pairs.choose(&[edge.place]);
        let place = pair(edge.place as usize, edge.place as usize);
        let sums = self.sums[level * n..][..n].iter_mut();
        let rows = groups.iter().zip(sums).zip(regions).zip(&table.entries);
        let records = values.chunks_exact_mut(values.len() / n.max(1));
        for (row, ((((&group, sums), &region), &entry), record)) in rows.zip(records).enumerate() {
            let met = &self.met[region as usize];
            let below = product(&products[group as usize], &table.numbers[entry as usize * width]);
            add(sums, &below);
            if met.satisfied {
                let term = product(&below, &met.value);
                record[place] += sum(&term);
                pairs.add(row, &[term], record);
            }
        }
    }
}
