# Formulas as other packages have computed them: their predictions and importances are what is expected.

new <- transform(mtcars, wt = wt * 1.1, hp = rev(hp))

test_that("targets that formulas of ranger compute are computed here, too", {
  skip_if_not_installed("ranger")
  grow <- function(formula) ranger::ranger(formula, mtcars, num.trees = 20, keep.inbag = TRUE,
                                           importance = "impurity", seed = 1, num.threads = 2)
  formula <- log(mpg) ~ .
  grown <- grow(formula)
  fit <- expect_no_warning(as_wald(grown, mtcars))
  expect_identical(fit$target, "log(mpg)")
  expect_identical(fit$y, log(mtcars$mpg))
  expect_identical(names(fit$x), names(mtcars)[-1])
  expect_equal(fit$predictions, grown$predictions, tolerance = 1e-12)
  expect_equal(fit$prediction.error, grown$prediction.error, tolerance = 1e-12)
  expect_equal(importance(fit, "mdi")$value * 32, unname(grown$variable.importance), tolerance = 1e-9)
  # Of test rows the same is computed.
  expect_identical(importance(fit, "mda_train_test", test = new)$value,
                   importance(fit, "mda_train_test", test = list(new, log(new$mpg)))$value)
  formula <- factor(am) ~ .
  grown <- grow(formula)
  fit <- as_wald(grown, mtcars)
  expect_identical(fit$classes, c("0", "1"))
  likely <- stats::predict(grown, mtcars, num.threads = 2)$predictions
  expect_gt(mean(predict(fit, mtcars) == likely), 0.95)
  expect_identical(fit$y, factor(mtcars$am))
})

test_that("products of ranger's formulas are columns that are computed", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ wt + hp + wt:hp + wt:qsec, mtcars, num.trees = 20, keep.inbag = TRUE,
                          importance = "impurity", seed = 1, num.threads = 2)
  fit <- expect_no_warning(as_wald(grown, mtcars))
  expect_identical(names(fit$x), grown$forest$independent.variable.names)
  expect_identical(fit$x[["wt:hp"]], mtcars$wt * mtcars$hp)
  expect_equal(importance(fit, "mdi")$value * 32, unname(grown$variable.importance), tolerance = 1e-9)
  # ranger's own predict() needs the product as a column; here it follows from the others.
  product <- transform(new, x = wt * hp, z = wt * qsec)
  names(product)[12:13] <- c("wt:hp", "wt:qsec")
  expect_equal(predict(fit, new), stats::predict(grown, product)$predictions, tolerance = 1e-12)
  expect_identical(predict(fit, product), predict(fit, new))
  expect_refusal(as_wald(grown, mtcars[-6]), "no column \"wt\"")
})

test_that("formulas of ranger are found wherever they are", {
  skip_if_not_installed("ranger")
  grow <- function(...) ranger::ranger(..., num.trees = 5, keep.inbag = TRUE, seed = 1, num.threads = 2)
  expected <- grow(qsec ~ wt + hp, mtcars)$predictions
  same <- function(grown, data = mtcars) {
    fit <- as_wald(grown, data)
    expect_equal(fit$predictions, expected, tolerance = 1e-12)
    expect_identical(fit$target, "qsec")
  }
  apart <- qsec ~ wt + hp
  same(ranger::ranger(apart, mtcars, num.trees = 5, keep.inbag = TRUE, seed = 1, num.threads = 2))
  same(ranger::ranger(data = mtcars, formula = "qsec ~ wt + hp", num.trees = 5, keep.inbag = TRUE, seed = 1,
                      num.threads = 2))
  same(do.call(ranger::ranger, list(apart, mtcars, num.trees = 5, keep.inbag = TRUE, seed = 1, num.threads = 2)))
  columns <- mtcars[c("wt", "hp", "qsec")]
  name <- "qsec"
  same(ranger::ranger(dependent.variable.name = name, data = columns, num.trees = 5, keep.inbag = TRUE, seed = 1,
                      num.threads = 2))
  # A variable of that name with another formula is not the forest's.
  formula <- disp ~ .
  grow_by <- function(formula) {
    ranger::ranger(formula, mtcars, num.trees = 5, keep.inbag = TRUE, seed = 1, num.threads = 2)
  }
  expect_refusal(as_wald(grow_by(qsec ~ wt + hp), mtcars), "no target", "give it as y")
  formula <- qsec ~ wt + hp
  same(grow_by(formula))
  # The arguments are out of sight, and the target is the only further column.
  same(grow(qsec ~ ., columns), columns)
  # Where it is not, it must be given.
  hidden <- grow(qsec ~ wt + hp, mtcars)
  expect_refusal(as_wald(hidden, mtcars[c("wt", "hp", "disp", "cyl")]), "no target")
  expect_equal(as_wald(hidden, mtcars, mtcars$qsec)$predictions, expected, tolerance = 1e-12)
})

