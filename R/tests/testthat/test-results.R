data <- simulate_design("friedman_1", 150, seed = 1)
fit <- wald(y ~ ., data, num.trees = 60)

test_that("an importance is a data frame that can be read", {
  found <- importance(fit, c("sobol_mda", "mdi"))
  expect_s3_class(found, "data.frame")
  expect_named(found, c("measure", "variable", "value", "se", "low", "high", "p"))
  expect_identical(nrow(found), 20L)
  expect_equal(found$high - found$value, 1.96 * found$se)
  per_tree <- attr(found, "found")$mdi$per_tree
  expect_equal(unname(colMeans(per_tree)), found$value[found$measure == "mdi"])
  expect_false("x7" %in% head(found$variable[order(-found$value)], 5))
})

test_that("groups, test rows and classes reach the measures", {
  grouped <- importance(fit, "mdi", groups = list(pair = c("x1", "x2")))
  single <- importance(fit, "mdi")
  expect_equal(grouped$value[grouped$variable == "pair"], sum(single$value[1:2]))
  test <- simulate_design("friedman_1", 100, seed = 2)
  found <- importance(fit, "mda_train_test", test = test)
  expect_identical(found$value, importance(fit, "mda_train_test", test = list(test[-11], test$y))$value)
  classes <- wald(Species ~ ., iris, num.trees = 20)
  found <- importance(classes, per_class = TRUE)
  expect_named(attr(found, "found")[[1]]$per_class, levels(iris$Species))
})

test_that("explanations add up to predictions", {
  shap <- explain(fit, data[1:5, ])
  expect_equal(unname(rowSums(shap) + attr(shap, "expected_value")), predict(fit, data[1:5, ]))
  classes <- wald(Species ~ ., iris, num.trees = 20)
  shap <- explain(classes, iris[c(1, 60, 120), ])
  sums <- sweep(apply(shap, c(1, 3), sum), 2, attr(shap, "expected_value"), "+")
  expect_equal(unname(sums), unname(predict(classes, iris[c(1, 60, 120), ], type = "prob")))
  pairs <- explain(fit, data[1:2, ], "tree_shap_interactions")
  expect_equal(unname(apply(pairs, 1:2, sum)), unname(plain_array(explain(fit, data[1:2, ]))))
})

test_that("explanations have shares of the variance and notes", {
  both <- data.frame(a = rep(1:5, 12), b = rep(1:6, each = 10))
  fit <- wald(both, both$a * both$b, num.trees = 10)
  found <- explain(fit, measure = "friedman_h")
  shares <- attr(found, "share_of_variance")
  expect_identical(dim(shares), dim(plain_array(found)))
  # Two variables together predict what the forest does.
  expect_equal(shares["mean", "a", "b"], found["mean", "a", "b"])
  expect_identical(as.data.frame(found)$share_of_variance, as.vector(shares))
  expect_output(print(found), "share of the variance of predictions")
  losses <- explain(fit, measure = "tree_shap_loss", background_rows = 5)
  expect_match(attr(losses, "notes"), "held-out rows")
  expect_output(print(losses), "note: ")
  expect_null(attr(explain(fit), "share_of_variance"))
})

test_that("advice names a measure for each question", {
  found <- advise(fit)
  expect_true(all(unlist(found$recommended) %in% measures()$measure))
  expect_output(print(found), found$recommended$selection)
  expect_true(all(c("objective", "measure", "validity") %in% names(found$verdicts)))
  # Its commands give the measure to the argument of that name.
  for (one in found$objectives) {
    command <- str2lang(one$command)
    name <- as.character(command[[1]])
    method <- getS3method(name, "wald", optional = TRUE)
    if (is.null(method)) method <- get(name)
    if (!is.null(one$recommended)) {
      expect_identical(match.call(method, command)$measure, one$recommended)
    }
  }
})

