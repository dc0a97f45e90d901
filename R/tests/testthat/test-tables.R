# Parts of tables, and importances beside those of other packages.

fit <- wald(mpg ~ ., mtcars, num.trees = 20)

test_that("parts of importances print, and keep what was found", {
  found <- importance(fit, c("mdi", "minimal_depth"))
  expect_output(print(found[, c("variable", "value")]), "value")
  expect_output(print(found["value"]), "value")
  expect_identical(class(found[, -1]), "data.frame")
  expect_type(found[, "value"], "double")
  expect_identical(found[["value"]], found$value)
  depth <- found[found$measure == "minimal_depth", ]
  expect_identical(attr(depth, "found"), attr(found, "found"))
  # By depth small values are important: the first line has the smallest one.
  lines <- capture.output(print(depth[c("measure", "variable", "value")]))
  expect_match(lines[3], depth$variable[which.min(depth$value)])
  expect_s3_class(utils::head(found, 3), "wald_importance")
  expect_identical(nrow(found[1:2, ]), 2L)
  skip_if_not_installed("generics")
  tidied <- generics::tidy(found[1:2, c("measure", "variable", "value")])
  expect_identical(tidied$estimate, found$value[1:2])
  expect_identical(tidied$std.error, c(NA_real_, NA_real_))
})

test_that("parts of other tables print", {
  found <- uncertainty(fit, "mdi", subsamples = 5)
  expect_output(print(found[1:2, c("variable", "value")]), "value")
  expect_output(print(found[1:3, ]), "intervals of 90 %")
  near <- proximities(fit)
  expect_output(print(near["weight"]), "weight")
  expect_identical(dim(as.matrix(near[1:5, ])), c(32L, 32L))
  data <- expand.grid(a = c("0", "1"), b = c("0", "1"))
  known <- population(data, ifelse(data$a == data$b, "0", "1"))
  expect_output(print(known[1, ]), "importances in a population")
  expect_output(print(known["importance"]), "importance")
})

test_that("uncertainties, comparisons and tests have the columns of broom", {
  skip_if_not_installed("generics")
  usual <- c("term", "estimate", "std.error", "conf.low", "conf.high", "p.value")
  expect_tidy <- function(found, estimate, names) {
    tidied <- generics::tidy(found)
    expect_identical(names(tidied), names)
    theirs <- c(estimate, "standard_error", "low", "high", "p_value", "adjusted_p_value")
    expect_identical(tidied$term, found$variable)
    for (at in which(theirs %in% names(found))) {
      expect_identical(tidied[[c(usual[-1], "adj.p.value")[at]]], found[[theirs[at]]])
    }
    tidied
  }
  tidied <- expect_tidy(uncertainty(fit, c("mdi", "split_count"), subsamples = 5), "value", c("measure", usual))
  expect_identical(unique(tidied$measure), c("mdi", "split_count"))
  expect_true(all(is.na(tidied$p.value)))
  expect_tidy(uncertainty(fit, "mdi", subsamples = 5, null_distribution = "shadow", null_forests = 5), "value",
              c("measure", usual, "adj.p.value"))
  expect_tidy(compare(fit, wald(mpg ~ ., mtcars, num.trees = 20, mtry = 1), "mdi", subsamples = 5), "difference",
              c("measure", usual, "adj.p.value"))
  expect_tidy(conditional_test(fit, folds = 2, draws = 2)[1:3, ], "value", c(usual, "adj.p.value"))
})

test_that("importances of ranger and randomForest are theirs", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, importance = "impurity", num.threads = 2)
  expect_identical(importance(grown), grown$variable.importance)
  skip_if_not_installed("randomForest")
  grown <- randomForest::randomForest(mpg ~ ., mtcars, ntree = 5)
  expect_identical(importance(grown), grown$importance)
})

test_that("arguments with which importances are others are named by a warning", {
  skip_if_not_installed("ranger")
  warned <- function(words, ...) {
    grown <- do.call(ranger::ranger, list(..., num.trees = 5, keep.inbag = TRUE, num.threads = 1))
    expect_warning(as_wald(grown, list(...)[[2]]), words, class = "wald_taken_over_warning")
  }
  warned("class.weights", Species ~ ., iris, class.weights = c(1, 5, 1))
  warned("maxstat", mpg ~ ., mtcars, splitrule = "maxstat")
  warned("regularization.factor", mpg ~ ., mtcars, regularization.factor = 0.5)
  plain <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, keep.inbag = TRUE, num.threads = 2)
  expect_no_warning(as_wald(plain, mtcars))
  skip_if_not_installed("randomForest")
  warned <- function(words, data, ...) {
    grown <- randomForest::randomForest(..., data = data, ntree = 30, keep.inbag = TRUE)
    expect_warning(as_wald(grown, data), words, class = "wald_taken_over_warning")
  }
  warned("classwt", iris, Species ~ ., classwt = c(1, 5, 1))
  warned("corr.bias", mtcars, mpg ~ ., corr.bias = TRUE)
  warned("cutoff", iris, Species ~ ., cutoff = c(0.2, 0.5, 0.3))
})