test_that("formulas of randomForest are computed with its rows", {
  skip_if_not_installed("randomForest")
  grow <- function(...) {
    set.seed(1)
    randomForest::randomForest(..., ntree = 20, keep.inbag = TRUE)
  }
  expect_same <- function(grown, data, rows = seq_len(nrow(data)), further = new) {
    fit <- expect_no_warning(as_wald(grown, data))
    expect_identical(nrow(fit$x), length(rows))
    expect_equal(fit$y, grown$y, ignore_attr = TRUE)
    theirs <- stats::predict(grown, data[rows, ])
    if (fit$task == "regression") {
      expect_equal(predict(fit, data[rows, ]), unname(theirs), tolerance = 1e-12)
      expect_equal(predict(fit, further), unname(stats::predict(grown, further)), tolerance = 1e-12)
      expect_equal(fit$predictions, as.vector(grown$predicted), tolerance = 1e-12)
    } else {
      shares <- unclass(stats::predict(grown, data[rows, ], type = "prob"))
      expect_equal(predict(fit, data[rows, ], type = "prob"), shares, tolerance = 1e-12, ignore_attr = TRUE)
    }
    values <- grown$importance[, ncol(grown$importance)] / sum(grown$inbag[, 1])
    expect_equal(importance(fit, "mdi")$value, unname(values), tolerance = 1e-9)
    fit
  }
  fit <- expect_same(grow(log(mpg) ~ ., mtcars), mtcars)
  expect_identical(fit$target, "log(mpg)")
  expect_identical(fit$y, log(mtcars$mpg))
  fit <- expect_same(grow(mpg ~ log(wt) + wt + I(hp^2) + hp, mtcars), mtcars)
  expect_identical(names(fit$x), c("log(wt)", "wt", "I(hp^2)", "hp"))
  expect_same(grow(mpg ~ scale(wt) + wt + hp, mtcars), mtcars)
  expect_same(grow(mpg ~ wt * hp, mtcars), mtcars)
  expect_same(grow(factor(am) ~ wt + hp, mtcars), mtcars)
  set.seed(1)
  part <- randomForest::randomForest(mpg ~ wt + hp, mtcars, subset = cyl > 4, ntree = 20, keep.inbag = TRUE)
  expect_same(part, mtcars, which(mtcars$cyl > 4))
  data <- airquality
  full <- stats::complete.cases(data)
  fit <- expect_same(grow(Ozone ~ ., data, na.action = stats::na.omit), data, which(full), data[full, ])
  expect_equal(fit$y, data$Ozone[full])
  # Medians take the place of missing values.
  set.seed(1)
  grown <- randomForest::randomForest(Ozone ~ ., data, na.action = randomForest::na.roughfix, ntree = 20,
                                      keep.inbag = TRUE)
  fit <- expect_no_warning(as_wald(grown, data))
  expect_identical(fit$x, randomForest::na.roughfix(data)[names(fit$x)], ignore_attr = TRUE)
  expect_equal(fit$predictions, as.vector(grown$predicted), tolerance = 1e-12)
  expect_equal(importance(fit, "mdi")$value * 153, unname(grown$importance[, 1]), tolerance = 1e-9)
  # Rows in another order, or that cannot be found.
  kept <- grow(Ozone ~ ., data, na.action = stats::na.omit)
  expect_refusal(as_wald(kept, data[153:1, ]), "another order", class = "wald_data_error")
  expect_equal(as_wald(kept, data[full, ])$predictions, as.vector(kept$predicted), tolerance = 1e-12)
  absent <- transform(mtcars, wt = replace(wt, 3, NA))
  expect_refusal(as_wald(grow(mpg ~ wt, mtcars), absent), "missing values", class = "wald_data_error")
  expect_refusal(as_wald(grow(mpg ~ wt, mtcars), mtcars[1:9, ]), "9 rows", "32", class = "wald_data_error")
})

