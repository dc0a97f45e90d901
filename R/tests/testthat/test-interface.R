# How forests are asked for.

test_that("an input may be called y", {
  x <- stats::setNames(mtcars[2:4], c("y", "a", "b"))
  fit <- wald(x, mtcars$mpg, num.trees = 5)
  expect_identical(importance(fit, "mdi")$variable, c("y", "a", "b"))
  same <- wald(mtcars[2:4], mtcars$mpg, num.trees = 5)
  expect_identical(importance(fit, "mdi")$value, importance(same, "mdi")$value)
  again <- read_wald(write_wald(fit, tempfile()), x, mtcars$mpg)
  expect_identical(again$predictions, fit$predictions)
  x$y.1 <- 1
  expect_identical(wald(x, mtcars$mpg, num.trees = 5)$target, "y.2")
  categories <- data.frame(y = c("0", "0", "1", "1"), b = c("0", "1", "0", "1"))
  expect_identical(population(categories, c(1, 2, 3, 5))$variable, c("y", "b"))
  found <- surrogate(x[1:2], mtcars$mpg, rows = 100, draws = 2, starts = 1, num.trees = 5)
  expect_identical(unique(found$variable), c("y", "a"))
  expect_s3_class(masking(x[1:2], mtcars$mpg, num.trees = 5), "wald_masking")
})

test_that("a formula and data may be given by their names, in any order", {
  expected <- importance(wald(mpg ~ ., mtcars, num.trees = 5, weights = wt), "mdi")
  same <- function(fit) expect_identical(importance(fit, "mdi"), expected)
  same(wald(data = mtcars, formula = mpg ~ ., num.trees = 5, weights = wt))
  same(wald(x = mpg ~ ., data = mtcars, num.trees = 5, weights = wt))
  same(wald(data = mtcars, mpg ~ ., num.trees = 5, weights = wt))
  within <- function(table, heavy) {
    wald(data = table, formula = mpg ~ ., num.trees = 5, weights = heavy)
  }
  same(within(mtcars, "wt"))
  expect_output(print(wald(data = mtcars, formula = mpg ~ wt, num.trees = 5)), "wald(", fixed = TRUE)
  same(wald(formula = mpg ~ ., mtcars, num.trees = 5, weights = wt))
  expect_refusal(wald(data = mtcars, formula = mpg ~ nothing), "\"nothing\"")
  expect_refusal(wald(y = mpg ~ ., data = mtcars), "formula is missing")
  known <- population(Species ~ ., iris[4:5])
  expect_identical(population(data = iris[4:5], formula = Species ~ .), known)
  expect_identical(population(x = Species ~ ., data = iris[4:5]), known)
  known <- masking(mpg ~ wt + hp, mtcars, num.trees = 5)
  expect_identical(masking(data = mtcars, formula = mpg ~ wt + hp, num.trees = 5), known)
  expect_s3_class(conditional_test(data = mtcars, formula = mpg ~ wt + hp, num.trees = 5),
                  "wald_conditional")
})

test_that("the help page of surrogates names all columns", {
  x <- simulate_design("friedman_1", 30)[c("x1", "x2")]
  found <- surrogate(x, x$x1, rows = 100, draws = 2, starts = 1, num.trees = 5)
  page <- paste(as.character(tools::Rd_db("wald")[["surrogate.Rd"]]), collapse = "")
  for (name in names(found)[-(1:2)]) expect_match(page, name, fixed = TRUE)
})

test_that("columns of data come before variables of the same name", {
  data <- data.frame(a = 1:40, b = sqrt(1:40), y = (1:40)^2, w = rep(1:4, 10), k = rep(1:8, 5))
  expected <- wald(y ~ ., data, num.trees = 5, weights = "w", cluster = "k")
  w <- rep(1, 40)
  k <- 5
  found <- wald(y ~ ., data, num.trees = 5, weights = w, cluster = k)
  expect_identical(found$model, expected$model)
  expect_identical(names(found$x), c("a", "b"))
  columns <- c("a", "b", "y")
  elsewhere <- wald(y ~ ., data[columns], num.trees = 5, weights = data$w, cluster = data$k)
  expect_identical(elsewhere$model, expected$model)
})

test_that("constraints are about the second level, whatever the order of levels", {
  set.seed(1)
  data <- data.frame(a = rnorm(120), b = runif(120))
  is_high <- data$a + rnorm(120) > 0
  at <- data.frame(a = seq(-2, 2, length.out = 15), b = 0.5)
  for (levels in list(c("no", "yes"), c("yes", "no"))) {
    data$y <- factor(ifelse(is_high == (levels[2] == "yes"), "yes", "no"), levels)
    fit <- wald(y ~ ., data, num.trees = 20, increasing = "a")
    expect_true(all(diff(predict(fit, at, type = "prob")[, levels[2]]) >= 0))
    falling <- wald(y ~ ., data, num.trees = 20, decreasing = "a")
    expect_true(all(diff(predict(falling, at, type = "prob")[, levels[2]]) <= 0))
    expect_false(identical(falling$model, fit$model))
    expect_error(wald(y ~ ., data, num.trees = 2, increasing = "zz"), "increasing names \"zz\"")
  }
})

test_that("residuals of whole numbers of 64 bits are no whole numbers", {
  skip_if_not_installed("bit64")
  skip_if_not_installed("generics")
  skip_if_not_installed("tibble")
  data <- data.frame(a = 1:60, y = bit64::as.integer64(rep(0:1, each = 30)))
  fit <- wald(y ~ a, data, num.trees = 30)
  expect_identical(generics::augment(fit)$.resid, as.double(data$y) - fit$predictions)
})

