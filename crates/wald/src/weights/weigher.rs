//! Sums the weights of training rows, for a block of rows after the other.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::data::{Column, Dataset, Features, Training};
use crate::error::Error;
use crate::forest::{Aggregation, Bag, ClassWeight, Forest, Placement, Sampling, Walk, align};
use crate::run::Run;
use crate::setting::{drawn_by_fewer, leaving_rows_out};
use crate::threads::ordered;
use crate::weights::members::{Members, Span};
use crate::weights::sums::Sums;
use crate::{message, setting};

/// Most rows that go down the trees together: so many that the nodes of a tree are fetched once for
/// them, so few that their leaves stay near the processor.
pub(super) const TOGETHER: usize = 8192;

/// Trees whose leaves are found before they are ordered by rows, as many as are stored at once.
const TREES: usize = 8;

/// Trees whose labels are fetched at the same time: they are too many for the memory near the processor.
const FETCHED: usize = 16;

/// Of a tree that does not count for a row.
pub(crate) const NONE: Span = (0, 0);

/// The rows whose weights are computed.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    /// The training rows, each by the trees that did not see it.
    OutOfBag,
    /// The rows of a table, by all trees.
    Of(&'a Features),
}

/// The bags that rows may be in, so that trees which have drawn a row do not count for it.
#[derive(Clone, Copy)]
struct Seen<'a> {
    bags: &'a [Bag],
    /// The training row of each row, where the rows are some of them.
    places: Option<&'a [u32]>,
}

/// What is summed of a row and a training row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Summed {
    /// The weight of the training row in the prediction of the row.
    Weights,
    /// The share of trees in which the training row was drawn and both are in one leaf.
    Meetings,
}

/// A forest with the rows that were drawn for its trees.
#[derive(Debug)]
pub(super) struct Weigher {
    forest: Arc<Forest>,
    data: Arc<Dataset>,
    drawn: Drawn,
}

/// What a thread works with.
struct Room {
    leaves: Vec<u32>,
    /// By tree of some and row of the block.
    of_trees: Vec<Span>,
    /// By row of the block and tree.
    spans: Vec<Span>,
    sums: Sums,
}

impl Weigher {
    /// `labels` are those of the training rows. Cost O(trees * rows * depth).
    pub(super) fn new(
        forest: &Arc<Forest>,
        data: &Arc<Dataset>,
        training: &Training,
        labels: &[u32],
        run: &Run,
    ) -> Result<Self, Error> {
        data.target().check_one()?;
        let bags = bags(forest)?;
        let mut members = Vec::with_capacity(bags.len());
        ordered(
            bags.len(),
            run,
            Placement::default,
            |index, placement| {
                let tree = (&forest.trees()[index], &bags[index]);
                Ok(Members::new(forest, tree, training, labels, placement))
            },
            |_, of_tree| members.push(of_tree),
        )?;
        let drawn = Drawn::new(members, forest.aggregation(), training, labels);
        Ok(Self { forest: Arc::clone(forest), data: Arc::clone(data), drawn })
    }

    /// Refuses a forest of which every tree has drawn all rows.
    pub(super) fn check_out_of_bag(&self) -> Result<(), Error> {
        let mut bags = self.forest.bags().unwrap_or_default().iter();
        if bags.any(|bag| bag.counts().contains(&0)) {
            return Ok(());
        }
        let config = self.forest.config();
        let draws = config.is_some_and(|config| config.sampling != Sampling::All);
        Err(Error::data(
            "every tree has drawn all rows, so that no training row has out-of-bag trees",
            if draws {
                drawn_by_fewer("grow more trees")
            } else {
                leaving_rows_out(config.is_some(), "")
            },
        ))
    }

    pub(super) fn data(&self) -> &Dataset {
        &self.data
    }

