# What a forest of another package came with is compared with what is computed here.

warned <- function(object, words) {
  expect_warning(fit <- object, words, class = "wald_taken_over_warning")
  fit
}

test_that("rows that randomForest has put aside go where its splits send them", {
  skip_if_not_installed("randomForest")
  set.seed(1)
  data <- data.frame(iris, text = rep(c("a", "b", "c"), 50), flag = iris$Sepal.Width > 3)
  grown <- randomForest::randomForest(Sepal.Length ~ ., data, ntree = 300, keep.inbag = TRUE)
  expect_warning(fit <- as_wald(grown, data), "did not send rows of training where", class = "wald_taken_over_warning")
  expect_equal(predict(fit, data), unname(predict(grown, data)), tolerance = 0.001)
  expect_equal(fit$predictions, unname(grown$predicted), tolerance = 0.001)
  expect_equal(importance(fit, "mdi")$value, unname(grown$importance[, 1]) / 150, tolerance = 0.001)
  expect_refusal(as_wald(grown, data[150:1, ]), "order")
})

test_that("sides of levels that randomForest stores otherwise than rows went are taken over", {
  skip_if_not_installed("randomForest")
  # Levels of equal means but for rounding, of which some splits store other sides.
  for (k in c(5, 40, 53)) {
    set.seed(3)
    data <- data.frame(f = factor(sample(k, 300, TRUE), seq_len(k)), x = round(rnorm(300), 1), y = round(rnorm(300), 1))
    grown <- randomForest::randomForest(y ~ ., data, ntree = 50, keep.inbag = TRUE)
    warned(fit <- as_wald(grown, data), "[0-9]+ splits that randomForest has stored did not send .* differ by up to [0-9.e-]+")
    expect_equal(predict(fit, data), unname(predict(grown, data)), tolerance = 0.05)
    rounded <- wald_randomforest_rounded(grown, data)
    # But below these splits every leaf has the value that was stored.
    trees <- which(lengths(lapply(rounded, function(tree) tree$below)) == 0)
    expect_gt(length(trees), 5)
    expect_identical(sum(vapply(rounded[trees], function(tree) tree$splits, 0L)), 0L)
    expect_refusal(as_wald(grown, transform(data, x = rev(x))), "order")
  }
  # Where the values of leaves are the same all the same, decreases of impurity may be others.
  set.seed(29)
  ties <- data.frame(f = factor(sample(33, 100, TRUE)), x = round(rnorm(100), 1), w = sample(3, 100, TRUE))
  ties$y <- as.integer(ties$f) + sample(3, 100, TRUE)
  grown <- randomForest::randomForest(y ~ ., ties, ntree = 10, keep.inbag = TRUE)
  warned(fit <- as_wald(grown, ties), "3 splits that randomForest has stored did not send")
  expect_equal(predict(fit, ties), unname(predict(grown, ties)))
  # Another table may look like that, but stored leaves do not predict it as they did.
  set.seed(49)
  few <- data.frame(a = rnorm(25), f = factor(sample(c("u", "v", "w"), 25, TRUE)))
  few$y <- rnorm(25)
  grown <- randomForest::randomForest(y ~ a + f, few, ntree = 5, keep.inbag = TRUE)
  expect_no_warning(as_wald(grown, few))
  few$a[18] <- few$a[18] + 0.3
  expect_error(as_wald(grown, few), class = "wald_error")
  # Without ties there is no warning.
  data$y <- data$y + rnorm(300)
  expect_no_warning(as_wald(randomForest::randomForest(y ~ ., data, ntree = 50, keep.inbag = TRUE), data))
})

test_that("out-of-bag predictions and errors of ranger are compared", {
  skip_if_not_installed("ranger")
  grow <- function(formula, data, ...) {
    ranger::ranger(formula, data, num.trees = 1, keep.inbag = TRUE, seed = 1, num.threads = 2, ...)
  }
  for (probability in c(NA, FALSE, TRUE)) {
    formula <- if (is.na(probability)) Sepal.Length ~ . else Species ~ .
    grown <- grow(formula, iris, probability = isTRUE(probability))
    expect_no_warning(as_wald(grown, iris, iris[[all.vars(formula)[1]]]))
    # A row that no bag has: nothing in the trees shows that it is another one, but its prediction.
    data <- iris
    outside <- which(grown$inbag.counts[[1]] == 0)
    data[outside, "Petal.Length"] <- rev(data[outside, "Petal.Length"])
    data[outside, "Petal.Width"] <- rev(data[outside, "Petal.Width"])
    warned(as_wald(grown, data, data[[all.vars(formula)[1]]]), "out-of-bag predictions are not those")
  }
  # Another target of such a row: the trees and their predictions are the same, and the error is not.
  grown <- grow(Species ~ ., iris)
  data <- iris
  data$Species[which(grown$inbag.counts[[1]] == 0)[1:3]] <- c("virginica", "versicolor", "virginica")
  warned(as_wald(grown, data), "out-of-bag error is not that of data")
  grown <- grow(Sepal.Length ~ ., iris)
  data <- iris
  data$Sepal.Length[which(grown$inbag.counts[[1]] == 0)[1]] <- 100
  warned(as_wald(grown, data), "out-of-bag error is not that of data")
})

