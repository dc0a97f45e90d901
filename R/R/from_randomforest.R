# Forests of randomForest as wald-forest JSON; from_r.R says how.
#
#   fit <- randomForest::randomForest(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_randomforest(fit, data), "forest.json")

# `data` are the inputs on which the forest was grown: from them alone it is known which columns that
# randomForest has made numbers are texts, logicals or ordered.
# `rounded` is what wald_randomforest_rounded() has found, where leaves do not have the means of their rows.
wald_from_randomforest <- function(fit, data = NULL, rounded = NULL) {
  forest <- fit$forest
  if (identical(fit$type, "unsupervised")) {
    stop("unsupervised forests of randomForest are not supported; grow one with a target")
  }
  if (is.null(forest)) stop("randomForest has not kept the trees; grow the forest with keep.forest = TRUE")
  if (is.null(fit$inbag)) stop("randomForest has not kept the bags; grow the forest with keep.inbag = TRUE")
  regression <- fit$type == "regression"
  names <- wald_randomforest_inputs(fit)
  levels <- lapply(seq_along(names), function(j) {
    known <- forest$xlevels[[j]]
    if (is.character(known)) known else wald_levels(data[[names[j]]])
  })
  first_code <- ifelse(vapply(names, function(name) is.logical(data[[name]]), NA), 0, 1)
  classes <- if (regression) NULL else fit$classes
  has_levels <- !vapply(levels, is.null, NA)
  trees <- lapply(seq_len(forest$ntree), function(tree) {
    nodes <- seq_len(forest$ndbigtree[tree])
    # getTree() makes a vector of a tree that is a root alone.
    left <- if (regression) forest$leftDaughter[nodes, tree] else forest$treemap[nodes, 1, tree]
    right_child <- if (regression) forest$rightDaughter[nodes, tree] else forest$treemap[nodes, 2, tree]
    leaf <- left == 0
    feature <- replace(forest$bestvar[nodes, tree] - 1, leaf, -1)
    cut <- replace(forest$xbestsplit[nodes, tree], leaf, NA)
    of_levels <- !leaf & c(FALSE, has_levels)[feature + 2]
    right <- vector("list", length(leaf))
    right[of_levels] <- lapply(which(of_levels), function(i) {
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # Of ordered factors, texts and logicals a threshold on level numbers: the levels above it go right.
      if (forest$ncat[j] == 1) return(codes[codes + first_code[j] > cut[i]])
      # The bits of the split point are the levels that go left.
      codes[floor(cut[i] / 2^codes) %% 2 == 0]
    })
    value <- replace(forest$nodepred[nodes, tree], !leaf | nodes %in% rounded[[tree]]$below, NA)
    value <- if (regression) wald_numbers(value) else wald_one_hot(value, length(classes))
    wald_tree(feature, cut, left - 1, right_child - 1, of_levels, right, value, fit$inbag[, tree])
  })
  target <- if (is.null(fit$terms)) NULL else paste(deparse(fit$terms[[2]]), collapse = " ")
  # Of combined forests, mtry is that of the first.
  mtry <- if (!wald_randomforest_is_combined(fit)) fit$mtry
  wald_document(names, levels, classes, target, if (regression) "mean" else "vote", trees, mtry)
}

# Whether it is made of several forests, by combine() or grow(). These have no errors, and their predictions are
# means of those of the forests, weighted by numbers of trees, which are no out-of-bag predictions of all trees.
wald_randomforest_is_combined <- function(fit) {
  is.null(fit$mse) && is.null(fit$rsq) && is.null(fit$err.rate) && is.null(fit$confusion)
}

# Names of inputs, which are numbers where a matrix had none.
wald_randomforest_inputs <- function(fit) {
  names <- names(fit$forest$ncat)
  if (is.null(names)) rownames(fit$importance) else names
}

