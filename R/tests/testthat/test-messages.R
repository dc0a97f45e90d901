# Refusals give remedies that the function has.

fit <- wald(y ~ ., cells, num.trees = 5)

test_that("new levels have a remedy of the function that refuses them", {
  data <- cells[1:3, ]
  data$kind <- c("z", "a", "b")
  expect_refusal(predict(fit, data), "\"z\"", "new.levels")
  without <- function(object) {
    error <- expect_refusal(object, "\"z\"", "leave its rows out")
    expect_false(grepl("new.levels", conditionMessage(error), fixed = TRUE))
  }
  without(explain(fit, data))
  without(explain(fit, cells[1:3, ], background = data))
  without(proximities(fit, data))
  without(importance(fit, "mda_train_test", test = data))
})

test_that("missing weights and clusters are counted", {
  absent <- replace(rep(1, 60), c(7, 9), NA)
  expect_refusal(wald(y ~ ., cells, weights = absent), "weights is missing in 2 of 60 rows, first in row 7")
  expect_refusal(wald(y ~ ., cells, cluster = absent), "cluster is missing in 2 of 60 rows, first in row 7")
  expect_refusal(wald(y ~ ., cells, weights = 1:3), "weights is an integer of length 3 for 60 rows")
})

test_that("weights that are none are refused by argument, row and column", {
  values <- list(negative = -1, infinite = Inf, missing = NA)
  for (what in names(values)) {
    heavy <- replace(rep(1, 60), c(7, 9), values[[what]])
    words <- paste("weights is", what, "in 2 of 60 rows, first in row 7")
    error <- expect_refusal(wald(y ~ ., cells, weights = heavy), words, "at least 0", class = "wald_setting_error")
    expect_identical(error$setting, "weights")
    expect_null(error$column)
    error <- expect_refusal(wald(y ~ ., transform(cells, mass = heavy), weights = mass), words)
    expect_identical(error[c("setting", "column")], list(setting = "weights", column = "mass"))
    expect_refusal(select_variables(y ~ ., transform(cells, mass = heavy), weights = "mass"), words)
  }
  for (wrong in list(1:3, "x9", rep("a", 60), rep(0, 60), rep(1e308, 60), as.list(1:60), NA, mean, rep(TRUE, 60))) {
    error <- expect_refusal(expect_no_warning(wald(y ~ ., cells, weights = wrong)), "weight")
    expect_match(error$help, "give|multiply")
    expect_identical(error$setting, "weights")
  }
  error <- expect_refusal(wald(y ~ ., cells, cluster = kind, weights = "x1"), "weights is missing in 2")
  expect_identical(error$column, "x1")
  error <- expect_refusal(wald(y ~ ., cells, cluster = "x1"), "cluster is missing in 2")
  expect_identical(error[c("setting", "column")], list(setting = "cluster", column = "x1"))
  expect_refusal(population(expand.grid(a = 1:2, b = 1:2), 1:4, probability = c(1, 1, 1, -1)),
                 "probability is negative in 1 of 4 rows")
})

test_that("what is no name of a column is shown as it was given", {
  names <- "give names of columns as texts"
  expect_refusal(wald(y ~ ., cells, increasing = TRUE), "increasing is TRUE", names)
  expect_refusal(wald(y ~ ., cells, increasing = list("x2")), "increasing is a list of length 1", names)
  expect_refusal(wald(y ~ ., cells, increasing = factor("x2")), "increasing is a factor", names)
  expect_refusal(wald(y ~ ., cells, decreasing = c("x2", NA)), "decreasing is a vector of length 2", names)
  expect_refusal(wald(y ~ ., cells, sample.fraction = NA), "sample.fraction is NA", "give a number")
  expect_refusal(wald(y ~ ., cells, sample.fraction = NA_real_), "sample.fraction is NA", "give a number")
  expect_refusal(wald(y ~ ., cells, stratify = NA), "stratify is NA", "TRUE or FALSE")
})