test_that("targets and votes of randomForest are compared", {
  skip_if_not_installed("randomForest")
  set.seed(1)
  grown <- randomForest::randomForest(Species ~ ., iris, ntree = 1, keep.inbag = TRUE)
  outside <- which(grown$inbag[, 1] == 0)
  expect_no_warning(as_wald(grown, iris))
  data <- iris
  data$Species[outside[1]] <- "virginica"
  warned(as_wald(grown, data), "target is not that of data")
  warned(as_wald(grown, data[-5], data$Species), "target is not that of data")
  data <- iris
  data[outside, 3:4] <- data[rev(outside), 3:4]
  warned(as_wald(grown, data), "out-of-bag predictions are not those")
  set.seed(1)
  grown <- randomForest::randomForest(mpg ~ ., mtcars, ntree = 1, keep.inbag = TRUE)
  expect_no_warning(as_wald(grown, mtcars))
  data <- mtcars
  data$mpg[which(grown$inbag[, 1] == 0)[1]] <- 0
  warned(as_wald(grown, data), "target is not that of data")
  # Rows of the bag in another order have other means: that is an error.
  expect_error(as_wald(grown, mtcars[32:1, ]), class = "wald_forest_file_error")
})

test_that("importances that were stored are compared", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 10, keep.inbag = TRUE, importance = "impurity", seed = 1,
                          num.threads = 2)
  expect_no_warning(as_wald(grown, mtcars))
  grown$variable.importance[["wt"]] <- 1.001 * grown$variable.importance[["wt"]]
  warned(as_wald(grown, mtcars), "impurity importance stored with the forest: mdi of it is another")
  # Without memory for it nothing is compared, and the forest is taken over all the same.
  before <- options(wald.memory = 100)
  fit <- tryCatch(expect_no_warning(as_wald(grown, mtcars)), finally = options(before))
  expect_s3_class(fit, "wald")
  # Permutation importances are others anyway.
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 10, keep.inbag = TRUE, importance = "permutation",
                          seed = 1, num.threads = 2)
  expect_no_warning(as_wald(grown, mtcars))
  skip_if_not_installed("randomForest")
  set.seed(1)
  # The argument is out of sight in a call that passes `...` on.
  grow <- function(...) randomForest::randomForest(..., ntree = 20, keep.inbag = TRUE)
  grown <- grow(Species ~ ., iris, classwt = c(1, 5, 1))
  warned(as_wald(grown, iris), "impurity importance stored with the forest")
  expect_no_warning(as_wald(grow(Species ~ ., iris, importance = TRUE), iris))
})

test_that("kinds of forests that are not supported are refused with a remedy", {
  refused <- function(grown, ..., data) {
    error <- expect_refusal(if (missing(data)) as_wald(grown) else as_wald(grown, data), ...,
                            class = "wald_data_error")
    expect_match(error$help, "grow")
  }
  if (requireNamespace("ranger", quietly = TRUE) && requireNamespace("survival", quietly = TRUE)) {
    times <- transform(mtcars[c("wt", "hp", "qsec")], event = mtcars$am)
    grown <- ranger::ranger(survival::Surv(qsec, event) ~ wt + hp, times, num.trees = 3, keep.inbag = TRUE)
    refused(grown, "survival forests", data = times)
  }
  if (requireNamespace("ranger", quietly = TRUE)) {
    grow <- function(...) ranger::ranger(mpg ~ ., mtcars, num.trees = 3, num.threads = 1, ...)
    refused(grow(), "bags", "keep.inbag = TRUE", data = mtcars)
    refused(grow(write.forest = FALSE, keep.inbag = TRUE), "trees", "write.forest = TRUE", data = mtcars)
  }
  if (requireNamespace("randomForest", quietly = TRUE)) {
    grow <- function(...) randomForest::randomForest(mtcars[-1], ntree = 3, ...)
    refused(grow(), "unsupervised", data = mtcars)
    refused(grow(keep.forest = TRUE, keep.inbag = TRUE), "unsupervised", data = mtcars)
    refused(grow(mtcars$mpg), "bags", "keep.inbag = TRUE", data = mtcars)
    refused(grow(mtcars$mpg, keep.inbag = TRUE, keep.forest = FALSE), "trees", "keep.forest = TRUE",
            data = mtcars)
  }
  data <- transform(mtcars, ordered = cut(mpg, 3, ordered_result = TRUE))
  if (requireNamespace("party", quietly = TRUE)) {
    control <- party::cforest_unbiased(ntree = 2, mtry = 1)
    grow <- function(formula) party::cforest(formula, data, controls = control)
    refused(grow(ordered ~ wt + hp), "ordered target", "factor(ordered = FALSE)")
    refused(grow(mpg + qsec ~ wt + hp), "several targets")
    if (requireNamespace("survival", quietly = TRUE)) {
      refused(grow(survival::Surv(qsec, am) ~ wt + hp), "survival forests")
    }
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    grow <- function(formula, ...) partykit::cforest(formula, data, ntree = 2, mtry = 1, ...)
    refused(grow(ordered ~ wt + hp), "ordered target", "factor(ordered = FALSE)")
    refused(grow(mpg + qsec ~ wt + hp), "several targets")
    if (requireNamespace("survival", quietly = TRUE)) {
      refused(grow(survival::Surv(qsec, am) ~ wt + hp), "survival forests")
    }
  }
})

