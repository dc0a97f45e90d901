# Methods of generics of stats and of broom.

fit <- wald(y ~ ., cells, num.trees = 20)
classes <- wald(Species ~ ., iris, num.trees = 20)

test_that("fitted values and residuals are those of out-of-bag predictions", {
  expect_identical(fitted(fit), predict(fit))
  expect_identical(residuals(fit), cells$y - predict(fit))
  expect_equal(mean(resid(fit)^2), fit$prediction.error)
  expect_identical(residuals(fit, type = "response"), residuals(fit))
  error <- expect_refusal(residuals(fit, type = "pearson"), "type is \"pearson\"", "\"response\"")
  expect_identical(error$setting, "type")
  expect_refusal(residuals(fit, "deviance"), "type is \"deviance\"")
  few <- wald(y ~ ., cells, num.trees = 1)
  expect_true(anyNA(residuals(few)))
  expect_identical(is.na(residuals(few)), is.na(predict(few)))
  expect_identical(fitted(classes), predict(classes))
  error <- expect_refusal(residuals(classes), "\"Species\" is a class", "confusion matrix")
  expect_identical(error$column, "Species")
  logs <- wald(log(mpg) ~ ., mtcars, num.trees = 20)
  expect_identical(residuals(logs), log(mtcars$mpg) - fitted(logs))
  expect_refusal(fitted(fit, newdata = cells), "newdata")
})

test_that("a forest has rows, a formula and no coefficients", {
  expect_identical(nobs(fit), 60L)
  expect_identical(attr(terms(fit), "term.labels"), setdiff(names(cells), "y"))
  expect_refusal(coef(fit), "no coefficients", "importance()")
  for (of in list(fit, classes)) expect_refusal(deviance(of), "no deviance", "prediction.error")
  expect_identical(variable.names(classes), names(iris)[1:4])
  expect_identical(labels(fit), labels(terms(fit)))
  expect_identical(labels(read_wald(write_wald(fit, tempfile()))), labels(fit))
  expect_refusal(terms(wald(mtcars[-1], mtcars$mpg, num.trees = 2)), "not grown by a formula")
  alone <- read_wald(write_wald(fit, tempfile()))
  for (of in list(fitted, residuals, nobs, model.frame)) expect_refusal(of(alone), "without its training data")
})

test_that("a forest without bags has no out-of-bag predictions", {
  path <- write_wald(fit, tempfile(), "json")
  lines <- gsub("\"in_bag\":\\[[^]]*\\],?", "", readLines(path, warn = FALSE))
  writeLines(gsub(",}", "}", lines, fixed = TRUE), path)
  without <- read_wald(path, cells[names(fit$levels)], cells$y)
  for (of in list(fitted, residuals)) expect_refusal(of(without), "does not name the rows", "newdata")
  expect_identical(nobs(without), 60L)
})

test_that("forests are grown again by their call, where it is known", {
  expect_identical(update(fit, num.trees = 10)$num.trees, 10L)
  expect_identical(names(update(fit, . ~ . - x1, num.trees = 2)$levels), setdiff(names(cells), c("y", "x1")))
  expect_refusal(update(read_wald(write_wald(fit, tempfile()))), "does not hold the call", "wald()")
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 2, keep.inbag = TRUE, num.threads = 2)
  expect_refusal(update(as_wald(grown, mtcars), num.trees = 5), "forest of ranger", "update that forest")
})

test_that("no column is there twice, nor in the place of another", {
  frame <- function(...) names(model.frame(wald(mpg ~ wt, mtcars, num.trees = 2, ...)))
  expect_identical(frame(weights = mpg), c("mpg", "wt"))
  expect_identical(frame(weights = cyl, cluster = cyl), c("mpg", "wt", "cyl"))
  skip_if_not_installed("generics")
  data <- data.frame(.rownames = 1:32, mpg = mtcars$mpg, .fitted = mtcars$wt, row.names = rownames(mtcars))
  error <- expect_refusal(generics::augment(wald(mpg ~ ., data, num.trees = 2), data), ".fitted", "another name")
  expect_identical(error$column, ".fitted")
  found <- generics::augment(wald(mpg ~ .rownames, data, num.trees = 20), data)
  expect_identical(names(found), c(names(data), ".resid"))
})

test_that("the frame of a forest has its target, inputs, weights and clusters", {
  expect_identical(model.frame(fit), cells[c("y", setdiff(names(cells), "y"))])
  data <- transform(cells, heavy = 1:60, patient = factor(rep(letters[1:20], 3)))
  expect_identical(model.frame(wald(y ~ ., data, num.trees = 2, weights = heavy, cluster = patient)),
                   transform(data[c("y", setdiff(names(data), "y"))], heavy = as.double(heavy)))
  expect_identical(names(model.frame(wald(log(y) ~ x2, cells, num.trees = 2, weights = 1:60))),
                   c("log(y)", "x2", "(weights)"))
  # A column may be weights and an input.
  expect_identical(names(model.frame(wald(y ~ x2, cells, num.trees = 2, weights = "x2"))), c("y", "x2"))
})

test_that("augmented rows have the target", {
  skip_if_not_installed("generics")
  skip_if_not_installed("tibble")
  found <- generics::augment(fit)
  expect_identical(as.data.frame(found), cbind(model.frame(fit), .fitted = fitted(fit), .resid = residuals(fit)))
  expect_identical(names(generics::augment(classes)), c("Species", names(iris)[1:4], ".fitted"))
  new <- generics::augment(fit, newdata = cells[1:5, ])
  expect_identical(new$.resid, cells$y[1:5] - predict(fit, cells[1:5, ]))
  expect_null(generics::augment(fit, newdata = cells[1:5, names(cells) != "y"])[[".resid"]])
  expect_refusal(generics::augment(fit, newdata = transform(cells, y = "a")), "the target of newdata is not that")
  logs <- wald(log(mpg) ~ ., mtcars, num.trees = 2)
  again <- generics::augment(logs, newdata = mtcars)
  expect_identical(again$.resid, log(mtcars$mpg) - predict(logs, mtcars))
  expect_identical(again$.rownames, rownames(mtcars))
  expect_identical(generics::augment(logs)$.rownames, rownames(mtcars))
  expect_identical(rownames(model.frame(logs)), rownames(mtcars))
  expect_identical(rownames(explain(logs, measure = "tree_shap")), rownames(mtcars))
  # All kinds of tables, with and without the data.
  plain <- as.matrix(mtcars[-1])
  by_columns <- wald(plain, mtcars$mpg, num.trees = 2)
  expect_identical(generics::augment(by_columns)$.rownames, rownames(mtcars))
  inputs <- names(mtcars)[-1]
  expect_identical(generics::augment(by_columns)[inputs], generics::augment(by_columns, plain)[inputs])
  part <- iris[c(51:100, 1:50), ]
  of_part <- wald(Sepal.Length ~ ., part, num.trees = 2)
  expect_identical(generics::augment(of_part)$.rownames, rownames(part))
  expect_null(generics::augment(fit)[[".rownames"]])
  expect_null(generics::augment(wald(y ~ ., cells[1:60, ], num.trees = 2))[[".rownames"]])
})
