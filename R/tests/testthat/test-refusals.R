# Every refusal is an R condition that names the column, or the argument, and how to mend it.

grown <- wald(y ~ ., cells, num.trees = 5)

test_that("mistakes in formulas are refused", {
  expect_refusal(wald(~ x1, cells), "left side")
  expect_refusal(wald(z ~ ., cells), "\"z\"")
  expect_refusal(wald(y ~ x1 + X2, cells), "\"X2\"", "did you mean \"x2\"")
  expect_refusal(wald(y ~ log(x2), cells), "log(x2)", "make it a column")
  expect_refusal(wald(y ~ x1:x2, cells), "x1:x2", "interactions")
  expect_refusal(wald(y ~ x1 * x2, cells), "x1 * x2")
  expect_refusal(wald(y ~ 1, cells), "no inputs")
  expect_refusal(wald(y ~ x1), "data is missing")
  expect_refusal(wald(cbind(x2, y) ~ x1, cells), "cbind(x2, y)", "holds 2 columns")
  expect_refusal(wald(structure(cbind(x2, x4), class = "Surv") ~ ., cells), "a survival time", "numbers and classes")
  expect_refusal(wald(y ~ x1 + offset(x2), cells), "offset(x2)", "y - x2")
  expect_refusal(wald(y ~ ., cells, weights = "heavy"), "\"heavy\"")
  expect_refusal(wald(y ~ ., cells, weights = heavy), "'heavy' not found")
  expect_refusal(wald(y ~ ., cells, subset = x1 > 0), "\"subset\"", "the rows themselves")
  expect_refusal(wald("y ~ .", cells), "\"y ~ .\"", "quotes")
})

test_that("the help page names all settings of forests", {
  page <- paste(as.character(tools::Rd_db("wald")[["wald.Rd"]]), collapse = "")
  options <- vapply(facts()$forest_options, function(option) option$id, "")
  own <- forest_arguments()
  for (name in c(setdiff(options, own), names(own))) expect_match(page, name, fixed = TRUE)
})

test_that("columns that are no variables are refused by name", {
  with <- function(column) {
    data <- cells
    data$odd <- column
    data
  }
  expect_refusal(wald(y ~ ., with(as.list(1:60))), "\"odd\" is a list", class = "wald_data_error")
  expect_refusal(wald(y ~ ., with(Sys.Date() + 1:60)), "\"odd\" is of class Date", "as.numeric(odd)")
  expect_refusal(wald(y ~ ., with(Sys.time() + 1:60)), "POSIXct")
  expect_refusal(wald(data.frame(`my day` = Sys.Date() + 1:60, check.names = FALSE), 1:60), "as.numeric(`my day`)")
  expect_refusal(wald(y ~ ., with(as.difftime(1:60, units = "mins"))), "difftime")
  expect_refusal(wald(y ~ ., with(complex(60))), "complex")
  expect_refusal(wald(y ~ ., with(matrix(1:120, 60))), "holds 2 columns")
  expect_refusal(wald(y ~ ., with(c(Inf, 1:59))), "odd")
  error <- expect_refusal(wald(y ~ ., with(as.raw(1:60))), "raw")
  expect_identical(error$column, "odd")
})

test_that("tables without rows, columns or names are refused", {
  expect_refusal(wald(y ~ ., cells[0, ]), "no rows")
  expect_refusal(wald(cells[0], cells$y), "no inputs")
  expect_refusal(wald("table", cells$y), "data frame")
  expect_refusal(wald(cells["x2"], cells$y[-1]), "59 values for 60 rows")
  expect_refusal(wald(cells["x2"]), "y is missing")
  twice <- data.frame(a = 1:3, a = 1:3, check.names = FALSE)
  expect_refusal(wald(twice, 1:3), "two columns \"a\"")
  expect_refusal(wald(1:3, 1:3), "x is an integer of length 3")
  unnamed <- stats::setNames(cells, c("x1", "", "x4", "y", "", "large"))
  expect_refusal(wald(y ~ ., unnamed), "column 2 of data has no name")
})

