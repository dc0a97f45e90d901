# Whichever way a formula names the target, it is no input.

name <- "y"
data <- data.frame(y = sqrt(1:40), a = rep(1:4, 10), b = cos(1:40), y0 = sin(1:40))
inputs <- function(formula, ...) names(wald(formula, data, num.trees = 2, ...)$x)

test_that("a target that the left side reads is no input", {
  others <- c("a", "b", "y0")
  for (formula in list(y ~ ., `y` ~ ., (y) ~ ., I(y) ~ ., log(y) ~ ., -y ~ ., factor(y > 3) ~ ., cbind(y) ~ .,
                       data$y ~ ., data[["y"]] ~ ., data[["y", exact = TRUE]] ~ ., data[, "y"] ~ ., data[, 1] ~ .,
                       data[[1]] ~ ., data[[name]] ~ ., log(data[[name]]) ~ ., as.matrix(data)[, "y"] ~ .,
                       data[, "y", drop = TRUE] ~ ., data["y"] ~ ., with(data, y) ~ ., get("y") ~ ., get(name) ~ .,
                       eval(parse(text = "y")) ~ ., eval(as.name(name)) ~ ., subset(data, select = y) ~ .,
                       list2env(data)[["y"]] ~ ., y ~ . - y, y ~ -1 + ., y ~ 0 + .)) {
    expect_identical(inputs(formula), others, info = deparse1(formula))
  }
  expect_identical(inputs(y - y0 ~ .), c("a", "b"))
})

test_that("what a function takes out of a table is refused", {
  expect_refusal(inputs(getElement(data, "y") ~ .), "which column of data", "getElement(data, \"y\")",
                 "name the column")
  outputs <- list(first = data$y)
  rest <- data[-1]
  for (formula in list(data$y ~ ., data[["y"]] ~ ., data[, 1] ~ ., log(data$y) ~ .)) {
    expect_identical(names(wald(formula, rest, num.trees = 2)$x), names(rest))
  }
  expect_warning(expect_identical(inputs(getElement(outputs, "first") ~ .), names(data)), class = "wald_target_warning")
})

test_that("a target on both sides is refused", {
  for (formula in list(y ~ . + y, y ~ y, y ~ a + y, log(y) ~ a + y, data$y ~ a + y, data[["y"]] ~ a + y,
                       cbind(y) ~ y + a, get("y") ~ y + a)) {
    error <- expect_refusal(inputs(formula), "names the column \"y\", which is also an input", "leave it out")
    expect_identical(error$column, "y")
  }
  # A change may be explained by where it began.
  expect_identical(inputs(y - y0 ~ y0 + a), c("y0", "a"))
})

test_that("other columns stay", {
  # A vector of the workspace, whatever columns it equals.
  elsewhere <- data$y
  expect_warning(expect_identical(inputs(elsewhere ~ .), names(data)), class = "wald_target_warning")
  expect_identical(inputs(log(elsewhere) ~ .), names(data))
  for (elsewhere in list(as.character(data$a), data$a > 2, factor(data$a))) {
    expect_identical(inputs(elsewhere ~ .), names(data))
  }
  expect_refusal(inputs(mean ~ .), "no column \"mean\"")
  # Functions are no columns, nor are words that are no places of a table.
  data$log <- data$b
  data$low <- data$a
  within <- function(formula) names(wald(formula, data, num.trees = 2)$x)
  expect_identical(within(log(y) ~ .), c("a", "b", "y0", "log", "low"))
  expect_identical(within(ifelse(y > 3, "high", "low") ~ .), c("a", "b", "y0", "log", "low"))
})

test_that("a target among the inputs is noticed", {
  warning <- expect_warning(wald(iris, iris$Species, num.trees = 2), class = "wald_target_warning")
  expect_match(conditionMessage(warning), "\"Species\" of x equals the target", fixed = TRUE)
  expect_warning(wald(data, data["y"], num.trees = 2), "\"y\"")
  expect_warning(wald(iris, as.character(iris$Species), num.trees = 2), "\"Species\"")
  # A copy of the target under another name leaves the column among the inputs.
  copy <- iris$Species
  warning <- expect_warning(wald(copy ~ ., iris, num.trees = 2), class = "wald_target_warning")
  expect_match(conditionMessage(warning), "\"Species\" of data equals the target", fixed = TRUE)
  expect_warning(masking(copy ~ ., iris, mtry = 1, num.trees = 2), class = "wald_target_warning")
  expect_no_warning(wald(iris[-5], iris$Species, num.trees = 2))
  expect_no_warning(wald(Species ~ ., iris, num.trees = 2))
  expect_no_warning(wald(data.frame(a = rep(1, 5)), rep(1, 5), num.trees = 2))
})

test_that("columns that are left out too early are refused", {
  error <- expect_refusal(inputs(y ~ -a + .), "leaves out a before anything is there", ". - a")
  expect_identical(error$column, "a")
  expect_refusal(inputs(y ~ -a - b), "leaves out a")
  expect_identical(inputs(y ~ . - a), c("b", "y0"))
  expect_identical(inputs(y ~ . - 1 - a), c("b", "y0"))
})