test_that("Boruta and stability selection find what matters", {
  found <- select_variables(fit, "boruta", max_runs = 15, measure = "mdi")
  expect_true(all(found$selected %in% attr(data, "truth")))
  expect_output(print(found), "Boruta")
  stable <- select_variables(fit, "ipss", pairs = 10)
  expect_identical(nrow(stable$frame), 10L)
})

test_that("a report is a page", {
  path <- tempfile(fileext = ".html")
  found <- suppressWarnings(report(fit, path, quick = TRUE))
  page <- readLines(path, warn = FALSE)
  expect_match(page[1], "<!doctype html>", fixed = TRUE)
  expect_true("sobol_mda" %in% found$measure)
  expect_refusal(report(fit, path), "exists already")
  suppressWarnings(report(fit, path, quick = TRUE, decimal.mark = ",", force = TRUE))
  commas <- readLines(path, warn = FALSE)
  numbers <- function(page, mark) sum(lengths(regmatches(page, gregexpr(paste0(">0", mark, "[0-9]+<"), page))))
  expect_gt(numbers(page, "[.]"), 20)
  expect_identical(numbers(commas, ","), numbers(page, "[.]"))
  expect_identical(numbers(commas, "[.]"), 0L)
})

test_that("populations have the importances of the paper", {
  xor <- expand.grid(a = 0:1, b = 0:1, c = 0:1)
  xor$y <- as.character((xor$a + xor$b) %% 2)
  found <- population(y ~ ., xor, impurity = "entropy")
  # One bit is shared by the two; the third is irrelevant (Louppe et al. 2013).
  expect_equal(found$importance, c(0.5, 0.5, 0))
  expect_identical(found$relevance[3], "irrelevant")
})

test_that("few runs are enough for a smooth model", {
  x <- simulate_design("friedman_1", 30)[c("x1", "x2")]
  found <- surrogate(x, 3 * x$x1 + x$x2^2, rows = 300, draws = 2, starts = 2, num.trees = 20)
  expect_gt(found$two_step[1], found$two_step[2])
  expect_output(print(found), "two_step")
})

test_that("plots draw what they are given", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(importance(fit, c("mdi", "split_count"))))
  expect_silent(plot(explain(fit, data[1:10, ])))
  expect_silent(plot(select_variables(fit, "ipss", pairs = 5)))
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    picture <- ggplot2::autoplot(importance(fit, "mdi"))
    expect_identical(nrow(ggplot2::layer_data(picture, 3)), 10L)
  }
})

test_that("generics of other packages are served", {
  skip_if_not_installed("generics")
  tidied <- generics::tidy(fit, "mdi")
  expect_identical(tidied$estimate, importance(fit, "mdi")$value)
  expect_identical(generics::glance(fit)$nobs, 150L)
  expect_identical(generics::augment(fit)$.fitted, fit$predictions)
  skip_if_not_installed("ranger")
  expect_identical(ranger::importance(fit, "mdi"), importance(fit, "mdi"))
})

test_that("results have pictures of their own, not those of data frames", {
  path <- tempfile(fileext = ".pdf")
  grDevices::pdf(path)
  on.exit(grDevices::dev.off())
  drawn <- list(
    explain(fit, data[1:5, ], "pdp", grid = 3), explain(fit, data[1:5, ], "ice", grid = 3),
    compare(fit, fit, "mdi", subsamples = 5),
    conditional_test(fit, folds = 2, draws = 2), masking(fit, mtry = c(1, 2)),
    population(unique(mtcars[c("am", "vs")]), c(1, 2, 3, 5)))
  for (one in drawn) expect_identical(expect_invisible(plot(one)), one)
  for (one in drawn) expect_false(identical(utils::getS3method("plot", class(one)[1], TRUE), NULL))
  expect_output(print(drawn[[2]]), "more lines")
  expect_equal(apart(c(b = 2, a = 1.9, c = 5), 1), c(b = 2.9, a = 1.9, c = 5))
})

