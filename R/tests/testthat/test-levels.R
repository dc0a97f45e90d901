# Missing values that are a level of their own.

set.seed(1)
coded <- factor(sample(c("u", "v", NA), 60, replace = TRUE), levels = c("u", "v"))
data <- data.frame(kind = addNA(coded), a = rnorm(60))
data$y <- ifelse(is.na(coded), 5, 0) + rnorm(60, sd = 0.1)
new <- data.frame(kind = factor(c("u", NA, "v"), levels = c("u", "v")), a = 0)
with_level <- transform(new, kind = addNA(kind))

test_that("new rows may have missing values as a level or as none, whatever the training data had", {
  fit <- wald(y ~ ., data, num.trees = 20)
  expected <- predict(fit, with_level)
  expect_gt(expected[2], 4)
  expect_identical(predict(fit, new), expected)
  expect_identical(predict(fit, transform(new, kind = as.character(kind))), expected)
  expect_identical(predict(fit, transform(new, kind = NA))[2], expected[2])
  expect_identical(explain(fit, new), explain(fit, with_level))
  alone <- read_wald(write_wald(fit, tempfile()))
  expect_identical(predict(alone, new), expected)
  plain <- wald(y ~ ., transform(data, kind = coded), num.trees = 20)
  expect_identical(predict(plain, with_level), predict(plain, new))
  expect_gt(predict(plain, new)[2], 4)
  expect_refusal(predict(fit, transform(new, kind = c("u", NA, "w"))), "the level \"w\"")
  # A column in which nothing is missing has no such level, and all of its missing values have it.
  full <- wald(y ~ ., transform(data, kind = addNA(replace(coded, is.na(coded), "u"))), num.trees = 5)
  expect_identical(full$levels$kind, c("u", "v"))
  both <- data
  both$kind[2:4] <- "u"
  is.na(both$kind) <- 2:4
  again <- transform(both, kind = addNA(factor(as.character(kind))))
  expect_identical(wald(y ~ ., both, num.trees = 5)$predictions, wald(y ~ ., again, num.trees = 5)$predictions)
})

test_that("a level \"NA\" and a level for missing values are two levels", {
  namibia <- transform(data, kind = addNA(factor(ifelse(coded == "u", "NA", "v"))))
  fit <- wald(y ~ ., namibia, num.trees = 20)
  expect_identical(fit$levels$kind, c("<NA>", "NA", "v"))
  found <- predict(fit, data.frame(kind = c("NA", NA, "v"), a = 0))
  expect_lt(found[1], 1)
  expect_gt(found[2], 4)
})

test_that("a level for missing values is taken over from other packages", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(y ~ ., data, num.trees = 10, keep.inbag = TRUE, num.threads = 1, seed = 1)
  fit <- as_wald(grown, data)
  expect_equal(predict(fit, new), predict(grown, with_level)$predictions)
})

test_that("a text <NA> is not a missing value", {
  data <- data.frame(f = rep(c("<NA>", "u", NA), 20), y = rep(1:3, 20))
  fit <- wald(y ~ f, data, num.trees = 40)
  expect_equal(predict(fit, data[1:2, ]), 1:2, tolerance = 1e-9)
})

test_that("numbers of a population that differ in their last digits are different", {
  points <- data.frame(x = c(0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2), y = c("0", "1", "1", "0"))
  expect_equal(population(y ~ x, points)$importance, 1)
})

test_that("a text that is called as the level of missing values is another one", {
  set.seed(1)
  kind <- sample(c("<NA>", "a", "b", NA), 80, TRUE)
  table <- data.frame(x = rnorm(80), kind, y = 5 * (kind %in% "<NA>") - 5 * is.na(kind))
  fit <- wald(y ~ ., table, num.trees = 20)
  found <- predict(fit, table)
  expect_lt(max(found[is.na(kind)]), -2)
  expect_gt(min(found[kind %in% "<NA>"]), 2)
})

test_that("levels are numbers where a file has numbers", {
  of <- function(levels) wald(y ~ ., data.frame(kind = rep(levels, 20), y = 1:60), num.trees = 2)$levels$kind
  expect_identical(of(c("10", "9", "-2.5")), c("-2.5", "9", "10"))
  expect_identical(of(c("0x10", "9", "2")), c("0x10", "2", "9"))
  expect_identical(of(c(" 3", "9", "10")), c(" 3", "10", "9"))
})

test_that("classes and levels may be empty texts", {
  set.seed(4)
  blank <- data.frame(a = rnorm(60), kind = sample(c("", "b"), 60, TRUE, c(0.9, 0.1)))
  blank$y <- factor(ifelse(blank$a > 0, "", "z"))
  fit <- wald(y ~ ., blank, num.trees = 20)
  expect_identical(colnames(fit$predictions), c("", "z"))
  expect_identical(dimnames(fit$confusion)$true, c("", "z"))
  expect_identical(sum(fit$confusion), 60)
  local <- explain(fit, blank[1:3, ], "tree_shap")
  expect_identical(dimnames(local)[[3]], c("", "z"))
  expect_identical(names(attr(local, "expected_value")), c("", "z"))
  expect_identical(levels(predict(fit, blank)), c("", "z"))
  # The class of an empty text is no missing value.
  expect_identical(predict(fit, blank), blank$y)
  expect_identical(sort(unique(interactions(fit, min_size = 1, resamples = 0)$class)), c("", "z"))
  of_class <- importance(fit, "mda_breiman_cutler", per_class = TRUE)
  expect_named(attr(of_class, "found")[[1]]$per_class, c("", "z"))
  printed <- utils::capture.output(print(of_class))
  expect_match(printed[2], " class \"\" +z$")
  expect_no_match(printed[3:4], "NA")
  found <- prototypes(fit)
  expect_identical(unique(found$class), c("", "z"))
  expect_identical(found$level[found$variable == "kind"], c("", ""))
  expect_true(all(is.na(found$level[found$variable == "a"])))
})
