//! Forests whose numbers are at hand as arrays: writing and reading millions of them as text
//! would take longer than the measures.

use super::document::{Document, TreeDocument};
use super::entry::{Child, Count, Index, Number, Values};
use crate::data::Dataset;
use crate::error::Error;
use crate::forest::model::Forest;
use crate::run::Run;

/// The numbers of a tree, in the sense of the fields of `wald-forest` JSON.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TreeArrays {
    /// Per node, the position of the feature; `u32::MAX` on leaves.
    pub feature: Vec<u32>,
    /// Per node; what leaves have is ignored.
    pub threshold: Vec<f64>,
    /// Per node; `u32::MAX` on leaves.
    pub left: Vec<u32>,
    /// Per node; `u32::MAX` on leaves.
    pub right: Vec<u32>,
    /// Per node, 0 where missing values go left, 1 where they go right.
    pub missing: Vec<u32>,
    /// The values of nodes, one after the other; NaN where a node has none.
    pub value: Vec<f64>,
    /// Per node, the in-bag weight.
    pub weight: Option<Vec<f64>>,
    /// Per node, the in-bag impurity.
    pub impurity: Option<Vec<f64>>,
    /// Per training row, how often it was drawn.
    pub in_bag: Option<Vec<u16>>,
}

impl TreeArrays {
    fn fill(self, tree: &mut TreeDocument) {
        let index = |list: Vec<u32>| Some(list.into_iter().map(Index).collect());
        let number = |list: Vec<f64>| list.into_iter().map(Number).collect();
        let n_nodes = self.feature.len();
        tree.value = Some(values(self.value, n_nodes));
        tree.feature = index(self.feature);
        tree.left = index(self.left);
        tree.right = index(self.right);
        tree.threshold = Some(number(self.threshold));
        tree.missing = Some(self.missing.into_iter().map(Child).collect());
        tree.weight = self.weight.map(number);
        tree.impurity = self.impurity.map(number);
        tree.in_bag = self.in_bag.map(|counts| counts.into_iter().map(Count).collect());
    }
}

/// Values of equal length; what is not a number is left out, as in JSON.
fn values(numbers: Vec<f64>, n_nodes: usize) -> Values {
    let n_outputs = numbers.len() / n_nodes.max(1);
    if numbers.len() != n_outputs * n_nodes || n_outputs == 0 {
        // A wrong number of lengths is refused where all lists are compared.
        return Values { lengths: vec![1; numbers.len()], flat: numbers };
    }
    if !numbers.iter().any(|number| number.is_nan()) {
        return Values { lengths: vec![n_outputs as u32; n_nodes], flat: numbers };
    }
    let mut known = Values::default();
    for value in numbers.chunks_exact(n_outputs) {
        let is_known = !value.iter().all(|number| number.is_nan());
        known.lengths.push(if is_known { n_outputs as u32 } else { 0 });
        known.flat.extend(value.iter().filter(|_| is_known));
    }
    known
}

impl Forest {
    /// As [`Forest::from_json`], with the numbers of trees as arrays: the trees of the document
    /// have `null` in their place, and only the splits that are no thresholds.
    ///
    /// # Errors
    /// As [`Forest::from_json`].
    pub fn from_arrays(
        document: &[u8],
        trees: Vec<TreeArrays>,
        data: Option<&Dataset>,
        run: &Run,
    ) -> Result<Self, Error> {
        let mut document = Document::parse(document)?;
        let (n_trees, n_arrays) = (document.trees.len(), trees.len());
        if n_trees != n_arrays {
            return Err(Error::forest_file(
                format!("the document has {n_trees} trees, but there are arrays of {n_arrays}"),
                "give the arrays of every tree",
            ));
        }
        document.trees.iter_mut().zip(trees).for_each(|(tree, arrays)| arrays.fill(tree));
        Self::of_document(document, data, run)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::NONE;
    use super::*;
    use crate::run::Threads;

    /// A tree with one split, and its predictions.
    fn stump() -> TreeArrays {
        TreeArrays {
            feature: vec![0, NONE, NONE],
            threshold: vec![0.5, f64::NAN, f64::NAN],
            left: vec![1, NONE, NONE],
            right: vec![2, NONE, NONE],
            missing: vec![1, 0, 0],
            value: vec![f64::NAN, -1.0, 4.0],
            weight: Some(vec![4.0, 3.0, 1.0]),
            impurity: Some(vec![1.0, 0.0, 0.0]),
            in_bag: None,
        }
    }

    fn read(document: &str, trees: Vec<TreeArrays>) -> Result<Forest, Error> {
        let run = &Run::on(Threads::new(1)?);
        Forest::from_arrays(document.as_bytes(), trees, None, run)
    }

    fn document(tree: &str) -> String {
        format!(
            r#"{{"format":"wald-forest","version":1,"task":"regression","features":["a"],
                "trees":[{tree}]}}"#
        )
    }

    const EMPTY: &str = r#"{"feature":null,"threshold":null,"left":null,"right":null}"#;

    #[test]
    fn arrays_hold_the_same_as_json() {
        let json = document(
            r#"{"feature":[0,-1,-1],"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],
                "missing":["right","left","left"],"value":[null,-1,4],"weight":[4,3,1],
                "impurity":[1,0,0]}"#,
        );
        let run = Threads::new(1).map(Run::on);
        let from_json = run.and_then(|run| Forest::from_json(json.as_bytes(), None, &run));
        assert!(from_json.is_ok());
        assert_eq!(read(&document(EMPTY), vec![stump()]), from_json);
    }

    #[test]
    fn arrays_of_wrong_length_are_refused() {
        let what = |trees| match read(&document(EMPTY), trees) {
            Err(Error::ForestFile { what, .. }) => what,
            other => format!("{other:?}").into(),
        };
        assert!(what(Vec::new()).contains("1 trees, but there are arrays of 0"));
        let short = TreeArrays { missing: vec![0], ..stump() };
        assert!(what(vec![short]).contains("`missing`"));
        let short = TreeArrays { value: vec![0.0, 1.0], ..stump() };
        assert!(what(vec![short]).contains("`value`"));
        let wrong = TreeArrays { value: vec![0.0; 6], ..stump() };
        assert!(what(vec![wrong]).contains("length 2"));
        let wrong = TreeArrays { left: vec![9, NONE, NONE], ..stump() };
        assert!(what(vec![wrong]).contains("9"));
    }
}
