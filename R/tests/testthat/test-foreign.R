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
