library(testthat)
library(wald)

test_check("wald")
