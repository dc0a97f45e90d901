# Tables of which little can be said.

one <- wald(y ~ a, data.frame(a = 1, y = 1), num.trees = 5)
together <- wald(y ~ a, data.frame(a = 1:9, y = 2:10), cluster = rep(1, 9), num.trees = 5)

test_that("where no row is out of bag, the remedy is not the bootstrap that was used", {
  for (fit in list(one, together)) {
    for (of in list(importance, uncertainty, function(fit) explain(fit, measure = "mdi_oob"))) {
      error <- expect_refusal(of(fit), "two clusters", "`cluster =`", "`sample.fraction =`")
      expect_no_match(conditionMessage(error), "bootstrap")
    }
  }
  # It helps.
  expect_s3_class(importance(wald(y ~ a, data.frame(a = 1:9, y = 2:10), cluster = rep(1:3, 3), num.trees = 5)),
                  "wald_importance")
  data <- data.frame(a = 1:9, y = 2:10)
  expect_refusal(importance(wald(y ~ a, data, replace = FALSE, sample.fraction = 1)), "`sample.fraction =`")
  expect_s3_class(importance(wald(y ~ a, data, replace = FALSE, sample.fraction = 0.9)), "wald_importance")
  expect_refusal(importance(wald(y ~ a, data, sampling = "all")), "sampling = \"bootstrap\"")
})

test_that("what is not known of rows that all trees saw is NA", {
  expect_identical(as.vector(predict(together, type = "quantiles", quantiles = 0.5)), rep(NA_real_, 9))
  expect_identical(fitted(together), rep(NA_real_, 9))
  expect_identical(residuals(together), rep(NA_real_, 9))
})

test_that("more folds than rows are refused by the argument", {
  few <- wald(mpg ~ ., mtcars[1:5, ], num.trees = 5)
  error <- expect_refusal(select_variables(few), "folds is 10, but there are 5 rows", "from 2 to 5")
  expect_identical(error$setting, "folds")
  expect_s3_class(select_variables(few, folds = 5), "wald_selection")
  clustered <- wald(mpg ~ ., mtcars, cluster = rep(1, 32), num.trees = 5)
  expect_refusal(select_variables(clustered), "there is 1 cluster", "at least 2 clusters",
                 class = "wald_data_error")
  expect_refusal(conditional_test(clustered), "there is 1 cluster", "at least 4 clusters")
  expect_refusal(conditional_test(clustered, method = "loco"), "at least 4 clusters")
  expect_refusal(select_variables(clustered, "ipss"), "there is 1 cluster,", "at least 4 clusters")
})

test_that("advice on a constant target states that it is constant", {
  for (y in list(rep(1, 50), factor(rep("a", 50)))) {
    found <- advise(wald(data.frame(a = 1:50, b = cos(1:50)), y, num.trees = 5))
    expect_match(found$summary[1], "The target \"y\" is constant")
    expect_output(print(found), "constant")
  }
})

test_that("advice on one cluster does not send to the same table", {
  data <- cells[setdiff(names(cells), "kind")]
  advice <- advise(wald(y ~ ., data, cluster = rep(1, 60), num.trees = 20))
  said <- paste(utils::capture.output(print(advice)), collapse = " ")
  expect_match(said, "at least +two")
  expect_no_match(said, "from +the +table")
})

test_that("refusals of values out of range use the words of R", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  expect_refusal(explain(fit, measure = "pdp", grid = 0), "`grid = \"exact\"`")
  expect_refusal(importance(fit, permutations = 0), "`permutations = \"exact\"`")
})