test_that("notes of conditional tests are printed below the table", {
  narrow <- data[c("x1", "x4", "y")]
  weights <- c(1000, rep(1, nrow(narrow) - 1))
  found <- conditional_test(y ~ ., narrow, weights = weights, folds = 2, num.trees = 10)
  expect_match(attr(found, "notes"), "weights differ so much that the [0-9]+ rows are as informative as")
  expect_output(print(found), "of the variance of held-out rows\nnote: weights differ so much")
  expect_output(print(found[1, ]), "note: weights differ so much")
  expect_no_match(utils::capture.output(print(conditional_test(y ~ ., narrow, folds = 2, num.trees = 10))), "note:")
})

test_that("notes of selections and depths of Boruta are printed as they are", {
  stumps <- select_variables(y ~ ., data[1:40, ], method = "ipss", pairs = 5, num.trees = 5, min.node.size = 1000)
  expect_output(print(stumps), "note: no tree has a split, so that nothing is known")
  depths <- select_variables(fit, "boruta", measure = "minimal_depth", max_runs = 12)
  expect_true(all(depths$frame$median_importance >= 0))
  expect_output(print(depths), "importance: levels below the root \\(small is important\\)")
})

test_that("tables print without powers of ten and empty columns", {
  expect_identical(rounded(c(0.1415, 8.451e-05), 4), c(0.1415, 8.5e-05))
  expect_identical(rounded(c(12345.678, NA), 4), c(12345.7, NA))
  frame <- data.frame(value = c(0.1415, 8.451e-05), standard_error = NA_real_, p_value = c(1e-9, 0.5))
  expect_output(print_table(frame, 4), "value +p\n 0.14.* <1e-04\n 0.00")
  classes <- wald(Species ~ ., iris, num.trees = 10)
  expect_output(print(importance(classes, "mda_breiman_cutler", per_class = TRUE)),
                "setosa versicolor virginica")
})

test_that("classes that are called as columns are stand beside them", {
  old <- options(width = 200)
  on.exit(options(old))
  data <- iris
  levels(data$Species) <- c("low", "value", "p_value")
  found <- importance(wald(Species ~ ., data, num.trees = 10), "mda_breiman_cutler", per_class = TRUE)
  printed <- utils::capture.output(print(found))
  expect_match(printed[2], "variable +value +se +low +high +class low +class p_value +class value")
  plain <- importance(wald(Species ~ ., iris, num.trees = 10), "mda_breiman_cutler", per_class = TRUE)
  values <- function(lines) vapply(strsplit(trimws(lines[3:6]), " +"), function(cells) cells[1:5], character(5))
  expect_identical(values(printed), values(utils::capture.output(print(plain))))
})

test_that("vip and DALEX get what they expect", {
  scores <- vi_model.wald(fit, "mdi")
  expect_s3_class(scores, "vi")
  expect_refusal(vi_model.wald(fit, "minimal_depth"), "minimal_depth", "plot(")
  expect_identical(scores$Importance, importance(fit, "mdi")$value)
  expect_identical(yhat.wald(fit, data), predict(fit, data))
  expect_identical(model_info.wald(fit)$type, "regression")
})

# Stand-ins for parsnip's functions, with the arguments in the order of its reference, which keep what is
# registered.
parsnip_stand_in <- function() {
  calls <- list()
  kept <- function(name) calls[[length(calls) + 1]] <<- c(list(call = name), as.list(parent.frame()))
  list(
    set_model_engine = function(model, mode, eng) kept("engine"),
    set_dependency = function(model, eng, pkg = "parsnip", mode = NULL) kept("dependency"),
    set_fit = function(model, mode, eng, value) kept("fit"),
    set_encoding = function(model, mode, eng, options) kept("encoding"),
    set_model_arg = function(model, eng, parsnip, original, func, has_submodel) kept("arg"),
    set_pred = function(model, mode, eng, type, value) kept("pred"),
    of = function(name) Filter(function(call) call$call == name, calls), all = function() calls)
}