test_that("targets that are missing or dates are refused", {
  data <- cells
  data$y[c(4, 9)] <- NA
  expect_refusal(wald(y ~ ., data), "missing in 2 of 60 rows, first in row 4", "is.na(data$y)")
  # No example that could not be run.
  error <- expect_refusal(wald(`the y` ~ ., stats::setNames(data, sub("^y$", "the y", names(data)))), "\"the y\"")
  expect_no_match(error$help, "$", fixed = TRUE)
  expect_refusal(wald(cells["x2"], Sys.Date() + 1:60), "Date")
})

test_that("arguments out of their range are refused by R's names", {
  expect_refusal(wald(y ~ ., cells, num.trees = 0), "num.trees is 0")
  expect_refusal(wald(y ~ ., cells, mtry = 9), "mtry", class = "wald_setting_error")
  expect_refusal(wald(y ~ ., cells, min.node.size = -1), "min.node.size")
  expect_refusal(wald(y ~ ., cells, sample.fraction = 2000), "sample.fraction")
  error <- expect_refusal(wald(y ~ ., cells, num.threads = 5000), "num.threads is 5000", "1024")
  expect_identical(error$setting, "num.threads")
  expect_refusal(wald(y ~ ., cells, seed = 1.5), "seed")
  expect_refusal(wald(y ~ ., cells, splitting = "worst"), "splitting")
  expect_refusal(wald(y ~ ., cells, num.tree = 5), "did you mean \"num.trees\"")
  expect_refusal(wald(y ~ ., cells, maxnodes = 5), "give max_leaf_nodes")
  expect_no_warning(expect_refusal(wald(y ~ ., cells, num.threads = "all"), "\"all\""))
  expect_refusal(wald(y ~ ., cells, mtry = sqrt), "mtry is a function")
  expect_refusal(predict(grown, data = cells), "give newdata")
  expect_refusal(importance(lm(mpg ~ hp, mtcars)), "a lm", "as_wald()")
  expect_refusal(explain(5), "x is 5", "as_wald()")
  expect_refusal(plot(importance(grown, "mdi")[0, ]), "no importances")
  expect_refusal(predict(grown, cells, n.threads = 1), "did you mean \"num.threads\"")
  expect_refusal(wald(y ~ ., cells, importance = "impurity"), "importance(fit")
  expect_refusal(wald(y ~ ., cells, probability = TRUE), "type = \"prob\"")
  expect_refusal(wald(y ~ ., cells, proximity = TRUE), "proximities(fit)")
  expect_refusal(importance(grown, type = 1), "\"mda_breiman_cutler\" for type 1")
  expect_refusal(importance(grown, scale = FALSE), "standard errors")
  expect_refusal(wald(y ~ ., cells, weights = 1:3), "weights")
  expect_refusal(wald(y ~ ., cells, weights = rep(-1, 60)), "weight")
  expect_refusal(wald(y ~ ., cells, cluster = 1:3), "cluster")
  error <- expect_refusal(wald(y ~ ., cells, max.depth = 0), "max.depth")
  expect_identical(deparse(conditionCall(error)[[1]]), "wald")
})

test_that("new rows must fit the forest", {
  expect_refusal(predict(grown, cells[-1]), "no column \"x1\"")
  expect_refusal(proximities(grown, cells[0, ]), "no rows")
  other <- cells
  other$kind <- factor(c("d", as.character(cells$kind[-1])))
  error <- expect_refusal(predict(grown, other), "\"kind\" has the level \"d\"", "new.levels")
  expect_identical(error$column, "kind")
  expect_length(predict(grown, other, new.levels = "majority"), 60)
  other$kind <- seq_len(60)
  expect_refusal(predict(grown, other), "\"kind\" holds numbers")
  other <- cells
  other$x2 <- as.character(other$x2)
  expect_refusal(predict(grown, other), "\"x2\"", "held numbers")
  expect_refusal(predict(grown, cells, type = "prob"), "type")
  classes <- wald(Species ~ ., iris, num.trees = 2)
  for (new in list(NULL, iris)) {
    error <- expect_refusal(predict(classes, new, type = "quantiles"), "the target is a class", "\"prob\"")
    expect_identical(error$setting, "type")
  }
  expect_refusal(predict(grown, cells, type = "classes"), "\"response\"")
  expect_refusal(predict(grown, cells, typ = "prob"), "typ")
})