test_that("numbers of values are not taken for values, and options are listed", {
  error <- expect_refusal(explain(fit, measure = "pdp", grid = c(0.2, 0.8)), "grid is a numeric of length 2",
                          "give the number of values")
  expect_identical(error$setting, "grid")
  expect_refusal(importance(fit, permutations = c(1, 2)), "permutations is a vector of length 2", "\"exact\"")
  expect_refusal(importance(fit, foo = 1), "column options of measures()")
  expect_refusal(explain(fit, foo = 1), "column options of measures(\"explain\")")
  options <- function(kind, measure) {
    known <- measures(kind)
    strsplit(known$options[known$measure == measure], ", ")[[1]]
  }
  expect_setequal(options("importance", "mda_train_test"), c("loss", "normalise", "permutations", "test"))
  expect_setequal(options("explain", "pdp"), c("variables", "out_of_bag", "grid"))
  expect_refusal(importance(fit, type = 1), "mda_breiman_cutler", "zero_one")
})

test_that("groups without columns are refused in R's words", {
  error <- expect_refusal(importance(fit, groups = list(size = character())), "\"size\" has no columns",
                          "give it at least one column (`groups =`)")
  expect_no_match(conditionMessage(error), "a,b", fixed = TRUE)
  expect_refusal(importance(fit, groups = list(size = NA_character_)), "groups is a list", "list(size = c(")
})

test_that("a missing column is not taken for one that the forest knows", {
  error <- expect_refusal(predict(fit, cells[names(cells) != "x4"]), "no column \"x4\"", "give all columns")
  data <- stats::setNames(cells, sub("x4", "X4", names(cells)))
  expect_refusal(predict(fit, data), "did you mean \"X4\"")
})

test_that("a setting under two names is refused", {
  expect_refusal(wald(y ~ ., cells, sample.fraction = 0.5, sample_fraction = 0.5),
                 "sample.fraction and sample_fraction are one setting")
})

test_that("titles and labels of plots can be given", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(importance(fit, "mdi"), main = "a", xlab = "b", pch = 1))
  expect_silent(plot(explain(fit, measure = "pdp"), main = "a", xlab = "b", ylab = "c"))
  expect_silent(plot(explain(fit), main = "a", xlab = "b", col = "red"))
})

test_that("what is no forest is refused by every function", {
  other <- lm(mpg ~ hp, mtcars)
  for (one in list(advise, report, uncertainty, compare, interactions, explain, importance)) {
    expect_refusal(one(other), "x is a lm", "as_wald()")
  }
  expect_refusal(compare(fit), "other is missing")
  skip_if_not_installed("generics")
  expect_refusal(generics::augment(fit, cells[1:5, ]), "5 rows", "60 rows", "newdata")
  expect_identical(nrow(generics::augment(fit, newdata = cells[1:5, ])), 5L)
})

test_that("out-of-bag predictions are put beside the rows of training alone", {
  skip_if_not_installed("generics")
  # The predictions of the rows themselves, wherever these stand.
  expect_identical(generics::augment(fit, cells)$.fitted, fit$predictions)
  expect_identical(generics::augment(fit, cells)$.resid, cells$y - fit$predictions)
  integers <- transform(cells, kind = as.character(kind))
  expect_identical(generics::augment(fit, integers)$.fitted, fit$predictions)
  expect_refusal(generics::augment(fit, cells[60:1, ]), "row 1 of data is not that of training", "newdata")
  changed <- cells
  changed$x2[7] <- changed$x2[7] + 1e-9
  error <- expect_refusal(generics::augment(fit, changed), "row 7 of data", "\"x2\"", class = "wald_data_error")
  expect_identical(error$column, "x2")
  changed <- cells
  changed$x1[5] <- 0
  expect_refusal(generics::augment(fit, changed), "row 5 of data", "\"x1\"")
  # The same inputs of another target are other rows.
  changed <- cells
  changed$y[9] <- 0
  expect_refusal(generics::augment(fit, changed), "row 9 of data", "\"y\"")
  expect_refusal(generics::augment(fit, cells[-1]), "no column \"x1\"")
  expect_refusal(generics::augment(fit, data.frame()), "0 rows", "60 rows")
  expect_refusal(generics::augment(fit, newdata = data.frame()), "newdata")
  alone <- read_wald(write_wald(fit, tempfile()))
  expect_refusal(generics::augment(alone, cells), "without its training data")
  expect_identical(generics::augment(alone, newdata = cells)$.fitted, predict(fit, cells))
  expect_identical(generics::glance(alone)$nobs, NA_integer_)
  expect_identical(generics::glance(alone)$num.trees, 5L)
})
