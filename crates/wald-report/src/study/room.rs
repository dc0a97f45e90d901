//! Whether there is memory for a forest that is about to be grown.

use wald::forest::Keep;
use wald::memory::Size;
use wald::words::counted;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, Origin};

use crate::study::front::{Front, watched};

/// A forest that is about to be grown.
#[derive(Debug, Clone, Copy)]
pub struct Growing<'a> {
    /// The training data.
    pub data: &'a Dataset,
    /// The settings.
    pub config: &'a ForestConfig,
    /// What is measured in the same pass.
    pub measures: &'a [Measure],
    /// Whether its trees are kept.
    pub keep: Keep,
    /// Whether the trees become a model file.
    pub is_written: bool,
}

impl Growing<'_> {
    /// Refuses a forest that needs more memory than is free; where that is not known, none is.
    /// Where the estimate is above it only because trees are counted as if they were grown on noise,
    /// one tree is grown to see how large they are.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and as growing itself.
    pub fn check(self, front: &dyn Front) -> Result<(), Error> {
        match front.free() {
            Some(free) => self.check_against(free, front),
            None => Ok(()),
        }
    }

    fn check_against(self, free: u64, front: &dyn Front) -> Result<(), Error> {
        let Self { data, config, measures, mut keep, mut is_written } = self;
        let run = front.run();
        if run.is_part() {
            // Trees go to the file of the part one after the other.
            (keep, is_written) = (Keep::Nothing, false);
        }
        let written = |size: Size| if is_written { size.with_model_file() } else { size };
        let mut size = written(Size::of_growing(data, config, measures, keep, run.threads)?);
        let n_trees = config.n_trees;
        let one_fits = size.besides_trees().saturating_add(size.trees / n_trees as u64) <= free;
        if size.total() > free && size.trees > 0 && one_fits {
            let config = ForestConfig { n_trees: 1, ..config.clone() };
            // Whoever shares the work has to do with the forest itself only.
            let grow = || Forest::grow(data, &config, &run.unshared());
            let one = watched(front, "estimating the size of the trees", grow)??;
            size = written(size.with_trees_like(&one, n_trees));
        }
        size.check(
            &format!("growing {}", counted(n_trees, "tree")),
            n_trees,
            run.threads,
            Some(free),
        )
    }
}

/// Refuses a forest that needs more memory than is free: that is yet to be grown, or exists and is
/// measured.
///
/// # Errors
/// [`Error::TooLarge`], and as growing itself.
pub fn check_room(
    data: &Dataset,
    origin: Origin<'_>,
    measures: &[Measure],
    keep: Keep,
    front: &dyn Front,
) -> Result<(), Error> {
    if let Origin::Settings(config) = origin {
        return Growing { data, config, measures, keep, is_written: false }.check(front);
    }
    let (n_trees, threads) = (origin.n_trees(), front.run().threads);
    let doing = format!("measuring {}", counted(n_trees, "tree"));
    origin.size(data, measures, threads)?.check(&doing, n_trees, threads, front.free())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::front::Quiet;
    use wald::data::{Column, Target};
    use wald::message::Neutral;
    use wald::{Run, Threads};

    fn dataset() -> Dataset {
        let x: Vec<f64> = (0..400).map(f64::from).collect();
        let classes = (0..400).map(|row| u32::from(row >= 200)).collect();
        let target = Target::classification("y", vec!["a".to_owned(), "b".to_owned()], classes);
        let column = Column::numeric("x", x).expect("finite");
        Dataset::new(vec![column], target.expect("two classes")).expect("a data set")
    }

    #[test]
    fn small_trees_are_not_refused_for_what_they_might_have_been() {
        let (data, config) = (dataset(), ForestConfig { n_trees: 1000, ..Default::default() });
        let (measures, keep): (&[Measure], _) = (&[], Keep::Trees);
        let growing = Growing { data: &data, config: &config, measures, keep, is_written: true };
        let size = Size::of_growing(&data, &config, &[], Keep::Trees, Threads::ONE);
        let size = size.expect("settings that fit");
        let run = &Run::on(Threads::ONE);
        let check = |free| growing.check(&Quiet { run, wording: &Neutral, free: Some(free) });
        // Two leaves a tree instead of a hundred.
        assert_eq!(check(size.trees / 2), Ok(()));
        let refusal = check(size.trees / 20).expect_err("too little");
        assert!(matches!(refusal, Error::TooLarge { .. }), "{refusal:?}");
        assert!(refusal.to_string().starts_with("growing 1000 trees needs about "), "{refusal}");
        assert!(refusal.help().contains("trees (about "), "{}", refusal.help());
        let refusal = check(1000).expect_err("nothing");
        assert!(refusal.help().starts_with("ask for fewer trees, or"), "{}", refusal.help());
    }
}
