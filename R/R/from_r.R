# Writes forests of ranger, randomForest, randomForestSRC, party and partykit as wald-forest JSON: for
# as_wald(), and alone for the command line and Python.
#
#   source("R/R/from_r.R")
#   fit <- ranger::ranger(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_ranger(fit, data), "forest.json")
#   wald_table(data, "data.csv")
#
#   fit <- randomForest::randomForest(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_randomforest(fit), "forest.json")
#
#   fit <- randomForestSRC::rfsrc(y ~ ., data, membership = TRUE)
#   writeLines(wald_from_rfsrc(fit), "forest.json")
#
#   fit <- party::cforest(y ~ ., data, controls = party::cforest_unbiased())
#   writeLines(wald_from_party(fit), "forest.json")
#
#   fit <- partykit::cforest(y ~ ., data)
#   writeLines(wald_from_partykit(fit), "forest.json")
#
# Then `wald importance data.csv --target y --forest forest.json --measure mdi`.
# Base R suffices. Numbers are written with 17 digits: with 15, as write.csv and jsonlite give
# them, a value equal to a threshold may change sides.

wald_table <- function(data, path) {
  for (name in names(data)) {
    if (is.double(data[[name]])) {
      column <- data[[name]]
      data[[name]] <- ifelse(is.na(column), NA, sprintf("%.17g", column))
    }
  }
  utils::write.csv(data, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
}

wald_from_ranger <- function(fit, data) {
  forest <- fit$forest
  if (is.null(forest)) stop("grow the forest with write.forest = TRUE")
  if (is.null(fit$inbag.counts)) stop("grow the forest with keep.inbag = TRUE")
  if (!forest$treetype %in% c("Regression", "Classification", "Probability estimation")) {
    stop("ranger's ", forest$treetype, " forests are not supported")
  }
  if (forest$treetype != "Regression" && is.null(forest$levels)) {
    stop("ranger has made classes of a target that is no factor; ",
         "make the target a factor and grow the forest again")
  }
  names <- forest$independent.variable.names
  if (anyNA(as.data.frame(data)[names])) {
    stop("ranger does not store where its splits send missing values")
  }
  # With respect.unordered.factors = "order" ranger has put the levels in an order of its own.
  levels <- lapply(seq_along(names), function(j) {
    known <- forest$covariate.levels
    reordered <- if (length(known) < j) NULL else known[[j]]
    if (is.null(reordered)) wald_levels(data[[names[j]]]) else reordered
  })
  first_code <- ifelse(vapply(names, function(name) is.logical(data[[name]]), NA), 0, 1)
  votes <- forest$treetype == "Classification"
  classes <- if (forest$treetype == "Regression") NULL else forest$levels
  trees <- lapply(seq_len(forest$num.trees), function(tree) {
    # It warns of levels that it cannot list, which are refused below.
    info <- suppressWarnings(ranger::treeInfo(fit, tree))
    leaf <- info$terminal
    feature <- ifelse(leaf, -1, info$splitvarID)
    # treeInfo lists levels that go right for unordered factors, as text.
    listed <- vapply(seq_along(leaf), function(i) {
      !leaf[i] && !forest$is.ordered[info$splitvarID[i] + 1]
    }, NA)
    cut <- rep(NA_real_, length(leaf))
    cut[!leaf & !listed] <- as.numeric(info$splitval[!leaf & !listed])
    right <- lapply(seq_along(leaf), function(i) {
      if (listed[i]) as.numeric(strsplit(as.character(info$splitval[i]), ",")[[1]]) - 1
    })
    for (i in which(listed)) {
      j <- feature[i] + 1
      # Extra-Trees of ranger store levels above the 31st as bits that cannot be read back.
      if (anyNA(right[[i]]) || any(right[[i]] < 0 | right[[i]] >= length(levels[[j]]))) {
        stop("ranger does not store which levels of column \"", names[j], "\" go right where it has ",
             length(levels[[j]]), "; join levels, or grow the forest with ",
             "respect.unordered.factors = \"order\"")
      }
    }
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    ordered <- which(of_levels & !listed)
    # A threshold on level numbers: the levels above it go right.
    right[ordered] <- lapply(ordered, function(i) {
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      codes[codes + first_code[j] > cut[i]]
    })
    value <- switch(forest$treetype,
      "Regression" = wald_numbers(ifelse(leaf, info$prediction, NA)),
      # Not info$prediction: where classes first occur out of order, ranger 0.14.1 mislabels it.
      "Classification" = wald_one_hot(
        ifelse(leaf, forest$split.values[[tree]][info$nodeID + 1], NA), length(classes)),
      wald_rows(as.matrix(info[paste0("pred.", classes)])))
    wald_tree(feature, cut, ifelse(leaf, -1, info$leftChild), ifelse(leaf, -1, info$rightChild),
              of_levels, right, value, fit$inbag.counts[[tree]])
  })
  target <- fit$dependent.variable.name
  wald_document(names, levels, classes, target, if (votes) "vote" else "mean", trees)
}

wald_from_randomforest <- function(fit) {
  forest <- fit$forest
  if (is.null(forest)) stop("grow the forest with keep.forest = TRUE")
  if (is.null(fit$inbag)) stop("grow the forest with keep.inbag = TRUE")
  regression <- fit$type == "regression"
  names <- names(forest$ncat)
  levels <- lapply(forest$xlevels, function(known) if (is.character(known)) known)
  classes <- if (regression) NULL else fit$classes
  trees <- lapply(seq_len(forest$ntree), function(tree) {
    nodes <- unname(randomForest::getTree(fit, tree))
    leaf <- nodes[, 1] == 0
    feature <- ifelse(leaf, -1, nodes[, 3] - 1)
    cut <- ifelse(leaf, NA, nodes[, 4])
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    right <- lapply(seq_along(leaf), function(i) {
      if (!of_levels[i]) return(NULL)
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # Of an ordered factor a threshold on level numbers: the levels above it go right.
      if (forest$ncat[j] == 1) return(codes[codes + 1 > cut[i]])
      # The bits of the split point are the levels that go left.
      codes[floor(cut[i] / 2^codes) %% 2 == 0]
    })
    value <- if (regression) {
      wald_numbers(ifelse(leaf, nodes[, 6], NA))
    } else {
      wald_one_hot(ifelse(leaf, nodes[, 6], NA), length(classes))
    }
    wald_tree(feature, cut, nodes[, 1] - 1, nodes[, 2] - 1, of_levels, right, value,
              fit$inbag[, tree])
  })
  target <- if (is.null(fit$terms)) NULL else all.vars(fit$terms)[1]
  wald_document(names, levels, classes, target, if (regression) "mean" else "vote", trees)
}

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
  wald_document(names(inputs), levels, classes, fit$yvar.names, "mean", trees)
}

