# Forests of other packages over their settings and kinds of columns: their own predictions and importances
# are what is expected.

rows <- function(n, seed) {
  set.seed(seed)
  data <- data.frame(a = rnorm(n), b = round(rnorm(n), 1), i = sample(1:5, n, TRUE),
                     l = runif(n) > 0.4, t = sample(c("zeta", "alpha", "Beta"), n, TRUE))
  # Levels in an order of their own, two of which no row has.
  data$f <- factor(sample(c("u", "v", "w", "x"), n, TRUE), levels = c("w", "none", "x", "u", "v", "empty"))
  data$o <- factor(sample(c("lo", "mid", "hi"), n, TRUE), levels = c("lo", "mid", "hi"), ordered = TRUE)
  score <- data$a + 2 * (data$f == "u") + (data$o == "hi") - data$l + 1.5 * (data$t == "Beta") + rnorm(n) / 2
  data$number <- score
  data$share <- stats::plogis(score)
  data$two <- factor(ifelse(score > 1, "yes", "no"), levels = c("yes", "no"))
  data$three <- factor(c("m", "k", "z")[cut(score, c(-Inf, 0, 1.5, Inf))], levels = c("z", "q", "m", "k"))
  # Without levels that no row has, which randomForest refuses.
  data$full <- droplevels(data$three)
  data
}
train <- rows(150, 1)
new <- rows(80, 2)
inputs <- c("a", "b", "i", "l", "t", "f", "o")

# Shares of votes, or of classes, that ranger predicts.
shares_of_ranger <- function(grown, data, levels) {
  if (grown$treetype != "Classification") return(stats::predict(grown, data, num.threads = 2)$predictions)
  votes <- stats::predict(grown, data, predict.all = TRUE, num.threads = 2)$predictions
  votes <- matrix(levels[votes], nrow(data))
  shares <- sapply(levels, function(class) rowMeans(votes == class))
  shares[, colSums(shares) > 0 | levels %in% votes, drop = FALSE]
}

expect_ranger <- function(target, columns = inputs, mdi = TRUE, ...) {
  data <- stats::setNames(train[c(columns, target)], c(columns, "y"))
  grown <- suppressWarnings(ranger::ranger(y ~ ., data, num.trees = 15, keep.inbag = TRUE, num.threads = 1,
                                           importance = "impurity", seed = 3, ...))
  if (mdi) {
    fit <- expect_no_warning(as_wald(grown, data))
  } else {
    expect_warning(fit <- as_wald(grown, data), "impurity importance", class = "wald_taken_over_warning")
  }
  for (table in list(data, new)) {
    if (fit$task == "regression") {
      expect_equal(predict(fit, table), stats::predict(grown, table, num.threads = 2)$predictions,
                   tolerance = 1e-12)
    } else {
      theirs <- shares_of_ranger(grown, table, levels(data$y))
      ours <- predict(fit, table, type = "prob")
      expect_equal(ours[, colnames(theirs), drop = FALSE], theirs, tolerance = 1e-12, ignore_attr = TRUE)
    }
  }
  found <- importance(fit, "mdi")
  ours <- stats::setNames(found$value, found$variable) * sum(grown$inbag.counts[[1]])
  if (mdi) expect_equal(ours, grown$variable.importance, tolerance = 1e-9)
  else expect_false(isTRUE(all.equal(ours, grown$variable.importance)))
}

test_that("ranger's ways with factors give ranger's numbers", {
  skip_if_not_installed("ranger")
  for (respect in c("ignore", "order", "partition")) {
    expect_ranger("number", respect.unordered.factors = respect)
    expect_ranger("number", respect.unordered.factors = respect, splitrule = "extratrees")
    for (probability in c(FALSE, TRUE)) {
      for (rule in c("gini", "extratrees")) {
        expect_ranger("three", respect.unordered.factors = respect, splitrule = rule, probability = probability)
      }
    }
  }
})

test_that("ranger's rules whose importance is another are told by their numbers", {
  skip_if_not_installed("ranger")
  expect_ranger("number", splitrule = "maxstat", mdi = FALSE)
  expect_ranger("share", splitrule = "beta", mdi = FALSE)
  expect_ranger("two", splitrule = "hellinger", mdi = FALSE)
  expect_ranger("two", splitrule = "hellinger", probability = TRUE, mdi = FALSE)
  # These are out of sight in the call of a function that passes `...` on.
  expect_ranger("two", class.weights = c(1, 5), mdi = FALSE)
  expect_ranger("two", class.weights = c(1, 5), probability = TRUE, mdi = FALSE)
  expect_ranger("number", regularization.factor = 0.3, mdi = FALSE)
  # Equal weights change nothing.
  expect_ranger("two", class.weights = c(1, 1))
})

