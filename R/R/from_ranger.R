# Forests of ranger as wald-forest JSON; from_r.R says how.
#
#   fit <- ranger::ranger(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_ranger(fit, data), "forest.json")

# Trees are read from the forest itself: ranger::treeInfo() gives thresholds beside splits by sets of levels as
# text of 15 digits, no sets of more than 31 levels, and wrong classes where some have no rows.
wald_from_ranger <- function(fit, data) {
  forest <- fit$forest
  wald_refuse_ranger(fit)
  names <- forest$independent.variable.names
  absent <- setdiff(names, names(data))
  if (length(absent) > 0) stop("data has no column \"", absent[1], "\", which the forest knows")
  if (anyNA(as.data.frame(data)[names])) {
    stop("ranger does not store where its splits send missing values; ",
         "impute them, and grow the forest on that")
  }
  # With respect.unordered.factors = "order" ranger has put the levels in an order of its own.
  levels <- lapply(seq_along(names), function(j) {
    known <- forest$covariate.levels
    reordered <- if (length(known) < j) NULL else known[[j]]
    if (is.null(reordered)) wald_levels(data[[names[j]]]) else reordered
  })
  first_code <- ifelse(vapply(names, function(name) is.logical(data[[name]]), NA), 0, 1)
  is_regression <- forest$treetype == "Regression"
  # Numbers of the classes that rows have, by their order among the levels; ranger has them in the order of
  # the rows.
  known <- sort(forest$class.values)
  classes <- if (!is_regression) forest$levels[known]
  has_levels <- !vapply(levels, is.null, NA)
  trees <- lapply(seq_len(forest$num.trees), function(tree) {
    children <- forest$child.nodeIDs[[tree]]
    cut <- forest$split.values[[tree]]
    # The root is nobody's child.
    leaf <- children[[1]] == 0 & children[[2]] == 0
    feature <- replace(forest$split.varIDs[[tree]], leaf, -1)
    of_levels <- !leaf & c(FALSE, has_levels)[feature + 2]
    right <- vector("list", length(leaf))
    right[of_levels] <- lapply(which(of_levels), function(i) {
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # A threshold on level numbers: the levels above it go right.
      if (forest$is.ordered[j]) return(codes[codes + first_code[j] > cut[i]])
      # The bits of a split by a set are the levels that go right.
      codes[floor(floor(cut[i]) / 2^codes) %% 2 == 1]
    })
    value <- switch(forest$treetype,
      "Regression" = wald_numbers(replace(cut, !leaf, NA)),
      "Classification" = wald_one_hot(replace(match(cut, known), !leaf, NA), length(classes)),
      wald_rows(wald_ranger_shares(forest, tree, leaf)))
    wald_tree(feature, replace(cut, leaf, NA), replace(children[[1]], leaf, -1), replace(children[[2]], leaf, -1),
              of_levels, right, value, fit$inbag.counts[[tree]])
  })
  aggregation <- if (forest$treetype == "Classification") "vote" else "mean"
  # Variables that are tried at every node come in addition to mtry, and only the call has them.
  given <- as.list(fit$call)
  is_whole <- is.null(given$always.split.variables) && !any(vapply(given, identical, NA, quote(...)))
  wald_document(names, levels, classes, fit$dependent.variable.name, aggregation, trees, if (is_whole) fit$mtry)
}

# Why a forest cannot be written, and what to do.
wald_refuse_ranger <- function(fit) {
  forest <- fit$forest
  kind <- fit$treetype
  if (identical(kind, "Survival")) {
    stop("ranger's survival forests are not supported; grow a forest of a number, or of the classes with and ",
         "without the event at a time")
  }
  if (is.null(forest)) stop("ranger has not kept the trees; grow the forest with write.forest = TRUE")
  if (identical(fit$importance.mode, "impurity_corrected")) {
    stop("the forest also splits on permuted variables, because of importance = \"impurity_corrected\"; ",
         "grow it with importance = \"impurity\"")
  }
  if (is.null(fit$inbag.counts)) {
    stop("ranger has not kept the bags; grow the forest with keep.inbag = TRUE")
  }
  if (!forest$treetype %in% c("Regression", "Classification", "Probability estimation")) {
    stop("ranger's forests of kind ", forest$treetype, " are not supported; grow one of a number or a factor")
  }
  if (!is.null(forest$dependent.varID)) {
    stop("the forest is of ranger before version 0.11.5; grow it again")
  }
  if (forest$treetype != "Regression" && is.null(forest$levels)) {
    stop("ranger has made classes of a target that is no factor; ",
         "make the target a factor and grow the forest again")
  }
}

# Shares of classes, a row for each node, in the order of the classes.
wald_ranger_shares <- function(forest, tree, leaf) {
  order <- order(forest$class.values)
  shares <- matrix(NA_real_, length(leaf), length(order))
  shares[leaf, ] <- do.call(rbind, forest$terminal.class.counts[[tree]][leaf])[, order, drop = FALSE]
  shares
}
