# Forests of other packages whose classes or levels are in an order of their own.

# Classes in the orders of other programs: by level, which is not that of the alphabet.
flowers <- iris
flowers$Species <- factor(iris$Species, levels = c("virginica", "setosa", "versicolor"))
flowers$large <- factor(ifelse(iris$Sepal.Length > 5.8, "yes", "no"), levels = c("yes", "no"))

expect_same_classes <- function(grown, fit, theirs, target) {
  expect_identical(colnames(theirs), levels(flowers[[target]]))
  ours <- predict(fit, flowers, type = "prob")
  expect_equal(ours[, colnames(theirs)], theirs, tolerance = 1e-9, ignore_attr = TRUE)
  expect_identical(colnames(ours), levels(flowers[[target]]))
  # Nearly all rows are out of the bag of some tree, and nearly all of their classes are right.
  expect_gt(mean(predict(fit) == flowers[[target]], na.rm = TRUE), 0.85)
  expect_gt(sum(diag(fit$confusion)) / sum(fit$confusion), 0.85)
  expect_identical(rownames(fit$confusion), levels(flowers[[target]]))
  likely <- colnames(fit$predictions)[max.col(replace(fit$predictions, is.na(fit$predictions), 0))]
  expect_gt(mean(likely == flowers[[target]]), 0.85)
  # A file holds the forest with its order of classes.
  path <- write_wald(fit, tempfile(fileext = ".wald"))
  again <- read_wald(path, fit$x, fit$y)
  expect_identical(again$predictions, fit$predictions)
  expect_identical(again$confusion, fit$confusion)
  expect_identical(predict(again, flowers, type = "prob"), ours)
}

test_that("classes of randomForest keep their names in any order of levels", {
  skip_if_not_installed("randomForest")
  for (target in c("Species", "large")) {
    set.seed(1)
    grown <- randomForest::randomForest(flowers[2:4], flowers[[target]], ntree = 50, keep.inbag = TRUE)
    fit <- as_wald(grown, flowers[2:4], flowers[[target]])
    theirs <- unclass(stats::predict(grown, flowers, type = "prob"))
    expect_same_classes(grown, fit, theirs, target)
    expect_equal(fit$predictions[, colnames(grown$votes)], unclass(grown$votes), tolerance = 1e-9,
                 ignore_attr = TRUE)
    if (requireNamespace("generics", quietly = TRUE)) {
      fitted <- generics::augment(fit)$.fitted
      expect_identical(as.character(fitted), as.character(predict(fit)))
    }
  }
})

# Shares of trees of ranger's forest that vote for each class.
predict_votes <- function(grown, data, target) {
  votes <- stats::predict(grown, data, predict.all = TRUE, num.threads = 2)$predictions
  known <- levels(data[[target]])
  sapply(known, function(class) rowMeans(matrix(known[votes], nrow(votes)) == class))
}

test_that("classes of ranger keep their names in any order of levels", {
  skip_if_not_installed("ranger")
  for (target in c("Species", "large")) {
    for (probability in c(FALSE, TRUE)) {
      grown <- ranger::ranger(stats::reformulate(names(iris)[2:4], target), flowers, num.trees = 50,
                              keep.inbag = TRUE, probability = probability, seed = 1, num.threads = 2)
      fit <- as_wald(grown, flowers, flowers[[target]])
      theirs <- if (probability) stats::predict(grown, flowers, num.threads = 2)$predictions
        else predict_votes(grown, flowers, target)
      expect_same_classes(grown, fit, theirs[, levels(flowers[[target]])], target)
    }
  }
})