test_that("parsnip's rand_forest() has the engine", {
  parsnip <- parsnip_stand_in()
  register_parsnip(parsnip)
  modes <- c("regression", "classification")
  for (call in parsnip$all()) {
    expect_identical(c(call$model, call$eng), c("rand_forest", "wald"))
    if (call$call != "arg") expect_true(call$mode %in% modes)
  }
  for (name in c("engine", "dependency", "fit", "encoding")) {
    expect_identical(vapply(parsnip$of(name), function(call) call$mode, ""), modes)
  }
  arguments <- parsnip$of("arg")
  expect_identical(stats::setNames(vapply(arguments, function(call) call$original, ""),
                                   vapply(arguments, function(call) call$parsnip, "")),
                   c(mtry = "mtry", trees = "num.trees", min_n = "min.node.size"))
  # What parsnip does with it: a call with x, y, weights and arguments, and one of predict().
  how <- parsnip$of("fit")[[2]]$value
  grown <- do.call(getExportedValue(how$func[["pkg"]], how$func[["fun"]]),
                   list(x = iris[1:4], y = iris$Species, weights = rep(1, 150), num.trees = 5,
                        seed = eval(how$defaults$seed)))
  object <- list(fit = grown)
  new_data <- iris[c(1, 51, 101), 1:4]
  predicted <- lapply(parsnip$of("pred"), function(call) {
    result <- do.call(call$value$func[["fun"]], lapply(call$value$args, eval, list(object = object, new_data = new_data)))
    if (is.null(call$value$post)) result else call$value$post(result, object)
  })
  expect_identical(vapply(parsnip$of("pred"), function(call) call$type, ""),
                   c("numeric", "class", "prob"))
  expect_identical(predicted[[2]], predict(grown, new_data))
  expect_identical(predicted[[3]], as.data.frame(predict(grown, new_data, type = "prob")))
  # Loaded again, the package must register the same.
  again <- parsnip_stand_in()
  register_parsnip(again)
  expect_true(isTRUE(all.equal(again$all(), parsnip$all())))
})

test_that("partial dependence is the mean of predictions with a value put in", {
  curves <- explain(fit, data[1:20, ], "pdp", grid = 5)
  one <- curves[curves$variable == "x4", ][2, ]
  put <- data[1:20, ]
  put$x4 <- one$at
  expect_equal(one$value, mean(predict(fit, put)))
  classes <- wald(Species ~ ., iris, num.trees = 10)
  curves <- explain(classes, iris[1:2, ], "ice", grid = 3)
  one <- curves[curves$variable == "Petal.Width" & curves$row == 2 & curves$class == "virginica", ][3, ]
  put <- iris[2, ]
  put$Petal.Width <- one$at
  expect_equal(one$value, predict(classes, put, type = "prob")[[1, "virginica"]])
})

test_that("interactions of pairs by class are explained in four dimensions", {
  classes <- wald(Species ~ ., iris, num.trees = 10)
  rows <- iris[c(1, 60, 120), ]
  pairs <- explain(classes, rows, "tree_shap_interactions")
  expect_identical(dim(pairs), c(3L, 4L, 4L, 3L))
  expect_identical(dimnames(pairs)[[4]], levels(iris$Species))
  # Rows of interactions sum to the Shapley values of the variable (Lundberg et al. 2020), these to predictions.
  expect_equal(apply(pairs, c(1, 2, 4), sum), plain_array(explain(classes, rows)), tolerance = 1e-9)
  total <- sweep(apply(pairs, c(1, 4), sum), 2, attr(pairs, "expected_value"), "+")
  expect_equal(total, predict(classes, rows, type = "prob"), tolerance = 1e-9, ignore_attr = TRUE)
  expect_output(print(pairs), "3 x 4 x 4 x 3.*Petal.Width.*virginica")
  expect_output(print(pairs[1, , , , drop = FALSE]), "setosa")
  long <- as.data.frame(pairs)
  expect_identical(nrow(long), 144L)
  at <- long[long$Var1 == "60" & long$Var2 == "Petal.Length" & long$Var3 == "Petal.Width" &
               long$Var4 == "virginica", ]
  expect_identical(at$value, pairs[["60", "Petal.Length", "Petal.Width", "virginica"]])
  expect_refusal(plot(pairs), "pairs")
  one <- explain(classes, iris[1, ], "tree_shap_interactions")
  expect_output(print(one), "1 x 4 x 4 x 3")
})

