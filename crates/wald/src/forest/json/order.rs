//! Brings nodes into the order that trees are stored in: children one after another, after
//! their parent.

use super::entry::NONE;

/// Where each node of the file is stored.
#[derive(Debug)]
pub(super) struct Order {
    /// Per node of the file, its position in the tree.
    pub(super) position: Vec<u32>,
}

/// Why the nodes are not a tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    OutOfRange { node: u32, child: u32 },
    TwoParents { child: u32, parents: [u32; 2] },
    RootIsChild { parent: u32 },
    Orphan { node: u32 },
    Cycle { node: u32 },
}

/// The children of all nodes: those of node i are `list[starts[i]..starts[i + 1]]`.
#[derive(Debug, Default)]
pub(super) struct Children {
    pub(super) starts: Vec<u32>,
    pub(super) list: Vec<u32>,
}

impl Children {
    pub(super) fn of(&self, node: usize) -> &[u32] {
        &self.list[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Order {
    pub(super) fn new(children: &Children) -> Result<Self, Fault> {
        let parents = parents(children)?;
        if let Some(node) = (1..parents.len()).find(|&node| parents[node] == NONE) {
            return Err(Fault::Orphan { node: node as u32 });
        }
        let n_nodes = children.n_nodes();
        if is_stored_order(children) {
            return Ok(Self { position: (0..n_nodes as u32).collect() });
        }
        // Breadth first, without recursion: a chain may be a million nodes deep.
        let mut position = vec![NONE; n_nodes];
        position[0] = 0;
        let mut queue = vec![0_u32];
        let mut next = 0;
        while next < queue.len() {
            for &child in children.of(queue[next] as usize) {
                position[child as usize] = queue.len() as u32;
                queue.push(child);
            }
            next += 1;
        }
        match position.iter().position(|&position| position == NONE) {
            Some(node) => Err(Fault::Cycle { node: node as u32 }),
            None => Ok(Self { position }),
        }
    }
}

/// The parent of every node; [`NONE`] where it has none.
fn parents(children: &Children) -> Result<Vec<u32>, Fault> {
    let n_nodes = children.n_nodes();
    let mut parents = vec![NONE; n_nodes];
    for node in 0..n_nodes {
        let parent = node as u32;
        for &child in children.of(node) {
            let Some(known) = parents.get_mut(child as usize) else {
                return Err(Fault::OutOfRange { node: parent, child });
            };
            if child == 0 {
                return Err(Fault::RootIsChild { parent });
            }
            if *known != NONE {
                return Err(Fault::TwoParents { child, parents: [*known, parent] });
            }
            *known = parent;
        }
    }
    Ok(parents)
}

fn is_stored_order(children: &Children) -> bool {
    (0..children.n_nodes()).all(|node| {
        let list = children.of(node);
        list.first().is_none_or(|&first| {
            first as usize > node && list.iter().copied().eq(first..first + list.len() as u32)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(lists: &[&[u32]]) -> Result<Vec<u32>, Fault> {
        let mut children = Children { starts: vec![0], list: Vec::new() };
        for list in lists {
            children.list.extend(*list);
            children.starts.push(children.list.len() as u32);
        }
        Order::new(&children).map(|order| order.position)
    }

    #[test]
    fn stored_order_is_kept_and_other_orders_are_mended() {
        assert_eq!(order(&[&[1, 2], &[], &[3, 4], &[], &[]]), Ok(vec![0, 1, 2, 3, 4]));
        // Depth first, as scikit-learn numbers nodes.
        assert_eq!(order(&[&[1, 4], &[2, 3], &[], &[], &[]]), Ok(vec![0, 1, 3, 4, 2]));
        // Children before their parents.
        assert_eq!(order(&[&[4, 3], &[], &[], &[], &[2, 1]]), Ok(vec![0, 4, 3, 2, 1]));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert_eq!(order(&[&[1, 2], &[]]), Err(Fault::OutOfRange { node: 0, child: 2 }));
        assert_eq!(
            order(&[&[1, 2], &[2, 3], &[], &[]]),
            Err(Fault::TwoParents { child: 2, parents: [0, 1] })
        );
        assert_eq!(order(&[&[1, 2], &[0, 3], &[], &[]]), Err(Fault::RootIsChild { parent: 1 }));
        assert_eq!(order(&[&[1, 2], &[], &[], &[]]), Err(Fault::Orphan { node: 3 }));
        // Nodes 3 and 4 are each other's descendants.
        let cycle: &[&[u32]] = &[&[1, 2], &[], &[], &[4, 5], &[3, 6], &[], &[]];
        assert_eq!(order(cycle), Err(Fault::Cycle { node: 3 }));
    }

    #[test]
    fn a_chain_of_a_million_nodes_is_a_tree() {
        let n: u32 = 1_000_001;
        let mut children = Children { starts: vec![0], list: Vec::new() };
        for node in 0..n {
            if node % 2 == 0 && node + 2 < n {
                // Right child first, so that the order has to change.
                children.list.extend([node + 2, node + 1]);
            }
            children.starts.push(children.list.len() as u32);
        }
        assert!(Order::new(&children).is_ok());
    }
}