test_that("values of masking stand beside their own variables in any order of lines", {
  found <- masking(fit, mtry = c(1, 3))
  value_of <- function(mtry, variable) found$value[found$mtry == mtry & found$variable == variable]
  expect_right <- function(part) {
    table <- masking_table(part)
    expect_identical(colnames(table), as.character(sort(unique(part$mtry))))
    for (variable in rownames(table)) {
      for (mtry in colnames(table)) {
        is_there <- any(part$variable == variable & part$mtry == as.numeric(mtry))
        expected <- if (is_there) value_of(as.numeric(mtry), variable) else NA_real_
        expect_identical(table[[variable, mtry]], expected)
      }
    }
    # As printed: the line of a variable begins with its first value.
    lines <- utils::capture.output(print(part, digits = 7))
    line <- grep("^wt ", lines, value = TRUE)
    first <- as.numeric(strsplit(line, " +")[[1]][2])
    expect_equal(first, value_of(min(part$mtry), "wt"), tolerance = 1e-5)
  }
  expect_right(found)
  expect_right(found[rev(seq_len(nrow(found))), ])
  expect_right(found[order(-found$value), ])
  expect_right(found[found$variable %in% c("wt", "hp"), ])
  expect_right(found[-which(found$mtry == 1 & found$variable == "hp"), ])
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found[-which(found$mtry == 3 & found$variable == "hp"), ]))
  expect_refusal(plot(found[0, ]), "no importances")
  expect_output(print(found[0, ]), "mdi")
})

test_that("parts of tests, curves, prototypes and masking keep class and meaning", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  found <- conditional_test(fit, folds = 2, draws = 2)
  part <- found[found$variable %in% c("wt", "hp"), ]
  expect_s3_class(part, "wald_conditional")
  expect_output(print(part), "intervals of 90 %")
  expect_silent(plot(part))
  expect_identical(class(found[c("variable", "value")]), "data.frame")
  expect_type(found[, "value"], "double")
  part <- masking(fit, mtry = c(1, 3))[1:4, ]
  expect_output(print(part), "mdi (squared mpg) by mtry|mdi .* by mtry")
  classes <- wald(Species ~ ., iris, num.trees = 10)
  middle <- prototypes(classes)
  part <- middle[middle$class == "virginica", ]
  expect_s3_class(part, "wald_prototypes")
  expect_output(print(part), "^virginica: [0-9]+ neighbours of row")
  expect_output(print(middle[, c("class", "row", "neighbours", "variable", "median")]), "median")
  curves <- explain(classes, iris[c(1, 51), ], "ice", grid = 3)
  part <- curves[curves$class == "setosa" & curves$row == 1, ]
  expect_s3_class(part, "wald_curves")
  expect_silent(plot(part))
  # Without what tells rows and classes apart, lines of several would be taken for one.
  expect_identical(class(curves[c("variable", "at", "value")]), "data.frame")
})

test_that("parts without lines print, and are no pictures", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  pairs <- expand.grid(a = c("0", "1"), b = c("0", "1"))
  tables <- list(
    importance(fit, "mdi"), uncertainty(fit, "mdi", subsamples = 5), compare(fit, fit, "mdi", subsamples = 5),
    conditional_test(fit, folds = 2, draws = 2), masking(fit, mtry = c(1, 3)),
    population(pairs, c(1, 2, 3, 5)), explain(fit, mtcars[1:2, ], "pdp", grid = 3))
  for (one in tables) {
    expect_identical(class(one[0, ])[1], class(one)[1])
    utils::capture.output(expect_identical(nrow(print(one[0, ])), 0L))
    expect_refusal(plot(one[0, ]), "there are no", "at least one row", class = "wald_data_error")
    utils::capture.output(expect_no_warning(print(one[rev(seq_len(nrow(one))), ])))
    expect_no_warning(plot(one[rev(seq_len(nrow(one))), ]))
  }
})

test_that("importances of several measures can be bound", {
  fit <- wald(mpg ~ ., mtcars, num.trees = 10)
  both <- importance(fit, c("mdi", "minimal_depth"))
  expect_equal(rbind(importance(fit, "mdi"), importance(fit, "minimal_depth")), both)
  expect_identical(importance(fit, c("mdi", "mdi")), importance(fit, "mdi"))
  expect_identical(dim(rbind(both, as.data.frame(both), make.row.names = FALSE)), c(40L, ncol(both)))
  other <- rbind(importance(fit, "mdi"), importance(wald(mpg ~ ., mtcars, num.trees = 10, seed = 1), "mdi"))
  expect_identical(class(other), "data.frame")
  expect_identical(nrow(other), 20L)
})
