# Forests of other packages whose levels, classes and settings are not the usual ones.

flowers <- transform(iris, Species = factor(Species, c("virginica", "setosa", "versicolor")))

expect_class_order <- function(fit, grown_prediction, data) {
  levels <- levels(data$Species)
  proportions <- predict(fit, data, type = "prob", num.threads = 2)
  expect_identical(colnames(proportions), levels)
  expect_equal(unname(proportions), unname(grown_prediction[, levels]), tolerance = 1e-9)
  expect_gt(mean(predict(fit) == data$Species, na.rm = TRUE), 0.9)
  expect_gt(sum(diag(fit$confusion)) / sum(fit$confusion), 0.9)
  expect_equal(1 - sum(diag(fit$confusion)) / sum(fit$confusion), fit$prediction.error)
}

test_that("classes keep their order where levels are not alphabetical", {
  skip_if_not_installed("randomForest")
  set.seed(1)
  grown <- randomForest::randomForest(Species ~ ., flowers, ntree = 60, keep.inbag = TRUE)
  fit <- as_wald(grown, flowers)
  expect_class_order(fit, predict(grown, flowers, type = "prob"), flowers)
  path <- write_wald(fit, tempfile(fileext = ".wald"))
  again <- read_wald(path, flowers[-5], flowers$Species)
  expect_identical(predict(again), predict(fit))
})

test_that("classes of ranger and of two levels keep their order", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(Species ~ ., flowers, num.trees = 60, probability = TRUE, keep.inbag = TRUE,
                          num.threads = 2, seed = 1)
  expect_class_order(as_wald(grown, flowers), predict(grown, flowers)$predictions, flowers)
  two <- transform(mtcars, am = factor(ifelse(am == 1, "yes", "no"), c("yes", "no")))
  grown <- ranger::ranger(am ~ ., two, num.trees = 60, probability = TRUE, keep.inbag = TRUE,
                          num.threads = 2, seed = 1)
  proportions <- predict(as_wald(grown, two), two, type = "prob")
  expect_equal(proportions[, "yes"], predict(grown, two)$predictions[, "yes"], tolerance = 1e-9)
})

test_that("classes of party and partykit keep their order", {
  skip_if_not_installed("party")
  set.seed(2)
  grown <- party::cforest(Species ~ ., flowers, controls = party::cforest_unbiased(ntree = 30, mtry = 2))
  theirs <- do.call(rbind, party::treeresponse(grown, newdata = flowers))
  colnames(theirs) <- levels(flowers$Species)
  expect_class_order(as_wald(grown), theirs, flowers)
})

test_that("ordered factors of randomForest are split by the numbers of levels", {
  skip_if_not_installed("randomForest")
  set.seed(3)
  inputs <- data.frame(grade = factor(sample(letters[1:6], 150, TRUE), ordered = TRUE),
                       kind = factor(sample(LETTERS[1:4], 150, TRUE)), x = rnorm(150))
  y <- as.integer(inputs$grade) + (inputs$kind == "B") + rnorm(150, sd = 0.3)
  for (nodes in list(4, NULL)) {
    grown <- randomForest::randomForest(inputs, y, ntree = 20, maxnodes = nodes, keep.inbag = TRUE)
    fit <- as_wald(grown, inputs, y)
    expect_equal(predict(fit, inputs), unname(predict(grown, inputs)), tolerance = 1e-9)
    ours <- importance(fit, "mdi", num.threads = 2)
    theirs <- randomForest::importance(grown)[ours$variable, "IncNodePurity"]
    expect_equal(ours$value * 150, unname(theirs), tolerance = 1e-9)
  }
})

test_that("classes that were numbers are refused", {
  skip_if_not_installed("ranger")
  for (probability in c(FALSE, TRUE)) {
    grown <- ranger::ranger(am ~ ., mtcars, num.trees = 5, classification = TRUE,
                            probability = probability, keep.inbag = TRUE, num.threads = 2)
    expect_error(as_wald(grown, mtcars), "factor", class = "wald_data_error")
  }
})

test_that("settings that the forest does not store are warned of", {
  skip_if_not_installed("ranger")
  skip_if_not_installed("randomForest")
  grown <- ranger::ranger(Species ~ ., iris, num.trees = 5, class.weights = c(1, 2, 3), keep.inbag = TRUE,
                          num.threads = 2)
  expect_warning(as_wald(grown, iris), "class.weights")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, splitrule = "maxstat", keep.inbag = TRUE,
                          num.threads = 2)
  expect_warning(as_wald(grown, mtcars), "splitrule")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 5, splitrule = "extratrees", keep.inbag = TRUE,
                          num.threads = 2)
  expect_silent(as_wald(grown, mtcars))
  grown <- randomForest::randomForest(Species ~ ., iris, ntree = 5, classwt = c(1, 2, 3),
                                      keep.inbag = TRUE)
  expect_warning(as_wald(grown, iris), "classwt")
  set.seed(4)
  grown <- randomForest::randomForest(mpg ~ ., mtcars, ntree = 50, corr.bias = TRUE, keep.inbag = TRUE)
  expect_warning(as_wald(grown, mtcars), "corr.bias")
})

test_that("logical inputs of party and case weights of partykit are read", {
  skip_if_not_installed("party")
  cells <- transform(mtcars, am = am == 1, vs = NULL)[c("mpg", "am", "wt", "hp")]
  set.seed(5)
  grown <- party::cforest(mpg ~ ., cells, controls = party::cforest_unbiased(ntree = 20, mtry = 3))
  expect_equal(predict(as_wald(grown), cells), unname(predict(grown, newdata = cells)[, 1]),
               tolerance = 1e-9)
  skip_if_not_installed("partykit")
  weights <- rep(1:2, length.out = nrow(mtcars))
  grown <- partykit::cforest(mpg ~ wt + hp, mtcars, weights = weights, ntree = 10)
  expect_identical(names(as_wald(grown)$x), c("wt", "hp"))
})

test_that("importance() of another package's forest is the one that it has", {
  skip_if_not_installed("ranger")
  grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 10, importance = "impurity", num.threads = 2)
  expect_identical(importance(grown), ranger::importance(grown))
})
