# Forests of other packages: their own importances and predictions are what is expected.

air <- na.omit(airquality)
air$Month <- factor(month.abb[air$Month])
air$Windy <- air$Wind > 10

test_that("mdi of ranger's forests is ranger's", {
  skip_if_not_installed("ranger")
  for (respect in c("ignore", "partition", "order")) {
    grown <- ranger::ranger(Ozone ~ ., air, num.trees = 30, importance = "impurity",
                            keep.inbag = TRUE, seed = 1, num.threads = 2,
                            respect.unordered.factors = respect)
    fit <- as_wald(grown, air)
    ours <- importance(fit, "mdi")
    expect_equal(stats::setNames(ours$value, ours$variable) * nrow(air), grown$variable.importance,
                 tolerance = 1e-9)
    expect_equal(predict(fit, air), stats::predict(grown, air)$predictions, tolerance = 1e-12)
    expect_equal(fit$predictions, grown$predictions, tolerance = 1e-12)
    expect_equal(fit$prediction.error, grown$prediction.error, tolerance = 1e-12)
  }
  grown <- ranger::ranger(Species ~ ., iris, num.trees = 30, importance = "impurity",
                          keep.inbag = TRUE, probability = TRUE, seed = 1, num.threads = 2)
  ours <- importance(as_wald(grown, iris), "mdi")
  expect_equal(ours$value * 150, unname(grown$variable.importance), tolerance = 1e-9)
})

test_that("importances of wrong classes are ranger's, and half of the usual ones", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(Species ~ ., iris, num.trees = 500, keep.inbag = TRUE, importance = "permutation", seed = 1,
                          num.threads = 1)
  fit <- as_wald(grown, iris)
  wrong <- importance(fit, loss = "zero_one")$value
  # ranger takes one permutation, not all of them.
  expect_equal(wrong, unname(grown$variable.importance), tolerance = 0.05)
  expect_equal(importance(fit)$value, 2 * wrong)
})

test_that("numbers of forests are written with all their digits", {
  expect_identical(wald_numbers(c(0.1, NA, -0, 3e10)), "[0.10000000000000001,null,-0,30000000000]")
  for (numbers in list(c(-1, 0, 12), c(0, 1e9), c(0, NA), c(0.5, 1), numeric(), 7L)) {
    expect_identical(wald_whole(numbers), wald_numbers(numbers))
  }
  expect_identical(wald_rows(rbind(c(0.5, 0.5), NA, 1:0)), "[[0.5,0.5],null,[1,0]]")
  expect_identical(wald_one_hot(c(2, NA, 1), 2), "[[0,1],null,[1,0]]")
  expect_identical(wald_object(c(a = wald_list(character()), b = "1")), "{\"a\":[],\"b\":1}")
})

test_that("mdi of randomForest's forests is randomForest's", {
  skip_if_not_installed("randomForest")
  data <- air
  data$Windy <- factor(data$Windy)
  set.seed(1)
  grown <- randomForest::randomForest(Ozone ~ ., data, ntree = 30, keep.inbag = TRUE)
  fit <- as_wald(grown, data)
  ours <- importance(fit, "mdi")
  theirs <- grown$importance[, "IncNodePurity"]
  expect_equal(stats::setNames(ours$value, ours$variable) * nrow(data), theirs, tolerance = 1e-9)
  expect_equal(unname(predict(fit, data)), unname(stats::predict(grown, data)), tolerance = 1e-12)
  set.seed(1)
  grown <- randomForest::randomForest(iris[-5], iris$Species, ntree = 30, keep.inbag = TRUE)
  ours <- importance(as_wald(grown, iris[-5], iris$Species), "mdi")
  expect_equal(ours$value * 150, unname(grown$importance[, "MeanDecreaseGini"]), tolerance = 1e-9)
})