wald_from_party <- function(fit) {
  inputs <- fit@data@get("input")
  response <- fit@responses@variables
  if (length(response) != 1 || !(is.numeric(response[[1]]) || is.factor(response[[1]])) ||
      is.ordered(response[[1]])) {
    stop("the target must be a number or an unordered factor")
  }
  if (anyNA(inputs)) stop("party's surrogate splits for missing values are not supported")
  levels <- lapply(inputs, wald_levels)
  first_code <- ifelse(vapply(inputs, is.logical, NA), 0, 1)
  classes <- levels(response[[1]])
  trees <- lapply(seq_along(fit@ensemble), function(tree) {
    # party's nodes are lists: number, -, -, terminal, split, -, prediction, left, right.
    nodes <- list()
    left <- right <- integer(0)
    add <- function(node) {
      place <- length(nodes) + 1
      nodes[[place]] <<- node
      left[place] <<- right[place] <<- -1
      if (!node[[4]]) {
        # The fifth entry of a split encodes whether values up to the cut go left.
        turned <- node[[5]][[2]] && node[[5]][[5]] == 0
        left[place] <<- add(node[[if (turned) 9 else 8]])
        right[place] <<- add(node[[if (turned) 8 else 9]])
      }
      place - 1
    }
    add(fit@ensemble[[tree]])
    leaf <- vapply(nodes, function(node) node[[4]], NA)
    split_of <- function(i) nodes[[i]][[5]]
    feature <- vapply(seq_along(nodes), function(i) if (leaf[i]) -1 else split_of(i)[[1]] - 1, 0)
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    cut <- vapply(seq_along(nodes), function(i) {
      if (leaf[i] || of_levels[i]) NA_real_ else as.numeric(split_of(i)[[3]])
    }, 0)
    levels_right <- lapply(seq_along(nodes), function(i) {
      if (!of_levels[i]) return(NULL)
      split <- split_of(i)
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # Of ordered factors and logicals the cut is the number of a level, else 1 stands for left.
      if (split[[2]]) codes[codes + first_code[j] > as.numeric(split[[3]])] else codes[split[[3]] == 0]
    })
    value <- lapply(nodes, function(node) node[[7]])
    value <- if (is.null(classes)) wald_numbers(unlist(value)) else wald_rows(do.call(rbind, value))
    wald_tree(feature, cut, left, right, of_levels, levels_right, value, fit@weights[[tree]])
  })
  wald_document(names(inputs), levels, classes, names(response), "mean", trees)
}