test_that("classes of party and partykit keep their names in any order of levels", {
  for (target in c("Species", "large")) {
    formula <- stats::reformulate(names(iris)[2:4], target)
    if (requireNamespace("party", quietly = TRUE)) {
      set.seed(1)
      grown <- party::cforest(formula, flowers, controls = party::cforest_unbiased(ntree = 20, mtry = 2))
      theirs <- do.call(rbind, stats::predict(grown, newdata = flowers, type = "prob"))
      colnames(theirs) <- levels(flowers[[target]])
      expect_same_classes(grown, as_wald(grown), theirs, target)
    }
    if (requireNamespace("partykit", quietly = TRUE)) {
      set.seed(1)
      grown <- partykit::cforest(formula, flowers, ntree = 20, mtry = 2)
      theirs <- stats::predict(grown, newdata = flowers, type = "prob")
      expect_same_classes(grown, as_wald(grown), theirs, target)
    }
  }
})

test_that("ordered factors of randomForest are split at level numbers", {
  skip_if_not_installed("randomForest")
  set.seed(1)
  data <- data.frame(a = rnorm(200), o = factor(sample(letters[1:5], 200, TRUE),
                                                levels = c("c", "a", "e", "b", "d"), ordered = TRUE))
  y <- as.integer(data$o) + data$a + rnorm(200)
  grown <- randomForest::randomForest(data, y, ntree = 30, keep.inbag = TRUE)
  fit <- as_wald(grown, data, y)
  expect_equal(importance(fit, "mdi")$value * 200, unname(grown$importance[, "IncNodePurity"]),
               tolerance = 1e-9)
  expect_equal(predict(fit, data), unname(stats::predict(grown, data)), tolerance = 1e-12)
})

test_that("classes that ranger has made of numbers or logicals are refused", {
  skip_if_not_installed("ranger")
  data <- transform(mtcars, large = hp > 120)
  refused <- function(formula, ...) {
    grown <- ranger::ranger(formula, data, num.trees = 5, keep.inbag = TRUE, num.threads = 2, ...)
    expect_error(as_wald(grown, data, data$am), "make the target a factor", class = "wald_data_error")
  }
  refused(am ~ wt + hp, classification = TRUE)
  refused(am ~ wt + hp, probability = TRUE)
  refused(large ~ wt + qsec, probability = TRUE)
  refused(large ~ wt + qsec)
})

test_that("logical inputs of party are taken over", {
  skip_if_not_installed("party")
  data <- transform(mtcars[c("mpg", "qsec")], large = mtcars$hp > 120)
  set.seed(1)
  control <- party::cforest_unbiased(ntree = 10, mtry = 2)
  grown <- party::cforest(mpg ~ ., data, controls = control)
  fit <- as_wald(grown)
  expect_equal(predict(fit, data), as.vector(stats::predict(grown, newdata = data)), tolerance = 1e-9)
  counts <- importance(fit, "split_count")
  expect_gt(counts$value[counts$variable == "large"], 0)
})

test_that("weights of partykit are no input", {
  skip_if_not_installed("partykit")
  set.seed(1)
  grown <- partykit::cforest(mpg ~ wt + hp, mtcars, ntree = 10, weights = mtcars$carb)
  fit <- as_wald(grown)
  expect_identical(names(fit$x), c("wt", "hp"))
  expect_equal(predict(fit, mtcars), unname(stats::predict(grown, newdata = mtcars)), tolerance = 1e-12)
})

test_that("random sets of many levels of ranger are taken over", {
  skip_if_not_installed("ranger")
  set.seed(1)
  data <- data.frame(kind = factor(sprintf("k%02d", rep(1:53, 10))), size = runif(530))
  data$y <- as.integer(data$kind) %% 3 + data$size
  grown <- ranger::ranger(y ~ ., data, num.trees = 10, keep.inbag = TRUE, splitrule = "extratrees",
                          importance = "impurity", respect.unordered.factors = "partition", seed = 1,
                          num.threads = 2)
  fit <- expect_no_warning(as_wald(grown, data))
  expect_equal(predict(fit, data), stats::predict(grown, data)$predictions, tolerance = 1e-12)
  expect_equal(importance(fit, "mdi")$value * 530, unname(grown$variable.importance), tolerance = 1e-9)
})