test_that("columns of a matrix are weights and clusters, too", {
  expected <- wald(mpg ~ ., mtcars, num.trees = 5, weights = "wt", cluster = "carb")
  found <- wald(mpg ~ ., as.matrix(mtcars), num.trees = 5, weights = "wt", cluster = carb)
  expect_identical(found$model, expected$model)
})

test_that("data that are no object are one error", {
  for (of in list(wald, conditional_test, select_variables, masking)) {
    expect_no_warning(expect_error(of(mpg ~ ., not_there), "object 'not_there' not found"))
  }
})

test_that("a column that was missing throughout takes no level", {
  fit <- wald(mpg ~ ., transform(mtcars, none = NA_character_), num.trees = 5)
  expect_refusal(predict(fit, transform(mtcars, none = "a")), "the level \"a\"",
                 "give missing values, as in training")
})

test_that("subset is refused wherever a formula is given", {
  for (of in list(wald, conditional_test, select_variables, masking)) {
    expect_error(of(mpg ~ ., mtcars, subset = cyl > 4), "has no argument \"subset\"", class = "wald_setting_error")
  }
})

test_that("a formula is known with its columns", {
  data <- data.frame(a = 1:40, `b c` = sqrt(40:1), y = (1:40)^2, check.names = FALSE)
  fit <- wald(y ~ ., data, num.trees = 5)
  expect_identical(names(update(fit, . ~ . - a)$x), "b c")
  expect_identical(update(fit, num.trees = 7)$num.trees, 7L)
  expect_error(formula(wald(data["a"], data$y, num.trees = 2)), "not grown by a formula")
})

test_that("targets that are computed are computed of test rows, too", {
  data <- data.frame(a = 1:40, b = sqrt(40:1), y = (1:40)^2)
  fit <- wald(log(y) ~ a + b, data, num.trees = 10)
  expect_identical(importance(fit, "mda_train_test", test = data),
                   importance(fit, "mda_train_test", test = list(data, log(data$y))))
})

test_that("a target that depends on other rows is not computed of new ones", {
  of <- function(fit, test) importance(fit, "mda_train_test", test = test)
  for (formula in list(scale(mpg) ~ ., factor(mpg > median(mpg)) ~ ., rank(mpg) ~ ., I(mpg - mean(mpg)) ~ .,
                       cut(mpg, 3) ~ .)) {
    fit <- wald(formula, mtcars, num.trees = 5)
    expect_refusal(of(fit, mtcars[1:6, ]), "no column", "list(x, y)")
    expect_s3_class(of(fit, list(mtcars[1:6, ], fit$y[1:6])), "wald_importance")
  }
  for (formula in list(log(mpg) ~ ., factor(mpg > 20) ~ ., cut(mpg, c(0, 20, 40)) ~ .,
                       ifelse(cyl > 4, mpg, 0) ~ .)) {
    fit <- wald(formula, mtcars, num.trees = 5)
    expect_identical(of(fit, mtcars[1:6, ]), of(fit, list(mtcars[1:6, ], fit$y[1:6])))
  }
})

test_that("test rows may be given by names in any order", {
  fit <- wald(mpg ~ ., mtcars, num.trees = 5)
  of <- function(test) importance(fit, "mda_train_test", test = test)
  expect_identical(of(list(y = mtcars$mpg, x = mtcars)), of(list(mtcars, mtcars$mpg)))
})

test_that("a level for missing values is no class", {
  data <- data.frame(a = 1:9, y = addNA(factor(rep(c("u", "v", NA), 3))))
  expect_error(wald(y ~ a, data), "the target \"y\" is missing in 3 of 9 rows", class = "wald_data_error")
  data$y <- addNA(factor(rep(c("u", "v", "w"), 3)))
  expect_identical(colnames(wald(y ~ a, data, num.trees = 5)$predictions), c("u", "v", "w"))
})

test_that("losses of new rows are those of their column", {
  fit <- wald(y ~ ., cells, num.trees = 5)
  expect_identical(explain(fit, cells[1:3, ], "tree_shap_loss"),
                   explain(fit, cells[1:3, names(cells) != "y"], "tree_shap_loss", y = cells$y[1:3]))
  logs <- wald(log(mpg) ~ ., mtcars, num.trees = 5)
  expect_identical(explain(logs, mtcars[1:3, ], "tree_shap_loss"),
                   explain(logs, mtcars[1:3, -1], "tree_shap_loss", y = log(mtcars$mpg[1:3])))
})

test_that("the number of rows of the background is not the background", {
  fit <- wald(mpg ~ ., mtcars, num.trees = 5)
  expect_identical(attr(importance(fit, "sage", background_rows = 10), "found")$sage$settings$background_rows, "10")
  expect_s3_class(explain(fit, mtcars[1:2, ], "tree_shap_interventional", background_rows = 10), "wald_explanation")
})

test_that("curves are drawn of the class that contributions are drawn of", {
  data <- data.frame(a = rep(1:3, 20))
  fit <- wald(data, factor(rep(c("b", "a", "c"), 20), levels = c("c", "b", "a")), num.trees = 5)
  for (measure in c("tree_shap", "pdp")) {
    found <- explain(fit, measure = measure)
    grDevices::pdf(NULL)
    expect_refusal(plot(found, class = "none"), "\"c\", \"b\", \"a\"")
    expect_silent(plot(found))
    grDevices::dev.off()
  }
})

test_that("numbers with a class of a package that is not there are numbers", {
  labelled <- structure(mtcars$cyl, labels = c(four = 4), class = c("haven_labelled", "vctrs_vctr", "double"))
  fit <- wald(mpg ~ ., transform(mtcars, cyl = labelled), num.trees = 5)
  expect_identical(fit$predictions, wald(mpg ~ ., mtcars, num.trees = 5)$predictions)
})
