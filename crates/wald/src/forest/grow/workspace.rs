//! Working memory of growing.

use crate::forest::grow::binned::{BinnedRows, BinnedTable};
use crate::forest::grow::direct::Direct;
use crate::forest::grow::presorted::Presorted;
use crate::forest::grow::tree_grower::Nodes;
use crate::forest::grow::unsorted::Unsorted;

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) large: Presorted<u32>,
    pub(super) small: [Presorted<u16>; 2],
    pub(super) unsorted: Unsorted,
    pub(super) binned: BinnedTable,
    pub(super) binned_rows: BinnedRows,
    pub(super) direct: Direct,
    pub(super) nodes: Nodes,
}
