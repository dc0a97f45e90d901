# Every argument that has a range is refused outside of it, by its name in R, with the value that was given and
# what to give.

grown <- wald(y ~ ., cells, num.trees = 5)
classes <- wald(Species ~ ., iris[seq(1, 150, 3), ], num.trees = 5)
pairs <- expand.grid(a = c("0", "1"), b = c("0", "1"))
runs <- simulate_design("friedman_1", 20)[c("x1", "x2")]

# Functions with what they need, and of each of their arguments values outside of its range.
whole_from_1 <- list(0, -1, 1.5, "a", NA, c(1, 2))
share <- list(0, 1, -0.5, 2, "a", NA, c(0.2, 0.3))
word <- list("nothing", 5, NA_character_, c("a", "b"))
yes_or_no <- list("yes", NA, 1, c(TRUE, FALSE))
table <- list(
  wald = list(
    call = function(...) wald(y ~ ., cells, ...),
    num.trees = whole_from_1, mtry = c(whole_from_1, 9), min.node.size = whole_from_1,
    min.bucket = whole_from_1, max.depth = whole_from_1, replace = yes_or_no,
    sample.fraction = list(0, -1, 2000, "a", NA, c(0.2, 0.3)), splitting = word,
    seed = list(-1, 0.5, "a", NA, c(1, 2)), num.threads = list(-1, 0.5, "a", NA, 5000), progress = yes_or_no,
    sampling = word, stratify = yes_or_no, subspace = c(whole_from_1, 9),
    mtry_one_probability = list(-1, 2, "a"), constant_draws = word, impurity = word,
    min_impurity_decrease = list(-1, "a"), min_child_fraction = list(-1, 2, "a"),
    min_weight_fraction_leaf = list(-1, 2, "a"), max_leaf_nodes = list(1, 1.5, "a"),
    increasing = list(5, "a", NA), decreasing = list(5, "y", TRUE), ccp_alpha = list(-1, "a"), max_bins = list(1, 300, "a"), split_pure = yes_or_no),
  advise = list(
    call = function(...) advise(grown, ...), level = share, seed = list(-1, 0.5, "a"),
    num.threads = list(-1, "a"), progress = yes_or_no,
    groups = list(5, list("x1"), list(a = 1), list(a = NA_character_), list(a = character()))),
  uncertainty = list(
    call = function(...) uncertainty(grown, "mdi", ...), confidence = share, variance = word,
    subsamples = c(whole_from_1, 1), subsample_fraction = share, subsample_trees = whole_from_1,
    null_distribution = word, null_forests = whole_from_1, multiple_testing = word,
    seed = list(-1, 0.5, "a")),
  compare = list(
    call = function(...) compare(grown, grown, "mdi", ...), confidence = share, subsamples = c(whole_from_1, 1),
    subsample_fraction = share, subsample_trees = whole_from_1, multiple_testing = word),
  conditional_test = list(
    call = function(...) conditional_test(grown, ...), method = word, draws = whole_from_1,
    folds = c(whole_from_1, 1), confidence = share, multiple_testing = word),
  masking = list(
    call = function(...) masking(grown, ...), mtry = list(0, 1.5, "a", NA, 9), measure = list(5, NA)),
  interactions = list(
    call = function(...) interactions(grown, ...), intersection_trees = whole_from_1, depth = whole_from_1,
    children = whole_from_1, min_size = whole_from_1, min_prevalence = list(-1, 2, "a", NA),
    cut = list("a", NA), resamples = list(-1, 1.5, "a"), seed = list(-1, "a")),
  elimination = list(
    call = function(...) select_variables(grown, ...), method = word, folds = c(whole_from_1, 1),
    repeats = whole_from_1, step = list(0, -1, 1.5, "a", NA), smallest = whole_from_1, loss = word,
    measure = list(5, NA)),
  boruta = list(
    call = function(...) select_variables(grown, "boruta", ...), level = share, multiple_testing = word,
    percentile = list(0, 101, "a"), max_runs = whole_from_1, rough_fix = yes_or_no),
  ipss = list(
    call = function(...) select_variables(grown, "ipss", ...), pairs = whole_from_1,
    power = list(1, 4, 2.5, "a"), subsample_trees = whole_from_1, preselect = whole_from_1,
    target_fdr = list(-1, 2, "a")),
  population = list(
    call = function(...) population(pairs, c(1, 2, 3, 5), ...), mtry = whole_from_1, depth = whole_from_1,
    impurity = word, local = yes_or_no, samples = whole_from_1, seed = list(-1, "a")),
  surrogate = list(
    call = function(...) surrogate(runs, runs$x1, ...), inputs = word, rows = whole_from_1,
    draws = whole_from_1, kernel = word, starts = whole_from_1, confidence = share, num.trees = whole_from_1,
    seed = list(-1, "a")),
  predict = list(
    call = function(...) predict(grown, cells, ...), type = word, new.levels = word, progress = yes_or_no),
  quantiles = list(
    call = function(...) predict(grown, cells, type = "quantiles", ...),
    quantiles = list(-0.1, 1.1, "a", NA_real_, numeric())),
  proximities = list(call = function(...) proximities(grown, ...), num.threads = list(-1, "a")),
  prototypes = list(call = function(...) prototypes(classes, ...), neighbours = whole_from_1),
  explain = list(
    call = function(...) explain(grown, measure = "pdp", ...), grid = list(0, 1.5, "a", NA), variables = list(5)),
  importance = list(
    call = function(...) importance(grown, ...), permutations = list(-1, 1.5, "a", NA), seed = list(-1, 1.5, "a"),
    loss = word, measure = list(5, NA_character_, character())),
  report = list(
    call = function(...) report(grown, tempfile(fileext = ".html"), ...), quick = yes_or_no, source = list(5, NA),
    measures = list(5), decimal.mark = list(";", NA, 5)),
  simulate_design = list(
    call = function(...) simulate_design("friedman_1", ...), rows = whole_from_1, seed = list(-1, 1.5, "a")),
  write_wald = list(call = function(...) write_wald(grown, tempfile(), ...), format = word))

