//! Which out-of-bag rows are alike in the variables that a permutation is conditioned on:
//! Strobl et al. 2008, section 3.
//!
//! Two values of a variable are alike if every split on it, anywhere in the tree, treats them
//! alike. So numbers between the same two neighbouring thresholds are one class, levels that no
//! split separates are fused, and missing values join the present ones that go their way
//! everywhere, else they are a class of their own. The classes of several variables are crossed.

use crate::data::{MISSING_CODE, RankedKind};
use crate::forest::RankedNode;
use crate::pass::TreeView;

/// The classes of the out-of-bag rows of one tree by each canonical column it splits on.
#[derive(Debug)]
pub(crate) struct Classes {
    /// The out-of-bag rows, increasing.
    rows: Vec<u32>,
    /// By canonical column: the class of each of those rows; `None` if no split uses it.
    of_column: Vec<Option<Vec<u32>>>,
}

/// Cells of at least two rows, one after the other.
#[derive(Debug)]
pub(crate) enum Cells {
    /// Nothing is conditioned on: all rows are in one cell.
    One,
    /// Places among the out-of-bag rows, increasing within a cell, and where the cells end.
    Several { places: Vec<u32>, ends: Vec<usize> },
}

impl Classes {
    /// Cost O(rows * log nodes) per column, and of levels also O(levels * nodes).
    pub(crate) fn new(view: &TreeView<'_>) -> Self {
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        let n_columns = view.training.features().n_columns();
        let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); n_columns];
        for (node, content) in view.ranked.nodes.iter().enumerate() {
            if let Some(column) = content.column() {
                nodes[column as usize].push(node);
            }
        }
        let columns = (0_u32..).zip(&nodes);
        let of_column = columns
            .map(|(column, nodes)| (!nodes.is_empty()).then(|| classes(view, column, nodes, &rows)))
            .collect();
        Self { rows, of_column }
    }

    /// The out-of-bag rows, increasing.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The share of the weight of rows that keep their way through the tree, whichever rows of their cell give
    /// them the values of some canonical columns: rows that are alone, and cells that these columns do not divide.
    pub(crate) fn fixed(&self, cells: &Cells, columns: &[u32], weight: impl Fn(u32) -> f64) -> f64 {
        let Cells::Several { places, ends } = cells else { return 0.0 };
        let of_columns: Vec<&Vec<u32>> =
            columns.iter().filter_map(|&column| self.of_column[column as usize].as_ref()).collect();
        let is_divided = |cell: &[u32]| {
            of_columns.iter().any(|classes| {
                cell.iter().any(|&place| classes[place as usize] != classes[cell[0] as usize])
            })
        };
        let whole: f64 = self.rows.iter().map(|&row| weight(row)).sum();
        let (mut moved, mut start) = (0.0, 0);
        for &end in ends {
            let cell = &places[start..end];
            if is_divided(cell) {
                moved += cell.iter().map(|&place| weight(self.rows[place as usize])).sum::<f64>();
            }
            start = end;
        }
        if whole > 0.0 { 1.0 - moved / whole } else { 0.0 }
    }

    /// Crosses the classes of some canonical columns. Cost O(rows log rows) per column; rows
    /// that are alone are dropped at once.
    pub(crate) fn cross(&self, columns: &[u32]) -> Cells {
        let of_columns =
            columns.iter().filter_map(|&column| self.of_column[column as usize].as_ref());
        let mut places: Vec<u32> = (0..self.rows.len() as u32).collect();
        let mut ends = vec![places.len()];
        let mut is_crossed = false;
        let mut kept = Vec::new();
        for classes in of_columns {
            is_crossed = true;
            let (mut start, mut kept_ends) = (0, Vec::with_capacity(ends.len()));
            kept.clear();
            for &end in &ends {
                let cell = &mut places[start..end];
                cell.sort_by_key(|&place| classes[place as usize]);
                let alike = |a: &u32, b: &u32| classes[*a as usize] == classes[*b as usize];
                for part in cell.chunk_by(alike).filter(|part| part.len() > 1) {
                    kept.extend_from_slice(part);
                    kept_ends.push(kept.len());
                }
                start = end;
            }
            std::mem::swap(&mut places, &mut kept);
            ends = kept_ends;
            if places.is_empty() {
                break;
            }
        }
        if is_crossed { Cells::Several { places, ends } } else { Cells::One }
    }
}

fn classes(view: &TreeView<'_>, column: u32, nodes: &[usize], rows: &[u32]) -> Vec<u32> {
    let ranked = view.training.features().column(column);
    let codes = rows.iter().map(|&row| ranked.codes()[row as usize]);
    match ranked.kind() {
        RankedKind::Ordered(_) => {
            let thresholds = Thresholds::new(view, nodes);
            codes.map(|code| thresholds.class(code)).collect()
        }
        RankedKind::Unordered { .. } => {
            let mut levels: Vec<u32> = codes.clone().collect();
            levels.sort_unstable();
            levels.dedup();
            let of_level = fused(view, nodes, &levels);
            let class = |code| levels.binary_search(&code).map_or(0, |place| of_level[place]);
            codes.map(class).collect()
        }
    }
}

/// The thresholds of a column of numbers, as codes.
struct Thresholds {
    below: Vec<u32>,
    missing: u32,
}

impl Thresholds {
    fn new(view: &TreeView<'_>, nodes: &[usize]) -> Self {
        let mut is_present_asked = false;
        let mut cuts = Vec::with_capacity(nodes.len());
        for &node in nodes {
            match view.ranked.nodes[node] {
                RankedNode::Below { below, missing, .. } => cuts.push((below, missing.index())),
                // Whether the value is missing.
                RankedNode::Leaf | RankedNode::Other { .. } => is_present_asked = true,
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut below: Vec<u32> = cuts.iter().map(|cut| cut.0).collect();
        below.dedup();
        // Present values of class c go right at the first c thresholds, and left at all others.
        let class = cuts.iter().filter(|(_, side)| *side == 1).count() as u32;
        let goes_along = |(index, (_, side)): (u32, &(u32, u32))| *side == u32::from(index < class);
        let is_like_present =
            !is_present_asked && cuts.len() == below.len() && (0_u32..).zip(&cuts).all(goes_along);
        let missing = if is_like_present { class } else { below.len() as u32 + 1 };
        Self { below, missing }
    }

    fn class(&self, code: u32) -> u32 {
        if code == MISSING_CODE {
            return self.missing;
        }
        self.below.partition_point(|&below| below <= code) as u32
    }
}

/// Classes of levels (missing ones among them) that no split separates.
fn fused(view: &TreeView<'_>, nodes: &[usize], levels: &[u32]) -> Vec<u32> {
    let router = view.router();
    let mut class = vec![0_u32; levels.len()];
    let mut keys: Vec<(u32, u32, usize)> = Vec::with_capacity(levels.len());
    let mut n_classes = 1;
    for &node in nodes {
        // When every level is alone, no split separates more.
        if n_classes == levels.len() {
            break;
        }
        keys.clear();
        let children = levels.iter().map(|&level| router.child_of_code(node, level));
        keys.extend(class.iter().zip(children).enumerate().map(|(i, (&c, child))| (c, child, i)));
        keys.sort_unstable();
        n_classes = 0;
        for alike in keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            alike.iter().for_each(|&(_, _, index)| class[index] = n_classes as u32);
            n_classes += 1;
        }
    }
    class
}