# Where nothing that a node has drawn tells its rows apart, randomForest may take the rounding of a number for a
# gain, and then its rows did not go where the split that it has stored sends them. Of variables that do not vary
# it puts one draw aside, in a child where no other row goes. Of levels whose means of the target are equal but
# for rounding, rows went left at means of at most the middle of two of them, and levels are stored as going left
# below it: rounded, the middle is one of the two. For each tree, the number of these `splits`, and the leaves
# `below`, whose values may be of other rows.
wald_randomforest_rounded <- function(fit, data) {
  forest <- fit$forest
  inputs <- wald_randomforest_numbers(fit, data)
  equal <- function(one, other) abs(one - other) <= 1e-11 * max(abs(fit$y))
  lapply(seq_len(forest$ntree), function(tree) {
    left <- forest$leftDaughter[, tree]
    right <- forest$rightDaughter[, tree]
    variable <- forest$bestvar[, tree]
    drawn <- cbind(fit$inbag[, tree], fit$inbag[, tree] * fit$y)
    rows <- which(fit$inbag[, tree] > 0)
    node <- rep(1, length(rows))
    # Draws by node, and the sums of their targets.
    sums <- matrix(0, length(left), 2)
    while (length(rows) > 0) {
      here <- rowsum(drawn[rows, , drop = FALSE], node)
      sums[as.integer(rownames(here)), ] <- here
      rows <- rows[left[node] > 0]
      node <- wald_randomforest_child(forest, tree, inputs, rows, node[left[node] > 0])
    }
    draws <- sums[, 1]
    mean <- sums[, 2] / draws
    # Children have larger numbers than their node.
    differs <- draws > 0 & !equal(mean, forest$nodepred[, tree])
    splits <- which(left > 0 & draws > 0)
    for (split in rev(splits)) differs[split] <- any(differs[c(split, left[split], right[split])])
    is_empty <- is_equal <- below <- logical(length(left))
    children <- cbind(left, right)[splits, , drop = FALSE]
    is_empty[splits] <- draws[children[, 1]] == 0 | draws[children[, 2]] == 0
    is_equal[splits] <- !is_empty[splits] & forest$ncat[variable[splits]] > 1 &
      equal(mean[children[, 1]], mean[children[, 2]])
    for (split in splits) below[c(left[split], right[split])] <- below[split] || is_empty[split] || is_equal[split]
    list(splits = sum(is_empty | (is_equal & differs)), below = which(below & left == 0 & draws > 0))
  })
}

# Whether rows that trees have not drawn are predicted by the stored leaves as the forest has stored it, which
# does not depend on the rows of leaves: if not, these are other data.
wald_randomforest_agrees <- function(fit, data) {
  forest <- fit$forest
  inputs <- wald_randomforest_numbers(fit, data)
  n <- nrow(fit$inbag)
  sums <- counts <- numeric(n)
  for (tree in seq_len(forest$ntree)) {
    rows <- moving <- which(fit$inbag[, tree] == 0)
    node <- rep(1, n)
    while (length(moving) > 0) {
      moving <- moving[forest$leftDaughter[node[moving], tree] > 0]
      node[moving] <- wald_randomforest_child(forest, tree, inputs, moving, node[moving])
    }
    sums[rows] <- sums[rows] + forest$nodepred[node[rows], tree]
    counts[rows] <- counts[rows] + 1
  }
  seen <- counts > 0
  all(abs(sums[seen] / counts[seen] - fit$predicted[seen]) <= 1e-8 * max(abs(fit$y)))
}

# The children that rows go to from their nodes.
wald_randomforest_child <- function(forest, tree, inputs, rows, node) {
  variable <- forest$bestvar[node, tree]
  cut <- forest$xbestsplit[node, tree]
  column <- inputs[cbind(rows, variable)]
  is_number <- forest$ncat[variable] == 1
  goes_left <- ifelse(is_number, column <= cut, floor(cut / 2^(column - 1)) %% 2 == 1)
  ifelse(goes_left, forest$leftDaughter[node, tree], forest$rightDaughter[node, tree])
}

# The inputs as randomForest has made numbers of them, a matrix.
wald_randomforest_numbers <- function(fit, data) {
  vapply(wald_randomforest_inputs(fit), function(name) wald_randomforest_codes(fit, data, name),
         numeric(nrow(fit$inbag)))
}

# A column as randomForest has made numbers of it.
wald_randomforest_codes <- function(fit, data, name) {
  column <- data[[name]]
  known <- fit$forest$xlevels[[match(name, wald_randomforest_inputs(fit))]]
  levels <- if (is.character(known)) known else wald_levels(column)
  if (is.null(levels)) return(as.double(column))
  match(as.character(column), levels) - is.logical(column)
}