    /// Computes `of_row` from the sums of every row, which it takes, on several threads; calls
    /// `each` with the results in the order of the rows. At most so many rows go down the trees together,
    /// whose results are kept for as long.
    pub(super) fn each<T: Send>(
        &self,
        (rows, summed, together): (Rows<'_>, Summed, usize),
        run: &Run,
        of_row: impl Fn(usize, &mut Sums) -> T + Sync,
        each: impl FnMut(usize, T) + Send,
    ) -> Result<(), Error> {
        let (features, seen) = match rows {
            Rows::OutOfBag => (self.data.features(), self.seen(None)),
            Rows::Of(features) => (features, None),
        };
        self.each_of((features, seen), (summed, together), run, of_row, each)
    }

    /// The same by weights of some training rows, each by the trees that did not see it. `each` gets
    /// places in `places`.
    pub(super) fn each_out_of_bag<T: Send>(
        &self,
        places: &[u32],
        run: &Run,
        of_row: impl Fn(usize, &mut Sums) -> T + Sync,
        each: impl FnMut(usize, T) + Send,
    ) -> Result<(), Error> {
        let columns = self.data.features().columns().iter().map(|column| column.select(places));
        let features = Features::new(columns.collect())?;
        let asked = (&features, self.seen(Some(places)));
        self.each_of(asked, (Summed::Weights, TOGETHER), run, of_row, each)
    }

    fn seen<'a>(&'a self, places: Option<&'a [u32]>) -> Option<Seen<'a>> {
        self.forest.bags().map(|bags| Seen { bags, places })
    }

    fn each_of<T: Send>(
        &self,
        (features, seen): (&Features, Option<Seen<'_>>),
        (summed, together): (Summed, usize),
        run: &Run,
        of_row: impl Fn(usize, &mut Sums) -> T + Sync,
        mut each: impl FnMut(usize, T) + Send,
    ) -> Result<(), Error> {
        let columns = align(features, self.forest.features())?;
        let n_rows = features.n_rows();
        // Every thread has its part of few rows.
        let n_blocks = n_rows.div_ceil(together).max(run.threads.get());
        let together = n_rows.div_ceil(n_blocks).max(1);
        ordered(
            n_rows.div_ceil(together),
            run,
            || self.room(together),
            |block, room: &mut Room| {
                let rows = block * together..((block + 1) * together).min(n_rows);
                self.find(&columns, rows.clone(), seen, room, run)?;
                let spans = room.spans.chunks_exact(self.drawn.members.len().max(1));
                let of_row = |(row, spans): (usize, &[Span])| {
                    self.drawn.sum(summed, spans, &mut room.sums);
                    of_row(row, &mut room.sums)
                };
                Ok(rows.zip(spans).map(of_row).collect())
            },
            |block, found: Vec<T>| {
                let rows = block * together..;
                rows.zip(found).for_each(|(row, found)| each(row, found));
            },
        )
    }

    fn room(&self, together: usize) -> Room {
        Room {
            leaves: Vec::with_capacity(together),
            of_trees: vec![NONE; together * TREES],
            spans: vec![NONE; together * self.drawn.members.len()],
            sums: Sums::new(self.data.n_rows()),
        }
    }

    /// Finds the leaves of a block of rows: where bags are given, in trees that did not see them.
    fn find(
        &self,
        columns: &[Cow<'_, Column>],
        rows: Range<usize>,
        seen: Option<Seen<'_>>,
        room: &mut Room,
        run: &Run,
    ) -> Result<(), Error> {
        let walk = Walk::of_rows(&self.forest, self.forest.trees(), columns, rows.clone());
        let members = &self.drawn.members;
        let n_trees = members.len();
        room.leaves.resize(rows.len(), 0);
        for index in 0..n_trees {
            run.progress.check()?;
            walk.leaves(&self.forest.trees()[index], rows.start, &mut room.leaves);
            let (members, place) = (&members[index], index % TREES);
            let is_drawn = |row: usize| {
                seen.is_some_and(|Seen { bags, places }| {
                    let row = places.map_or(row, |places| places[row] as usize);
                    bags[index].counts()[row] > 0
                })
            };
            let spans = &mut room.of_trees[place * rows.len()..][..rows.len()];
            for ((row, &leaf), span) in rows.clone().zip(&room.leaves).zip(spans) {
                *span = if is_drawn(row) { NONE } else { members.span(leaf) };
            }
            if place + 1 == TREES || index + 1 == n_trees {
                let first = index - place;
                for (row, spans) in
                    room.spans.chunks_exact_mut(n_trees).take(rows.len()).enumerate()
                {
                    let of_row = room.of_trees[row..].iter().step_by(rows.len());
                    spans[first..=index].iter_mut().zip(of_row).for_each(|(to, &span)| *to = span);
                }
            }
        }
        Ok(())
    }
}

/// The rows that were drawn for the trees. Rows go by labels, which are numbers from 0 on: their own
/// numbers, or the ranks of their responses.
#[derive(Debug)]
pub(crate) struct Drawn {
    members: Vec<Members>,
    /// By label; `None` where all rows count alike.
    case_weights: Option<Vec<f64>>,
    /// Whether leaves count by their rows.
    by_leaf: bool,
}

impl Drawn {
    /// `labels` are those of the training rows.
    pub(crate) fn new(
        members: Vec<Members>,
        aggregation: Aggregation,
        training: &Training,
        labels: &[u32],
    ) -> Self {
        let case_weights = training.is_weighted().then(|| {
            let mut of = vec![0.0; labels.len()];
            let rows = (0_u32..).zip(labels);
            rows.for_each(|(row, &label)| of[label as usize] = training.weight(row));
            of
        });
        Self { members, case_weights, by_leaf: aggregation == Aggregation::LeafWeighted }
    }

    /// Sums the weights in the leaves of one row, of which there is one for every tree.
    pub(crate) fn weigh(&self, spans: &[Span], sums: &mut Sums) {
        self.sum(Summed::Weights, spans, sums);
    }

    /// Sums in the leaves of one row, of which there is one for every tree.
    fn sum(&self, summed: Summed, spans: &[Span], sums: &mut Sums) {
        for (members, spans) in self.members.chunks(FETCHED).zip(spans.chunks(FETCHED)) {
            let mut fetched = [0; FETCHED];
            for ((label, members), &(start, _)) in fetched.iter_mut().zip(members).zip(spans) {
                *label = members.labels.get(start as usize).copied().unwrap_or_default();
            }
            // The labels are used below; here they only have to be fetched.
            std::hint::black_box(&fetched);
            for (members, &span) in members.iter().zip(spans).filter(|(_, span)| **span != NONE) {
                match summed {
                    Summed::Weights => self.add(members.labels(span), sums),
                    Summed::Meetings => sums.add_once(members.labels(span)),
                }
            }
        }
    }

    /// Adds a leaf with these labels.
    fn add(&self, labels: &[u32], sums: &mut Sums) {
        let total = match &self.case_weights {
            None => labels.len() as f64,
            Some(of) => labels.iter().map(|&label| of[label as usize]).sum(),
        };
        let (share, weight) = if self.by_leaf { (1.0, total) } else { (1.0 / total, 1.0) };
        match &self.case_weights {
            None => sums.add_equal(labels, share, weight),
            Some(of) => sums.add_weighted(labels, of, share, weight),
        }
    }
}

/// The bags of a forest.
fn bags(forest: &Forest) -> Result<&[Bag], Error> {
    if forest.aggregation() == Aggregation::Sum {
        return Err(Error::data(
            "trees that are summed predict no mean of the training rows, so that these have no \
             weights",
            "use a forest whose trees each predict the target",
        ));
    }
    if forest.class_weight() != ClassWeight::Equal {
        return Err(Error::data(
            "every tree weighs classes anew, so that training rows do not weigh the same in all trees",
            message!("grow the forest without ", setting::CLASS_WEIGHT),
        ));
    }
    forest.bags().ok_or_else(|| {
        Error::data(
            "weights of rows need the bags of the trees, which the forest file does not name",
            "add `in_bag` to the forest file",
        )
    })
}

/// About how many bytes weights and quantiles take besides forest and data: those of the rows that were
/// drawn, and of the nodes that they reach.
pub fn bytes(forest: &Forest) -> u64 {
    let of_bag = |bag: &Bag| bag.counts().iter().map(|&count| u64::from(count)).sum::<u64>();
    let n_drawn: u64 = forest.bags().unwrap_or_default().iter().map(of_bag).sum();
    let n_nodes: u64 = forest.trees().iter().map(|tree| tree.n_nodes() as u64).sum();
    n_drawn * size_of::<u32>() as u64 + n_nodes * size_of::<Span>() as u64
}