# An object with the fields of `rfsrc()` that hold a forest, with nodes as its documentation describes:
# there is no such package to grow one here.
rfsrc_object <- function(y, family, tree, words = NULL) {
  x <- data.frame(size = c(1, 2, 3, 4, 5, 6), kind = factor(c("a", "b", "c", "a", "b", "c")))
  inbag <- cbind(c(1, 1, 2, 0, 1, 1), c(0, 2, 1, 1, 1, 1))
  nodes <- data.frame(treeID = c(1, 1, 1, 1, 1, 2, 2, 2), nodeID = c(1, 2, 4, 5, 3, 1, 2, 3), tree)
  forest <- list(nativeArray = nodes, nativeFactorArray = list(words))
  structure(class = c("rfsrc", "grow", family), list(
    family = family, ntree = 2, yvar = y, yvar.names = "y", xvar = x, xvar.names = names(x),
    inbag = inbag, forest = forest))
}

# size <= 4.5, and left of that kind in {a, c}, whose bits are 1 + 4; then kind in {b}.
rfsrc_nodes <- data.frame(parmID = c(1, 2, 0, 0, 0, 2, 0, 0),
                          contPT = c(4.5, NA, NA, NA, NA, NA, NA, NA),
                          mwcpSZ = c(0, 1, 0, 0, 0, 1, 0, 0))

test_that("forests with the fields of randomForestSRC's are taken over", {
  y <- c(1, 2, 3, 5, 8, 13)
  grown <- rfsrc_object(y, "regr", rfsrc_nodes, c(5L, 2L))
  fit <- as_wald(grown)
  # Means of the draws in each leaf: (1 + 3 + 3) / 3, 2, (8 + 13) / 2, and (2 + 2 + 8) / 3 against
  # (3 + 5 + 13) / 3.
  first <- c(7 / 3, 2, 7 / 3, 7 / 3, 10.5, 10.5)
  second <- c(7, 4, 7, 7, 4, 7)
  expect_equal(predict(fit, grown$xvar), (first + second) / 2, tolerance = 1e-12)
  # Of the two trees, the sums of squares that their splits take away, over their draws.
  within <- function(values) sum((values - mean(values))^2)
  of_size <- within(c(1, 2, 3, 3, 8, 13)) - within(c(1, 2, 3, 3)) - within(c(8, 13))
  of_kind <- within(c(1, 2, 3, 3)) - within(c(1, 3, 3))
  again <- within(c(2, 2, 3, 5, 8, 13)) - within(c(2, 2, 8)) - within(c(3, 5, 13))
  found <- importance(fit, "mdi")
  expect_equal(found$value[match(c("size", "kind"), found$variable)],
               c(of_size, of_kind + again) / 12, tolerance = 1e-9)
  expect_output(print(fit), "randomForestSRC")
  classes <- factor(c("no", "no", "yes", "yes", "no", "yes"))
  fit <- as_wald(rfsrc_object(classes, "class", rfsrc_nodes, c(5L, 2L)))
  share <- (c(2 / 3, 0, 2 / 3, 2 / 3, 1 / 2, 1 / 2) + c(1, 0, 1, 1, 0, 1)) / 2
  expect_equal(unname(predict(fit, grown$xvar, type = "prob")[, "yes"]), share, tolerance = 1e-12)
})

test_that("sets of more than 32 levels are taken over", {
  x <- data.frame(kind = factor(sprintf("k%02d", 1:40)))
  nodes <- data.frame(treeID = 1, nodeID = 1:3, parmID = c(1, 0, 0), contPT = NA, mwcpSZ = c(2, 0, 0))
  y <- as.numeric(1:40)
  expect_left <- function(words, left) {
    grown <- structure(class = c("rfsrc", "grow", "regr"), list(
      family = "regr", ntree = 1, yvar = y, yvar.names = "y", xvar = x, xvar.names = "kind",
      inbag = matrix(1, 40, 1), forest = list(nativeArray = nodes, nativeFactorArray = list(words))))
    expect_equal(predict(as_wald(grown), x), ifelse(1:40 %in% left, mean(left), mean(y[-left])),
                 tolerance = 1e-12)
  }
  # Bits 1 and 32 of the first word, 1 and 8 of the second.
  expect_left(c(-.Machine$integer.max, 129L), c(1, 32, 33, 40))
  # Bit 32 alone, whose word is R's NA.
  expect_left(c(NA_integer_, 0L), 32)
})