test_that("a population notes how numbers were taken", {
  points <- data.frame(a = c(1, 2, 3, 1), b = c(0, 1, 0, 1), c = c(5, 6, 7, 8))
  found <- population(points, c(0, 1, 1, 0))
  expect_identical(attr(found, "notes"), c(
    "the target \"y\" was taken as a number; if its values are classes, make it a factor",
    "every different number of \"a\" and 1 other column is a category of its own"))
  expect_output(print(found[1:2, ]), "note: the target")
  expect_length(attr(population(points, c(0, 1, 1, 0), impurity = "variance"), "notes"), 1)
  expect_null(attr(population(data.frame(a = letters[1:4]), c(0.5, 1, 1, 0)), "notes"))
})

test_that("curves of numbers, levels and classes have a line for each value of the engine", {
  fit <- wald(kind ~ ., cells, num.trees = 5)
  found <- explain(fit, cells[1:3, ], measure = "ice", grid = 4)
  for (variable in names(fit$x)) {
    part <- found[found$variable == variable, ]
    # Missing values have a place of their own.
    at <- unique(part$at)
    expect_identical(part$row, rep(1:3, times = 3 * length(at)))
    expect_identical(part$class, rep(rep(c("a", "b", "c"), each = 3), times = length(at)))
    expect_identical(part$at, rep(at, each = 9))
    level <- if (is.logical(fit$x[[variable]])) at == "TRUE" else as.numeric(at)
    changed <- cells[1:3, ]
    changed[[variable]] <- level[2]
    proportions <- predict(fit, changed, type = "prob")
    expect_equal(part$value[part$at %in% at[2]], as.vector(proportions[, c("a", "b", "c")]))
  }
})

test_that("what a population lacks is refused in the words of R", {
  xor <- expand.grid(a = c("0", "1"), b = c("0", "1"))
  y <- c("0", "1", "1", "0")
  expect_refusal(population(xor), "y is missing", class = "wald_setting_error")
  expect_refusal(population(xor, y, mtri = 2), "\"mtri\"", "mtry", class = "wald_setting_error")
  expect_refusal(population(y ~ ., cbind(xor, y), mtri = 2), "\"mtri\"", "mtry", class = "wald_setting_error")
  expect_refusal(population(y ~ ., cbind(xor, y), 2), "without a name")
  expect_refusal(population(xor[0], y), "no inputs")
  expect_refusal(population(xor[0, ], character()), "no rows")
  expect_refusal(population(y ~ .), "data is missing")
  expect_refusal(surrogate(runs <- data.frame(a = 1:20)), "y is missing")
})

test_that("tables without columns or rows are refused", {
  for (one in list(data.frame(), mtcars[0], mtcars[0, ])) {
    expect_refusal(wald(one, 1:32), "no ", class = "wald_data_error")
    expect_refusal(predict(fit, one), "newdata has no ", class = "wald_data_error")
    expect_refusal(explain(fit, one), "newdata has no ", class = "wald_data_error")
    expect_refusal(proximities(fit, one), "newdata has no ", class = "wald_data_error")
    expect_refusal(importance(fit, "mda_train_test", test = one), "test has no ", class = "wald_data_error")
    expect_refusal(wald(mpg ~ ., one), "no ", class = "wald_data_error")
  }
})
