//! All trees at once: with which probability a tree has a node, from the root downwards.
//!
//! A node is a set of variables with a category of each, however it was reached. All nodes of k
//! variables make a layer, and two layers are in memory. No tree is followed beyond nodes without
//! impurity, where nothing is left to gain.
//!
//! All K share what nodes gain, and local importances come out of the same walk.

use wald::work::ordered;
use wald::{Error, Run};

use crate::chosen::{Draws, Order};
use crate::layer::Cells;
use crate::local::{Differences, Locals};
use crate::node::Node;
use crate::population::Population;
use crate::set::VariableSet;

/// Sets of a layer that are worked on together, so that sums do not depend on the number of
/// threads.
const SETS_TOGETHER: usize = 16;

/// The cells of all sets of a size.
pub(crate) struct Layer {
    pub(crate) sets: Vec<VariableSet>,
    pub(crate) cells: Vec<Cells>,
    /// By set, K and cell: the probability that a tree has the node.
    reach: Vec<Vec<f64>>,
}

/// What all trees together add up to.
pub(crate) struct Walk {
    /// By K, variable and depth.
    pub(crate) by_depth: Vec<Vec<Vec<f64>>>,
    pub(crate) locals: Option<Locals>,
}

/// What some sets of a layer contribute.
struct Part {
    /// By K and variable.
    gained: Vec<Vec<f64>>,
    /// A set of the next layer, and by K and cell what is added to its probabilities.
    reach: Vec<(usize, Vec<f64>)>,
    differences: Option<Differences>,
}

/// Follows the trees that take the best of K variables, for every K of `mtry`.
pub(crate) fn walk(
    population: &Population,
    mtry: &[usize],
    mut locals: Option<Locals>,
    run: &Run,
) -> Result<Walk, Error> {
    let p = population.n_variables();
    let draws: Vec<Draws> = mtry.iter().map(|&mtry| Draws::new(mtry, p)).collect();
    let mut by_depth = vec![vec![vec![0.0; p]; p]; mtry.len()];
    let mut places = vec![0_u32; 1 << p];
    let mut layer = Layer {
        sets: vec![VariableSet::EMPTY],
        cells: vec![Cells::root(population)],
        reach: vec![vec![1.0; mtry.len()]],
    };
    run.progress.start((1 << p) - 1);
    let part_of_work = run.part();
    for depth in 0..p {
        let mut next = layer.next(population, &mut places, &part_of_work, mtry.len())?;
        let (mut reach, next_layer) = (std::mem::take(&mut next.reach), &next);
        let known = locals.as_ref().map(|locals| locals.known().to_vec());
        let known = known.as_deref();
        ordered(
            layer.sets.len().div_ceil(SETS_TOGETHER),
            &part_of_work,
            Order::default,
            |part, order| {
                let sets = part * SETS_TOGETHER..layer.sets.len().min((part + 1) * SETS_TOGETHER);
                let mut found = Part::new(population, mtry.len(), known);
                for set in sets {
                    let node = layer.node(set, next_layer, &places, p);
                    found.add(&node, &draws, &places, order);
                    if let (Some(differences), Some(known)) = (&mut found.differences, known) {
                        differences.find_relevant(population, &node, known);
                    }
                }
                Ok(found)
            },
            |_, part: Part| {
                for (all, gained) in by_depth.iter_mut().zip(&part.gained) {
                    for (all, gained) in all.iter_mut().zip(gained) {
                        all[depth] += gained;
                    }
                }
                for (set, added) in part.reach {
                    reach[set].iter_mut().zip(added).for_each(|(reach, added)| *reach += added);
                }
                if let (Some(locals), Some(differences)) = (&mut locals, part.differences) {
                    locals.add(differences);
                }
                run.progress.advance_by(SETS_TOGETHER);
            },
        )?;
        if let Some(locals) = &mut locals {
            locals.settle();
        }
        next.reach = reach;
        layer = next;
    }
    Ok(Walk { by_depth, locals })
}

impl Layer {
    /// The layer of one variable more, which no tree has reached yet.
    fn next(
        &self,
        population: &Population,
        places: &mut [u32],
        run: &Run,
        n_mtry: usize,
    ) -> Result<Self, Error> {
        let p = population.n_variables();
        let sets = VariableSet::all_of_size(p, self.sets[0].len() + 1);
        let mut cells = Vec::with_capacity(sets.len());
        let smaller = &*places;
        ordered(
            sets.len(),
            run,
            || (),
            |set, ()| {
                let last = sets[set].last().unwrap_or_default();
                let from = smaller[sets[set].without(last).index()];
                Ok(self.cells[from as usize].divided(population, last))
            },
            |_, divided: Cells| cells.push(divided),
        )?;
        (0_u32..).zip(&sets).for_each(|(place, set)| places[set.index()] = place);
        let reach = cells.iter().map(|cells| vec![0.0; n_mtry * cells.len()]).collect();
        Ok(Self { sets, cells, reach })
    }

    fn node<'a>(&'a self, set: usize, next: &'a Self, places: &[u32], p: usize) -> Node<'a> {
        let known = self.sets[set];
        let child = |variable| &next.cells[places[known.with(variable).index()] as usize];
        let unused = (0..p).filter(|&variable| !known.contains(variable));
        Node {
            set: known,
            cells: &self.cells[set],
            reach: &self.reach[set],
            children: unused.map(|variable| (variable, child(variable))).collect(),
        }
    }
}

impl Part {
    fn new(population: &Population, n_mtry: usize, known: Option<&[bool]>) -> Self {
        Self {
            gained: vec![vec![0.0; population.n_variables()]; n_mtry],
            reach: Vec::new(),
            differences: known.map(|_| Differences::new(population, n_mtry)),
        }
    }

    /// Adds the nodes of one set.
    fn add(&mut self, node: &Node<'_>, draws: &[Draws], places: &[u32], order: &mut Order) {
        let (n_cells, n_unused) = (node.cells.len(), node.children.len());
        let gains = node.gains();
        // By K, cell and unused variable: the probability that a tree divides the node by it.
        let mut splits = vec![0.0; draws.len() * n_cells * n_unused];
        for (cell, gains) in gains.chunks_exact(n_unused).enumerate() {
            if node.cells.left[cell] <= 0.0 {
                continue;
            }
            order.sort(gains);
            for (k, draws) in draws.iter().enumerate() {
                let reach = node.reach[k * n_cells + cell];
                if reach <= 0.0 {
                    continue;
                }
                let splits = &mut splits[(k * n_cells + cell) * n_unused..][..n_unused];
                order.taken(draws, gains, node.cells.left[cell], splits);
                for ((split, gain), (variable, _)) in
                    splits.iter_mut().zip(gains).zip(&node.children)
                {
                    *split *= reach;
                    self.gained[k][*variable] += *split * gain;
                }
            }
        }
        for (at, (variable, children)) in node.children.iter().enumerate() {
            let mut added = Vec::with_capacity(draws.len() * children.len());
            for k in 0..draws.len() {
                let of_parent = |&point: &u32| {
                    let parent = node.cells.of(point as usize) as usize;
                    splits[(k * n_cells + parent) * n_unused + at]
                };
                added.extend(children.points.iter().map(of_parent));
            }
            self.reach.push((places[node.set.with(*variable).index()] as usize, added));
        }
        if let Some(differences) = &mut self.differences {
            differences.add(node, &splits);
        }
    }
}