test_that("ranger's ways of drawing rows and of small trees give ranger's numbers", {
  skip_if_not_installed("ranger")
  expect_ranger("number", replace = FALSE)
  expect_ranger("three", replace = FALSE, sample.fraction = 0.4)
  expect_ranger("number", sample.fraction = 0.3)
  expect_ranger("two", sample.fraction = c(0.2, 0.3))
  expect_ranger("number", case.weights = seq_len(150))
  expect_ranger("number", max.depth = 1)
  # Roots alone.
  expect_ranger("number", min.node.size = 1000)
  expect_ranger("three", min.node.size = 1000)
  expect_ranger("three", min.node.size = 1000, probability = TRUE)
  # One column.
  expect_ranger("number", "a")
  expect_ranger("three", "f", respect.unordered.factors = "partition")
  expect_ranger("two", "l", probability = TRUE)
})

test_that("thresholds of ranger beside sets of levels keep all digits", {
  skip_if_not_installed("ranger")
  # Neighbouring numbers, whose middle 15 digits round to one of them.
  data <- data.frame(x = 1 + (0:199) * 2^-50, kind = factor(rep(c("b", "a", "c", "d"), 50)))
  data$y <- as.numeric(data$x > stats::median(data$x)) + (data$kind == "c")
  grown <- ranger::ranger(y ~ ., data, num.trees = 20, mtry = 2, keep.inbag = TRUE, seed = 1, num.threads = 2,
                          respect.unordered.factors = "partition")
  fit <- as_wald(grown, data)
  expect_equal(predict(fit, data), stats::predict(grown, data)$predictions, tolerance = 1e-12)
  thresholds <- unlist(grown$forest$split.values)
  expect_true(any(thresholds != as.numeric(as.character(thresholds))))
})

test_that("names and levels may have any characters", {
  skip_if_not_installed("ranger")
  odd <- c("a b", "tab\there \"quoted\" \\", "\u00e4\u00df", "line\nbreak")
  data <- stats::setNames(train[c("a", "b", "f", "i")], odd)
  levels(data[[3]])[c(1, 3)] <- c("w\t\"w\"", "\u00e9t\u00e9")
  for (latin in c(FALSE, TRUE)) {
    if (latin) {
      names(data) <- iconv(names(data), "UTF-8", "latin1")
      levels(data[[3]]) <- iconv(levels(data[[3]]), "UTF-8", "latin1")
    }
    grown <- ranger::ranger(x = data, y = train$number, num.trees = 10, keep.inbag = TRUE, seed = 1,
                            num.threads = 2, respect.unordered.factors = "order", importance = "impurity")
    fit <- expect_no_warning(as_wald(grown, data, train$number))
    expect_identical(names(fit$x), odd)
    expect_equal(predict(fit, data), stats::predict(grown, data)$predictions, tolerance = 1e-12)
    expect_identical(importance(fit, "mdi")$variable, odd)
  }
})

test_that("tibbles, matrices and dates as numbers are taken over", {
  skip_if_not_installed("ranger")
  grow <- function(...) ranger::ranger(..., num.trees = 10, keep.inbag = TRUE, seed = 1, num.threads = 2)
  numbers <- as.matrix(mtcars[-1])
  grown <- grow(x = numbers, y = mtcars$mpg)
  expect_equal(predict(as_wald(grown, numbers, mtcars$mpg), numbers), stats::predict(grown, numbers)$predictions,
               tolerance = 1e-12)
  data <- transform(train[c("a", "number")], day = as.Date("2020-01-01") + seq_len(150))
  grown <- grow(number ~ ., data)
  error <- expect_refusal(as_wald(grown, data), "\"day\" is of class Date", "as.numeric(day)")
  expect_identical(error$column, "day")
  # As the refusal says.
  data$day <- as.numeric(data$day)
  expect_equal(as_wald(grown, data)$predictions, grown$predictions, tolerance = 1e-12)
  skip_if_not_installed("tibble")
  data <- tibble::as_tibble(train[c("a", "f", "number")])
  grown <- grow(number ~ ., data)
  expect_equal(as_wald(grown, data)$predictions, grown$predictions, tolerance = 1e-12)
})

