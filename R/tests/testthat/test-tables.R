# Parts of results, and names of inputs.

fit <- wald(mpg ~ ., mtcars, num.trees = 30, num.threads = 2)

test_that("parts of an importance print, and keep their order", {
  found <- importance(fit, c("mdi", "minimal_depth"), num.threads = 2)
  for (part in list(found[, c("variable", "value")], found["value"], found[, -1])) {
    expect_identical(class(part), "data.frame")
    expect_output(print(part), "value")
  }
  expect_type(found[, "value"], "double")
  depth <- subset(found, measure == "minimal_depth")
  expect_s3_class(depth, "wald_importance")
  printed <- capture.output(print(depth))
  smallest <- depth$variable[which.min(depth$value)]
  expect_match(printed[3], paste0("^ *", smallest, " "))
  expect_identical(printed, capture.output(print(found[found$measure == "minimal_depth", ])))
  errors <- uncertainty(fit, "mdi", subsamples = 5, num.threads = 2)
  expect_output(print(errors[1:2, c("variable", "value")]), errors$variable[1])
  expect_output(print(errors[1:2, ]), "intervals of 90 %")
})

test_that("an input may be called y", {
  places <- data.frame(x = 1:40 / 7, y = sin(1:40))
  z <- places$x + places$y
  fit <- wald(places, z, num.trees = 20, num.threads = 2)
  expect_identical(importance(fit, "mdi")$variable, c("x", "y"))
  expect_identical(names(masking(places, z, num.trees = 5, num.threads = 2))[1:2], names(masking(
    places["x"], z, num.trees = 5, num.threads = 2))[1:2])
})

test_that("formula and data may be given by their names", {
  first <- importance(fit, "mdi")$value
  expect_identical(importance(wald(data = mtcars, formula = mpg ~ ., num.trees = 30), "mdi")$value, first)
  expect_identical(importance(wald(x = mpg ~ ., data = mtcars, num.trees = 30), "mdi")$value, first)
})

test_that("further words of pictures replace the usual ones", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(importance(fit, "mdi"), main = "a", xlab = "b"))
  expect_silent(plot(explain(fit, num.threads = 2), main = "a"))
})

test_that("refusals name what is missing, and offer what there is", {
  weights <- rep(c(1, NA), 16)
  expect_error(wald(mtcars[-1], mtcars$mpg, weights = weights), "missing in 16 rows, first in row 2",
               class = "wald_setting_error")
  expect_error(wald(mtcars[-1], mtcars$mpg, cluster = weights), "cluster is missing",
               class = "wald_setting_error")
  expect_error(wald(mpg ~ ., mtcars, sample_fraction = 0.5, sample.fraction = 0.6), "given twice",
               class = "wald_setting_error")
  of_species <- wald(Sepal.Length ~ ., iris, num.trees = 5, num.threads = 2)
  other <- transform(iris, Species = "thistle")
  help_of <- function(work) tryCatch(work, wald_error = function(error) error$help)
  expect_match(help_of(predict(of_species, other)), "new.levels")
  expect_no_match(help_of(explain(of_species, other)), "new.levels")
  expect_no_match(help_of(predict(of_species, iris[-2])), "Petal.Width", fixed = TRUE)
  line <- lm(mpg ~ wt, mtcars)
  for (work in list(advise, report, uncertainty, compare, interactions, importance)) {
    expect_error(work(line), "as_wald", class = "wald_data_error")
  }
})