test_that("forests that randomForest has combined are taken over", {
  skip_if_not_installed("randomForest")
  set.seed(2)
  q <- data.frame(a = factor(sample(letters[1:6], 60, TRUE)), b = sample(3, 60, TRUE), c = sample(2, 60, TRUE))
  q$y <- round((q$a %in% c("a", "b")) * 0.3 + q$b * 0.1, 1) + 0.7
  grow <- function(ntree) randomForest::randomForest(y ~ ., q, ntree = ntree, keep.inbag = TRUE)
  both <- randomForest::combine(grow(50), grow(50))
  # Of ties some rows went elsewhere, which is stated; predictions have nothing that they could be compared with.
  warned(fit <- as_wald(both, q), "splits that randomForest has stored did not send")
  expect_identical(fit$num.trees, 100L)
  expect_equal(predict(fit, q), unname(predict(both, q)), tolerance = 0.05)
  # Without ties nothing is warned of, whatever the numbers of trees.
  set.seed(3)
  q$y <- q$y + rnorm(60)
  fit <- expect_no_warning(as_wald(randomForest::combine(grow(20), grow(50)), q))
  expect_equal(fit$num.trees, 70)
  expect_no_warning(as_wald(randomForest::combine(grow(20), grow(50)), q))
  kinds <- function(ntree) randomForest::randomForest(Species ~ ., iris, ntree = ntree, keep.inbag = TRUE)
  expect_no_warning(as_wald(randomForest::combine(kinds(5), kinds(30)), iris))
  expect_error(as_wald(randomForest::combine(grow(20), grow(50)), q[60:1, ]), class = "wald_error")
})

test_that("a target that a call names by a variable may be another one by now", {
  skip_if_not_installed("ranger")
  data <- mtcars[c("wt", "hp", "qsec", "mpg")]
  fits <- list()
  for (name in c("qsec", "mpg")) {
    fits[[name]] <- ranger::ranger(as.formula(paste(name, "~ wt + hp")), data, num.trees = 5, keep.inbag = TRUE,
                                   num.threads = 1)
  }
  expect_no_warning(as_wald(fits$mpg, data))
  error <- expect_refusal(as_wald(fits$qsec, data), "the target was taken to be \"mpg\"; give it as y")
  expect_match(error$help, "give it as y if it is another", fixed = TRUE)
  expect_no_warning(as_wald(fits$qsec, data, data$qsec))
  error <- expect_error(as_wald(fits$qsec, data[32:1, ], data$qsec), class = "wald_error")
  expect_no_match(conditionMessage(error), "was taken to be")
})

test_that("rows that ranger holds out do not look like other data", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 12, keep.inbag = TRUE, holdout = TRUE,
                          case.weights = rep(0:1, 16), seed = 3, num.threads = 1)
  expect_no_warning(as_wald(grown, mtcars))
})

test_that("hints for forests of other packages can be followed", {
  skip_if_not_installed("ranger")
  grow <- function(...) {
    as_wald(ranger::ranger(mpg ~ ., mtcars, num.trees = 20, keep.inbag = TRUE, num.threads = 1, ...), mtcars)
  }
  fit <- grow()
  for (run in list(uncertainty, interactions, function(fit) compare(fit, fit))) {
    error <- expect_refusal(run(fit), "its settings are not known")
    # None of these has an argument for settings.
    expect_match(error$help, "a forest that wald grew$")
  }
  error <- expect_refusal(importance(grow(replace = FALSE, sample.fraction = 1), "sobol_mda"), "sees all rows")
  expect_no_match(error$help, "sampling")
})