for (name in names(table)) {
  test_that(paste("arguments of", name, "have ranges"), {
    one <- table[[name]]
    for (argument in setdiff(names(one), "call")) {
      for (value in one[[argument]]) {
        words <- paste0(argument, " = ", deparse1(value))
        error <- tryCatch(do.call(one$call, stats::setNames(list(value), argument)), error = identity)
        expect_s3_class(error, "wald_error")
        message <- if (inherits(error, "condition")) conditionMessage(error) else "no error"
        expect_match(message, argument, fixed = TRUE, info = words)
        expect_identical(error$setting, argument, info = words)
        # Numbers and words are repeated in the message; what else was given is described.
        if (is.atomic(value) && length(value) == 1 && !is.na(value) && !is.logical(value)) {
          expect_match(message, format(value, scientific = FALSE), fixed = TRUE, info = words)
        }
        expect_match(error$help, "give|leave|use", info = words)
        # In the words of R: no options of the command line.
        expect_no_match(message, "--|`[a-z]+_[a-z_]+`", info = words)
      }
    }
  })
}

test_that("what must be given and is not is named", {
  missing_one <- function(object, argument) {
    error <- expect_refusal(object, paste(argument, "is missing"), class = "wald_setting_error")
    expect_identical(error$setting, argument)
  }
  missing_one(population(pairs), "y")
  missing_one(population(), "x")
  missing_one(surrogate(runs), "y")
  missing_one(wald(runs), "y")
  missing_one(wald(), "x")
  missing_one(select_variables(runs), "y")
  missing_one(compare(grown), "other")
  missing_one(write_wald(grown), "path")
  missing_one(read_wald(), "path")
  missing_one(simulate_design(), "design")
  skip_if_not_installed("ranger")
  missing_one(as_wald(ranger::ranger(mpg ~ wt, mtcars, num.trees = 2, num.threads = 1)), "data")
  expect_refusal(as_wald(grown), "already")
  expect_refusal(population(pairs, c(1, 2, 3, 5), probability = 1:3), "probability is", "one number for each row")
})

test_that("refusals of too large numbers state the largest one", {
  expect_refusal(wald(y ~ ., cells, seed = 1e300), "seed is 1e+300", "from 0 to 9007199254740992")
  expect_refusal(wald(y ~ ., cells, seed = -1), "seed is -1; give a whole number of at least 0")
})

test_that("settings of measures that only importance() has are refused elsewhere", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  for (refused in list(quote(uncertainty(fit, "mdi", test = cells)), quote(compare(fit, fit, "mdi", test = cells)),
                       quote(masking(fit, settings = list(test = cells))),
                       quote(select_variables(fit, settings = list(test = cells))))) {
    error <- expect_refusal(eval(refused), "importance()", "leave it out", class = "wald_setting_error")
    expect_identical(error$setting, "test")
  }
  expect_refusal(masking(fit, settings = c(loss = "squared")), "settings is \"squared\"", "list(loss")
})

test_that("measures of rows never seen are refused where no such rows are taken", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  for (of in list(masking, uncertainty, select_variables, function(fit, measure) compare(fit, fit, measure))) {
    error <- expect_refusal(of(fit, measure = "mda_train_test"), "importance() and report()", "mda_breiman_cutler",
                            class = "wald_measure_error")
    expect_false(grepl("test =", conditionMessage(error), fixed = TRUE))
  }
})

test_that("every function reads a background with levels", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  rows <- cells[c(1, 2, 9), ]
  rows$kind <- as.character(rows$kind)
  expected <- importance(fit, "sage", background = rows)$value
  expect_identical(uncertainty(fit, "sage", background = rows, subsamples = 2)$value, expected)
  expect_identical(compare(fit, fit, "sage", background = rows, subsamples = 2)$first, expected)
  found <- masking(fit, "sage", mtry = 2, settings = list(background = rows))
  expect_identical(found$variable, names(fit$levels))
  expect_identical(uncertainty(fit, c("mdi", "mdi"), subsamples = 2)$variable, names(fit$levels))
})

test_that("probabilities of points are a column, as weights are", {
  points <- expand.grid(a = 0:1, b = 0:1)
  points$y <- points$a
  points$p <- c(1, 2, 3, 4)
  expected <- population(y ~ a + b, points, probability = points$p)
  p <- rep(1, 4)
  for (found in list(population(y ~ ., points, probability = p), population(y ~ ., points, probability = "p"))) {
    expect_identical(as.data.frame(found), as.data.frame(expected))
  }
  weighed <- function(mass) population(y ~ a + b, points, probability = mass)
  expect_identical(weighed(points$p), expected)
  expect_refusal(population(y ~ ., points, probability = "q"), "\"q\"", "probability")
})