test_that("out-of-bag predictions are compared with those that a forest came with", {
  grown <- rfsrc_object(c(1, 2, 3, 5, 8, 13), "regr", rfsrc_nodes, c(5L, 2L))
  # Row 4 is out of the first bag and row 1 out of the second.
  grown$predicted.oob <- c(7, NaN, NaN, 7 / 3, NaN, NaN)
  expect_s3_class(as_wald(grown), "wald")
  grown$predicted.oob[1] <- 7.01
  expect_error(as_wald(grown), "other values", class = "wald_data_error")
})

test_that("forests of randomForestSRC that lack what is needed are refused", {
  grown <- rfsrc_object(1:6, "regr", rfsrc_nodes, c(5L, 2L))
  refused <- function(changed, words) {
    expect_error(as_wald(changed), words, class = "wald_data_error")
  }
  refused(replace(grown, "inbag", list(NULL)), "membership = TRUE")
  refused(replace(grown, "family", "surv"), "surv")
  refused(replace(grown, "forest", list(NULL)), "forest = TRUE")
  grown$xvar$size[2] <- NA
  refused(grown, "missing values")
})

test_that("party's forests predict as party does", {
  skip_if_not_installed("party")
  set.seed(1)
  control <- party::cforest_unbiased(ntree = 10, mtry = 2)
  grown <- party::cforest(Ozone ~ ., air[c("Ozone", "Wind", "Temp", "Month")], controls = control)
  fit <- as_wald(grown)
  expect_equal(predict(fit, air), as.vector(stats::predict(grown, newdata = air)), tolerance = 1e-9)
  found <- importance(fit, "mda_breiman_cutler")
  expect_identical(found$variable[which.max(found$value)], "Temp")
})

test_that("partykit's forests predict as partykit does", {
  skip_if_not_installed("partykit")
  # Of more than two levels, some are in no row of a node, and partykit draws their sides.
  data <- transform(mtcars, vs = factor(vs), wt = cut(wt, 4, ordered_result = TRUE))
  set.seed(1)
  grown <- partykit::cforest(mpg ~ hp + wt + vs, data, ntree = 20, mtry = 2)
  fit <- as_wald(grown)
  expect_equal(predict(fit, data), unname(stats::predict(grown, newdata = data)), tolerance = 1e-12)
  expect_equal(fit$predictions, unname(stats::predict(grown, OOB = TRUE)), tolerance = 1e-12)
  found <- importance(fit, "sobol_mda")
  expect_true(found$variable[which.max(found$value)] %in% c("wt", "hp"))
  classes <- partykit::cforest(Species ~ ., iris, ntree = 10, mtry = 2)
  expect_equal(unname(predict(as_wald(classes), iris, type = "prob")),
               unname(stats::predict(classes, newdata = iris, type = "prob")), tolerance = 1e-12)
  data$hp[3] <- NA
  missing <- partykit::cforest(mpg ~ hp + wt, data, ntree = 2, na.action = stats::na.pass)
  expect_error(as_wald(missing), "missing values", class = "wald_data_error")
})

test_that("a forest of another package can be measured, stored and explained, not grown again", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(Species ~ ., iris, num.trees = 10, keep.inbag = TRUE, seed = 1,
                          num.threads = 2)
  fit <- as_wald(grown, iris)
  expect_output(print(fit), "ranger")
  path <- tempfile()
  saveRDS(fit, path)
  expect_identical(importance(readRDS(path)), importance(fit))
  expect_identical(dim(explain(fit, iris[1:4, ])), c(4L, 4L, 3L))
  expect_refusal(uncertainty(fit, "mdi"))
  expect_refusal(select_variables(fit), "ranger")
})

test_that("forests that lack what is needed are refused", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, num.threads = 2)
  expect_error(as_wald(grown, mtcars), "keep.inbag", class = "wald_data_error")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, num.threads = 2, keep.inbag = TRUE)
  expect_refusal(as_wald(grown, mtcars[-2]), "\"cyl\"")
  expect_refusal(as_wald(grown, mtcars[-1]), "no target")
  # Other rows than those of training have other means in the nodes.
  expect_error(as_wald(grown, mtcars[32:1, ]), class = "wald_forest_file_error")
  expect_refusal(as_wald(lm(mpg ~ ., mtcars)), "ranger")
})