expect_random_forest <- function(target, columns = inputs, ...) {
  set.seed(1)
  grown <- suppressWarnings(randomForest::randomForest(train[columns], train[[target]], ntree = 15,
                                                       keep.inbag = TRUE, ...))
  fit <- expect_no_warning(as_wald(grown, train[columns]))
  for (table in list(train[columns], new[columns])) {
    type <- if (fit$task == "regression") "response" else "prob"
    theirs <- unclass(stats::predict(grown, table, type = type))
    expect_equal(predict(fit, table, type = type), theirs, tolerance = 1e-12, ignore_attr = TRUE)
  }
  values <- unname(grown$importance[, ncol(grown$importance)])
  expect_equal(importance(fit, "mdi")$value * sum(grown$inbag[, 1]), values, tolerance = 1e-9)
}

test_that("randomForest's settings give randomForest's numbers", {
  skip_if_not_installed("randomForest")
  for (target in c("number", "full")) {
    expect_random_forest(target)
    expect_random_forest(target, replace = FALSE)
    expect_random_forest(target, sampsize = 60)
    expect_random_forest(target, maxnodes = 3)
    expect_random_forest(target, importance = TRUE)
    # Roots alone, one column, one tree.
    expect_random_forest(target, nodesize = 1000)
    expect_random_forest(target, "a")
    expect_random_forest(target, "f")
  }
  expect_random_forest("full", norm.votes = FALSE)
  expect_random_forest("full", strata = train$full, sampsize = c(5, 5, 5))
  grown <- randomForest::randomForest(unname(as.matrix(mtcars[-1])), mtcars$mpg, ntree = 10, keep.inbag = TRUE)
  fit <- as_wald(grown, unname(as.matrix(mtcars[-1])))
  expect_identical(names(fit$x), paste0("V", 1:10))
  expect_equal(predict(fit, unname(as.matrix(mtcars[-1]))),
               unname(stats::predict(grown, unname(as.matrix(mtcars[-1])))), tolerance = 1e-12)
})

test_that("classes and levels without rows of party and partykit are left out", {
  data <- train[c("a", "b", "f", "three")]
  skip_if_not_installed("party")
  data$three <- factor(as.character(data$three), levels = c("z", "q", "m", "k"))
  set.seed(1)
  grown <- party::cforest(three ~ ., data, controls = party::cforest_unbiased(ntree = 10, mtry = 2))
  theirs <- do.call(rbind, stats::predict(grown, newdata = data, type = "prob"))
  fit <- as_wald(grown)
  expect_identical(colnames(fit$predictions), c("z", "m", "k"))
  expect_equal(predict(fit, data, type = "prob"), theirs[, c(1, 3, 4)], tolerance = 1e-9, ignore_attr = TRUE)
  skip_if_not_installed("partykit")
  set.seed(1)
  grown <- partykit::cforest(three ~ a + b, data, ntree = 10, mtry = 2)
  theirs <- stats::predict(grown, newdata = data, type = "prob")
  expect_equal(predict(as_wald(grown), data, type = "prob"), theirs[, c("z", "m", "k")], tolerance = 1e-12,
               ignore_attr = TRUE)
})

test_that("sides of levels that partykit draws anew are told", {
  skip_if_not_installed("partykit")
  set.seed(1)
  control <- partykit::ctree_control(teststat = "quad", testtype = "Univ", mincriterion = 0, minsplit = 20,
                                     minbucket = 7)
  grown <- partykit::cforest(number ~ a + f, train, ntree = 10, control = control)
  expect_warning(as_wald(grown), "draws the sides of levels", class = "wald_taken_over_warning")
  grown <- partykit::cforest(number ~ a + b, train, ntree = 10, control = control)
  expect_no_warning(as_wald(grown))
})

test_that("forests that split on permuted variables are refused for what they are", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(number ~ a + b, train, num.trees = 5, keep.inbag = TRUE, importance = "impurity_corrected")
  expect_error(as_wald(grown, train), "impurity_corrected", class = "wald_data_error")
})

test_that("measures of wald are not taken for settings of their own importances", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(number ~ a + b, train, num.trees = 5, importance = "impurity")
  expect_identical(wald::importance(grown), ranger::importance(grown))
  expect_error(wald::importance(grown, "sobol_mda"), "as_wald", class = "wald_data_error")
  expect_error(wald::importance(grown, measure = "mdi"), "knows no measures")
  skip_if_not_installed("randomForest")
  grown <- randomForest::randomForest(number ~ a + b, train, ntree = 5, importance = TRUE)
  expect_identical(wald::importance(grown, type = 1), randomForest::importance(grown, type = 1))
  expect_error(wald::importance(grown, "mdi"), "as_wald(x, data)", fixed = TRUE)
})