test_that("measures and their settings are checked", {
  expect_refusal(importance(grown, "sobolmda"), "sobol_mda", class = "wald_measure_error")
  expect_refusal(importance(grown, "mdi", permutations = 5), "permutations")
  expect_refusal(importance(grown, permutation = 5), "did you mean \"permutations\"")
  expect_refusal(importance(grown, loss = "hinge"), "loss")
  expect_refusal(importance(grown, groups = c("x1", "x2")), "groups")
  expect_refusal(importance(grown, groups = list(a = c("x1", "x9"))), "x9")
  expect_refusal(importance(grown, "mda_train_test"), "test")
  expect_refusal(importance(grown, "mda_train_test", test = cells[-4]), "\"y\"")
  expect_refusal(explain(grown, measure = "lime"), "lime")
  expect_refusal(explain(grown, cells[-1]), "\"x1\"")
  error <- expect_refusal(explain(grown, cells[names(cells) != "y"], "tree_shap_loss"), "y is missing")
  expect_identical(error$setting, "y")
  expect_refusal(uncertainty(grown, "mdi", variance = "bootstrap"), "jackknife")
  for (fraction in c(2, 1e9, -1)) {
    expect_refusal(uncertainty(grown, "mdi", subsamples = 5, subsample_fraction = fraction),
                   "subsample_fraction")
  }
  expect_refusal(select_variables(grown, folds = 1), "folds")
  expect_refusal(conditional_test(grown, folds = 1), "folds")
  expect_refusal(conditional_test(grown, method = "cpi"), "\"sobol_cpi\"")
  expect_refusal(conditional_test(y ~ ., cells, fold = 3), "fold")
  expect_refusal(masking(grown, mtry = c(1, 9)), "mtry has 9")
  expect_refusal(masking(grown, mtry = 1.5), "mtry")
  expect_refusal(masking(cells[-4]), "y is missing")
  expect_refusal(interactions(grown, depth = 0), "depth")
  expect_refusal(interactions(grown, resamples = 1.5), "resamples")
  expect_refusal(interactions(grown, min_prevalence = 2), "min_prevalence")
  expect_refusal(interactions(grown, cut = 1e9), "one side of the cut")
  expect_refusal(interactions(grown, trees = 5), "trees")
  expect_refusal(compare(grown, cells), "other")
  expect_refusal(compare(grown, wald(y ~ x1, cells, num.trees = 2)), "x2")
  expect_refusal(compare(grown, grown, confidence = 2), "confidence")
  expect_refusal(proximities(cells), "forest")
  expect_refusal(proximities(grown, cells[-1]), "\"x1\"")
  expect_refusal(prototypes(grown), "class")
  expect_refusal(simulate_design("friedman"), "friedman_1")
  expect_refusal(simulate_design("friedman_1", rows = 0), "rows is 0")
})