# The mtry in the document of a forest; NULL where there is none.
mtry_of <- function(document) {
  found <- regmatches(document, regexpr("\"mtry\":[^,}]*", document))
  if (length(found) > 0) as.numeric(sub(".*:", "", found))
}

test_that("forests state the mtry with which they were grown", {
  inputs <- mtcars[c("mpg", "wt", "hp", "qsec", "disp")]
  if (requireNamespace("ranger", quietly = TRUE)) {
    grow <- function(mtry = NULL, always = NULL) {
      arguments <- list(mpg ~ ., inputs, num.trees = 3, keep.inbag = TRUE, num.threads = 1, mtry = mtry)
      if (!is.null(always)) arguments$always.split.variables <- always
      mtry_of(wald_from_ranger(do.call(ranger::ranger, arguments), inputs))
    }
    expect_equal(grow(3), 3)
    expect_equal(grow(), 2)
    # Further variables are tried with these, or may be.
    expect_null(grow(1, "wt"))
    hidden <- function(...) ranger::ranger(mpg ~ ., inputs, num.trees = 3, keep.inbag = TRUE, ...)
    expect_null(mtry_of(wald_from_ranger(hidden(num.threads = 1), inputs)))
  }
  if (requireNamespace("randomForest", quietly = TRUE)) {
    grow <- function(mtry) randomForest::randomForest(mpg ~ ., inputs, ntree = 3, keep.inbag = TRUE, mtry = mtry)
    expect_equal(mtry_of(wald_from_randomforest(grow(3), inputs)), 3)
    # Of the first one, and others may have another.
    expect_null(mtry_of(wald_from_randomforest(randomForest::combine(grow(3), grow(1)), inputs)))
  }
  if (requireNamespace("party", quietly = TRUE)) {
    grow <- function(mtry) {
      control <- party::cforest_unbiased(ntree = 2, mtry = mtry)
      mtry_of(wald_from_party(party::cforest(mpg ~ ., inputs, controls = control)))
    }
    expect_equal(grow(3), 3)
    expect_equal(grow(0), 4)
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    grow <- function(mtry) mtry_of(wald_from_partykit(partykit::cforest(mpg ~ ., inputs, ntree = 2, mtry = mtry)))
    expect_equal(grow(3), 3)
    expect_equal(grow(Inf), 4)
  }
})

test_that("notes of masking state the mtry of the forest, also after it was stored", {
  skip_if_not_installed("ranger")
  set.seed(5)
  data <- as.data.frame(matrix(rnorm(3600), 600))
  data$V2 <- 0.9 * data$V1 + sqrt(0.19) * data$V2
  data$y <- 2 * data$V1 + data$V3 + rnorm(600) / 2
  grown <- ranger::ranger(y ~ ., data, num.trees = 150, mtry = 6, keep.inbag = TRUE, seed = 1, num.threads = 2)
  fit <- as_wald(grown, data)
  again <- unserialize(serialize(fit, NULL))
  for (forest in list(fit, again)) {
    note <- tryCatch(importance(forest, "sobol_mda"), wald_masking_warning = conditionMessage)
    expect_match(note, "with mtry 6 of 6,", fixed = TRUE)
    expect_match(note, "grow one with wald and use total_sobol_regrow", fixed = TRUE)
  }
})

test_that("factors with a level for missing values go by files, too", {
  skip_if_not_installed("ranger")
  set.seed(1)
  data <- data.frame(kind = addNA(factor(sample(c("u", "v", NA), 60, TRUE))), a = rnorm(60))
  data$y <- is.na(as.character(data$kind)) + rnorm(60)
  grown <- ranger::ranger(y ~ ., data, num.trees = 5, keep.inbag = TRUE, num.threads = 1)
  expect_match(wald_from_ranger(grown, data), "<NA>", fixed = TRUE)
  path <- tempfile(fileext = ".csv")
  wald_table(data, path)
  cells <- utils::read.csv(path, na.strings = "", stringsAsFactors = FALSE)
  expect_identical(cells$kind, ifelse(is.na(as.character(data$kind)), "<NA>", as.character(data$kind)))
  expect_identical(cells$a, data$a)
})
