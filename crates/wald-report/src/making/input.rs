//! What parts are made from.

use wald::message::Wording;
use wald::{Dataset, Fitted, ForestConfig, Run};

use crate::study::{Depth, Front, Study};

/// What a report shows beside importances.
#[derive(Debug, Clone, Copy, Default)]
pub struct Content<'a> {
    /// How much is looked at.
    pub depth: Depth,
    /// Whether single rows are explained.
    pub explains: bool,
    /// Seed of the rows that pictures show, and of the advice.
    pub seed: u64,
    /// Numbers of the training rows in the user's table, counted from 1.
    pub row_numbers: &'a [u32],
}

/// What parts are made from.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    pub(crate) study: &'a Study,
    pub(crate) content: Content<'a>,
    pub(crate) front: &'a dyn Front,
    /// Threads, progress and cancellation of the front; machines share the forest only.
    pub(crate) run: &'a Run,
    /// Bytes of memory that were free at the beginning.
    pub(crate) free: Option<u64>,
}

impl<'a> Making<'a> {
    pub(crate) fn wording(&self) -> &'a dyn Wording {
        self.front.wording()
    }

    pub(crate) fn data(&self) -> &'a Dataset {
        &self.study.data
    }

    /// The clusters of rows of positive weight; `None` where rows are not in clusters.
    pub(crate) fn n_clusters(&self) -> Option<usize> {
        self.data().n_clusters()
    }

    /// So many independent units errors of the table are from: clusters, or rows of positive weight.
    pub(crate) fn n_units(&self) -> usize {
        self.n_clusters().unwrap_or_else(|| self.data().rows_of_positive_weight().len())
    }

    pub(crate) fn config(&self) -> Option<&'a ForestConfig> {
        self.study.config.as_ref()
    }

    /// How forests are grown again, where that is wanted and known.
    pub(crate) fn refit(&self) -> Option<&'a ForestConfig> {
        self.config().filter(|_| self.content.depth == Depth::Full)
    }

    /// The forest; `None` where its trees were not kept.
    pub(crate) fn fitted(&self) -> Option<&'a Fitted> {
        self.study.fitted.as_deref()
    }
}