test_that("logical, text and ordered columns of randomForest are split as numbers", {
  skip_if_not_installed("randomForest")
  set.seed(3)
  data <- data.frame(a = rnorm(120), l = runif(120) > 0.4, t = sample(c("zeta", "alpha", "Beta"), 120, TRUE),
                     o = factor(sample(c("lo", "mid", "hi"), 120, TRUE), c("lo", "mid", "hi"), ordered = TRUE))
  data$y <- data$a + 2 * data$l + (data$t == "Beta") + as.integer(data$o) + rnorm(120)
  for (with_formula in c(TRUE, FALSE)) {
    grown <- if (with_formula) randomForest::randomForest(y ~ ., data, ntree = 30, keep.inbag = TRUE)
      else randomForest::randomForest(data[1:4], data$y, ntree = 30, keep.inbag = TRUE)
    fit <- expect_no_warning(as_wald(grown, data))
    expect_equal(predict(fit, data), unname(stats::predict(grown, data)), tolerance = 1e-12)
    expect_equal(importance(fit, "mdi")$value * 120, unname(grown$importance[, 1]), tolerance = 1e-9)
    counts <- importance(fit, "split_count")
    expect_true(all(counts$value > 0))
  }
})

test_that("formulas of party and partykit are computed for new rows", {
  formula <- exp(mpg / 10) ~ log(wt) + hp
  if (requireNamespace("party", quietly = TRUE)) {
    set.seed(1)
    grown <- party::cforest(formula, mtcars, controls = party::cforest_unbiased(ntree = 10, mtry = 2))
    fit <- as_wald(grown)
    expect_identical(fit$target, "exp(mpg/10)")
    expect_equal(predict(fit, new), as.vector(stats::predict(grown, newdata = new)), tolerance = 1e-9)
    expect_identical(importance(fit, "mda_train_test", test = new)$value,
                     importance(fit, "mda_train_test", test = list(new, exp(new$mpg / 10)))$value)
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    set.seed(1)
    grown <- partykit::cforest(formula, mtcars, ntree = 10, mtry = 2)
    fit <- as_wald(grown)
    expect_equal(predict(fit, new), unname(stats::predict(grown, newdata = new)), tolerance = 1e-12)
    error <- expect_refusal(predict(fit, new["hp"]), "\"log(wt)\"")
    expect_identical(error$column, "log(wt)")
  }
})

test_that("a target that depends on other rows is not computed of new ones", {
  test <- mtcars[1:6, ]
  of <- function(fit, test) importance(fit, "mda_train_test", test = test)
  refused <- function(fit) expect_refusal(of(fit, test), "no column", "list(x, y)")
  same <- function(fit) expect_identical(of(fit, test), of(fit, list(test, fit$y[1:6])))
  skip_if_not_installed("ranger")
  grown <- function(formula) {
    as_wald(ranger::ranger(formula, mtcars, num.trees = 5, keep.inbag = TRUE, num.threads = 1), mtcars)
  }
  refused(grown(scale(mpg) ~ .))
  same(grown(log(mpg) ~ .))
  skip_if_not_installed("randomForest")
  grown <- function(formula) {
    as_wald(randomForest::randomForest(formula, mtcars, ntree = 5, keep.inbag = TRUE), mtcars)
  }
  refused(grown(rank(mpg) ~ .))
  # The terms of the forest hold mean and deviation.
  same(grown(scale(mpg) ~ .))
  same(grown(log(mpg) ~ .))
  skip_if_not_installed("party")
  grown <- function(formula) {
    as_wald(party::cforest(formula, mtcars, controls = party::cforest_unbiased(ntree = 5, mtry = 3)))
  }
  refused(grown(rank(mpg) ~ .))
  same(grown(log(mpg) ~ .))
})