# partykit's nodes are lists with a split and kids. Leaves have no values: wald computes them from the bags,
# as partykit does from its weights.
wald_from_partykit <- function(fit) {
  target <- names(fit$data)[attr(fit$terms, "response")]
  response <- fit$data[[target]]
  if (!(is.numeric(response) || is.factor(response)) || is.ordered(response)) {
    stop("the target must be a number or an unordered factor")
  }
  inputs <- fit$data[wald_partykit_inputs(fit)]
  if (anyNA(inputs)) stop("partykit draws the side of missing values at random")
  levels <- lapply(inputs, wald_levels)
  place_of <- match(names(fit$data), names(inputs))
  trees <- lapply(seq_along(fit$nodes), function(tree) {
    nodes <- list()
    left <- right <- integer(0)
    add <- function(node) {
      place <- length(nodes) + 1
      nodes[[place]] <<- node$split
      left[place] <<- right[place] <<- -1
      if (is.null(node$split)) {
        # NULL would not lengthen the list.
        nodes[place] <<- list(NULL)
      } else {
        if (length(node$kids) != 2) stop("splits into more than two nodes are not supported")
        # The index of kids is turned where values above the break are those of the first one.
        turned <- is.numeric(node$split$breaks) && identical(as.integer(node$split$index), 2:1)
        left[place] <<- add(node$kids[[if (turned) 2 else 1]])
        right[place] <<- add(node$kids[[if (turned) 1 else 2]])
      }
      place - 1
    }
    add(fit$nodes[[tree]])
    leaf <- vapply(nodes, is.null, NA)
    feature <- vapply(nodes, function(split) if (is.null(split)) -1 else place_of[split$varid] - 1, 0)
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    cut <- vapply(seq_along(nodes), function(i) {
      if (leaf[i] || of_levels[i]) return(NA_real_)
      split <- nodes[[i]]
      # A split that is open at the right sends the break itself to the right.
      if (isFALSE(split$right)) stop("splits that are open at the right are not supported")
      as.numeric(split$breaks)
    }, 0)
    levels_right <- lapply(seq_along(nodes), function(i) {
      if (!of_levels[i]) return(NULL)
      split <- nodes[[i]]
      codes <- seq_along(levels[[feature[i] + 1]]) - 1
      if (!is.null(split$breaks)) return(codes[codes + 1 > as.numeric(split$breaks)])
      # Levels that no row of the node had are NA.
      codes[is.na(split$index) | split$index == 2]
    })
    wald_tree(feature, cut, left, right, of_levels, levels_right, NULL, fit$weights[[tree]])
  })
  wald_document(names(inputs), levels, levels(response), target, "mean", trees)
}

# Names of inputs. Weights, offsets and clusters are columns with names in parentheses, such as "(weights)".
wald_partykit_inputs <- function(fit) {
  target <- names(fit$data)[attr(fit$terms, "response")]
  names <- setdiff(names(fit$data), target)
  names[!grepl("^\\(.*\\)$", names)]
}

# The levels that wald sees in a column of a table; NULL for numbers.
wald_levels <- function(column) {
  if (is.factor(column)) levels(column)
  else if (is.logical(column)) c("FALSE", "TRUE")
  else if (is.character(column)) sort(unique(column))
}

wald_tree <- function(feature, cut, left, right_child, of_levels, right, value, in_bag) {
  levels <- vapply(seq_along(feature), function(i) {
    if (of_levels[i]) wald_numbers(right[[i]]) else "null"
  }, "")
  split <- ifelse(feature < 0, "null", ifelse(of_levels, '"levels_right"', '"le"'))
  fields <- c(
    feature = wald_numbers(feature),
    threshold = wald_numbers(ifelse(of_levels, NA, cut)),
    left = wald_numbers(left),
    right = wald_numbers(right_child),
    value = value,
    in_bag = wald_numbers(in_bag))
  if (any(of_levels)) {
    fields <- c(fields, split = wald_list(split), levels = wald_list(levels))
  }
  wald_object(fields)
}

wald_document <- function(names, levels, classes, target, aggregation, trees) {
  fields <- c(
    format = '"wald-forest"',
    version = "1",
    task = if (is.null(classes)) '"regression"' else '"classification"',
    features = wald_strings(names),
    feature_levels = wald_list(vapply(levels, function(known) {
      if (is.null(known)) "null" else wald_strings(known)
    }, "")),
    classes = if (is.null(classes)) "null" else wald_strings(classes),
    aggregation = paste0('"', aggregation, '"'),
    trees = wald_list(unlist(trees)))
  if (!is.null(target) && length(target) == 1) {
    fields <- c(fields, target = substring(wald_strings(target), 2, nchar(wald_strings(target)) - 1))
  }
  wald_object(fields)
}

wald_list <- function(entries) paste0("[", paste(entries, collapse = ","), "]")

wald_object <- function(fields) {
  paste0("{", paste0('"', names(fields), '":', fields, collapse = ","), "}")
}

wald_numbers <- function(numbers) {
  if (length(numbers) == 0) return("[]")
  wald_list(ifelse(is.na(numbers), "null", sprintf("%.17g", as.numeric(numbers))))
}

wald_rows <- function(matrix) {
  wald_list(apply(matrix, 1, function(row) if (anyNA(row)) "null" else wald_numbers(row)))
}

wald_one_hot <- function(class, n_classes) {
  wald_list(vapply(class, function(k) {
    if (is.na(k)) "null" else wald_numbers(as.numeric(seq_len(n_classes) == k))
  }, ""))
}

wald_strings <- function(strings) {
  strings <- gsub('(["\\\\])', "\\\\\\1", enc2utf8(as.character(strings)))
  if (any(grepl("[[:cntrl:]]", strings))) stop("a name contains a control character")
  wald_list(paste0('"', strings, '"'))
}