test_that("work that needs more memory than is free is refused", {
  with_bytes <- function(bytes, work) {
    before <- options(wald.memory = bytes)
    on.exit(options(before))
    expect_refusal(work, "of memory", "is free", class = "wald_too_large_error")
  }
  error <- with_bytes(1e5, wald(y ~ ., cells, num.trees = 500))
  expect_match(conditionMessage(error), "growing 500 trees needs about", fixed = TRUE)
  expect_match(error$help, "min.node.size", fixed = TRUE)
  # Those of this package take a forest that exists.
  expect_no_match(error$help, "importance()", fixed = TRUE)
  expect_no_match(error$help, "report()", fixed = TRUE)
  with_bytes(100, importance(grown, "sobol_mda"))
  with_bytes(100, explain(grown))
  with_bytes(100, uncertainty(grown, "mdi"))
  with_bytes(100, compare(grown, grown))
  with_bytes(100, conditional_test(grown))
  with_bytes(100, masking(grown))
  with_bytes(100, interactions(grown))
  for (method in c("elimination", "boruta", "ipss")) {
    with_bytes(100, select_variables(grown, method = method))
  }
  with_bytes(100, report(grown, tempfile(fileext = ".html")))
  # More than the session has, where the engine alone would end it.
  with_bytes(1e9, simulate_design("friedman_1", 4e9))
  # A line of a data frame for each number, with the engine's copy.
  error <- with_bytes(40 * nrow(explain(grown, measure = "ice")), explain(grown, measure = "ice"))
  expect_match(error$help, "grid = 100", fixed = TRUE)
  # What fits is done.
  before <- options(wald.memory = 1e9)
  on.exit(options(before))
  expect_s3_class(wald(y ~ ., cells, num.trees = 5), "wald")
  options(wald.memory = Inf)
  expect_s3_class(wald(y ~ ., cells, num.trees = 5), "wald")
})

test_that("options of a wrong type are refused by name", {
  refused <- function(...) {
    before <- options(...)
    on.exit(options(before))
    expect_refusal(wald(y ~ ., cells, num.trees = 5), sub("wald.", "", names(list(...)), fixed = TRUE))
  }
  refused(wald.memory = "8 GB")
  refused(wald.memory = NA)
  refused(wald.progress = "yes")
})

test_that("numbers out of range are named as they were given", {
  fit <- wald(y ~ ., cells, num.trees = 5)
  for (null in c("permuted", "shadow")) {
    expect_refusal(uncertainty(fit, "mdi", null_distribution = null, null_forests = 1e14),
                   "null_forests is 100000000000000", "at most 100000")
  }
})

test_that("arguments without effect are refused by what has them", {
  refused <- function(object, ..., setting) {
    error <- expect_refusal(object, ..., class = "wald_setting_error")
    expect_identical(error$setting, setting)
  }
  refused(importance(grown, "mdi", test = cells), "measure `mdi` does not offer `test`", "mda_train_test",
          setting = "test")
  refused(importance(grown, c("gini", "split_count"), test = cells), "none of the measures gini, split_count offers",
          setting = "test")
  expect_s3_class(importance(grown, c("mdi", "mda_train_test"), test = cells), "wald_importance")
  expect_refusal(importance(grown, "gimi", test = cells), "\"gimi\" is not a measure")
  refused(uncertainty(grown, "mdi", multiple_testing = "none"), "no p-values are requested", "null_distribution",
          setting = "multiple_testing")
  refused(select_variables(grown, method = "boruta", folds = 3, target_fdr = 0.01), "folds", "method = \"elimination\"",
          setting = "folds")
  refused(select_variables(grown, method = "boruta", target_fdr = 0.01), "method = \"ipss\"", setting = "target_fdr")
  refused(select_variables(grown, level = 0.01), "method = \"boruta\"", setting = "level")
  refused(select_variables(y ~ ., cells, num.trees = 5, pairs = 3), "method = \"ipss\"", setting = "pairs")
  expect_s3_class(select_variables(grown, folds = 2, level = NULL), "wald_selection")
})

test_that("files are refused before any work", {
  expect_refusal(report(grown, file.path(tempfile(), "report.html")), "folder",
                 class = "wald_file_error")
  expect_refusal(report(grown, tempdir()), "is a folder")
  expect_refusal(read_wald(tempfile()), "there is no file")
  damaged <- tempfile()
  writeBin(rev(grown$model), damaged)
  expect_refusal(read_wald(damaged), class = "wald_forest_file_error")
})

test_that("swapped arguments and pictures that do not exist are refused", {
  expect_refusal(wald(mtcars, mpg ~ .), "y is a formula", "wald(formula, data)")
  fit <- wald(factor(am) ~ wt + hp, mtcars, num.trees = 20)
  expect_refusal(plot(interactions(fit, resamples = 0)), "no picture")
})
