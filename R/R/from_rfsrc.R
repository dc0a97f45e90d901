# Forests of randomForestSRC as wald-forest JSON; from_r.R says how.
#
#   fit <- randomForestSRC::rfsrc(y ~ ., data, membership = TRUE)
#   writeLines(wald_from_rfsrc(fit), "forest.json")

# Nodes of all trees stand one after the other in `nativeArray`, each before those below it, left ones
# first; values up to `contPT` go left. The sets of levels that go left are bits of 32-bit words in
# `nativeFactorArray`, `mwcpSZ` words for each node that has one, in the order of the nodes. Leaves have no
# values there: wald computes them from the bags.
wald_from_rfsrc <- function(fit) {
  forest <- fit$forest
  if (is.null(forest$nativeArray)) stop("grow the forest with forest = TRUE")
  if (is.null(fit$inbag)) stop("grow the forest with membership = TRUE")
  if (is.null(fit$xvar)) stop("the forest does not hold its data: grow it by rfsrc()")
  if (!identical(fit$family, "regr") && !identical(fit$family, "class")) {
    stop("randomForestSRC's forests of family ", fit$family, " are not supported")
  }
  if (!is.null(forest$nativeArray$hcDim)) stop("splits of several variables are not supported")
  inputs <- fit$xvar
  if (anyNA(inputs)) stop("randomForestSRC draws the side of missing values at random")
  levels <- lapply(inputs, wald_levels)
  first_code <- ifelse(vapply(inputs, is.logical, NA), 0, 1)
  classes <- if (fit$family == "class") levels(fit$yvar)
  nodes <- forest$nativeArray
  # Where the words of a node begin, whose bits are the levels that go left.
  words <- forest$nativeFactorArray
  words <- if (is.list(words)) words[[1]] else words
  first_word <- cumsum(nodes$mwcpSZ) - nodes$mwcpSZ + 1
  trees <- lapply(seq_len(fit$ntree), function(tree) {
    rows <- which(nodes$treeID == tree)
    leaf <- nodes$parmID[rows] == 0
    feature <- ifelse(leaf, -1, nodes$parmID[rows] - 1)
    listed <- nodes$mwcpSZ[rows] > 0
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    right <- lapply(seq_along(rows), function(i) {
      if (!of_levels[i]) return(NULL)
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # A threshold on level numbers: the levels above it go right.
      if (!listed[i]) return(codes[codes + first_code[j] > nodes$contPT[rows[i]]])
      # A word has 32 levels, the first one those that are first.
      word <- as.numeric(words[first_word[rows[i]] + codes %/% 32]) %% 2^32
      # R's integers have no -2^31, whose bits are those of NA.
      word[is.na(word)] <- 2^31
      codes[floor(word / 2^(codes %% 32)) %% 2 == 0]
    })
    left <- right_child <- rep(-1, length(rows))
    # Nodes whose second child is yet to come.
    waiting <- integer(0)
    for (i in seq_along(rows)[-1]) {
      if (!leaf[i - 1]) {
        left[i - 1] <- i - 1
        waiting <- c(waiting, i - 1)
      } else {
        right_child[waiting[length(waiting)]] <- i - 1
        waiting <- waiting[-length(waiting)]
      }
    }
    wald_tree(feature, nodes$contPT[rows], left, right_child, of_levels, right, NULL,
              fit$inbag[, tree])
  })
  wald_document(names(inputs), levels, classes, fit$yvar.names, "mean", trees, fit$mtry)
}

