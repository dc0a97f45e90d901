"""Ways of dividing the levels of categories that have many of them.

A small regression forest, written here with numba, grows with each way on the same tables and bags;
many_levels_peers.py has wald itself beside other programs. Ways, at a node, for columns of more than 12 levels:

- exact: the levels in the order of their means, the best cut (Fisher 1958)
- honest: the order from a random half of the node's rows, the cut judged by the other half
- shrunken: means drawn towards the node's by 10 rows
- table: the order of the means of all rows of the tree, once per tree (ranger's `order`, per tree)
- rest: levels of fewer than 10 rows at the node are one
- charged: k - 2 shares of the impurity, a share being that of one row, are taken from the gain
- both: levels of fewer than 3 rows are one, and the others are charged, as wald does
- number: the levels' codes as numbers; without: the column left out

Prints squared errors on new rows, and for columns without meaning the `mdi` of the column of levels
and of a number without meaning.

Run: python bench/many_levels.py --data ../shared/data
"""

import argparse
import time

import numba as nb
import numpy as np
import pandas as pd

WAYS = ["exact", "honest", "shrunken", "table", "rest", "charged", "both"]
MOST_FREE = 12


@nb.njit(cache=True)
def grow(x, n_levels, y, drawn, settings):
    """Nodes of one tree, the levels on its sides, and what each column decreases the variance by."""
    mtry, way, seed = settings
    np.random.seed(seed)
    rows = np.flatnonzero(drawn > 0)
    n, p = len(rows), x.shape[1]
    room = 2 * n + 5
    feature, first = np.full(room, -1, np.int64), np.zeros(room, np.int64)
    threshold, value = np.zeros(room), np.zeros(room)
    sets = np.zeros((room, 3), np.int64)  # start, levels on the left, levels on the right
    others_left = np.zeros(room, np.bool_)
    pool = [0]
    decrease = np.zeros(p)
    most = n_levels.max() + 1
    count, weight, total = np.zeros(most), np.zeros(most), np.zeros(most)
    half_weight, half_total = np.zeros(most), np.zeros(most)
    on_left = np.zeros(most, np.bool_)
    order_of_table = np.zeros((p if way == 3 else 1, most))
    if way == 3:
        for j in np.flatnonzero(n_levels > 0):
            weight[:], total[:] = 0, 0
            for r in rows:
                weight[int(x[r, j])] += drawn[r]
                total[int(x[r, j])] += drawn[r] * y[r]
            order_of_table[j] = total / np.maximum(weight, 1)
        weight[:], total[:] = 0, 0
    columns = np.arange(p)
    waiting = [(0, 0, n)]
    n_nodes, all_weight = 1, drawn.sum()
    while len(waiting) > 0:
        node, start, end = waiting.pop()
        here = rows[start:end].copy()
        w = drawn[here].astype(np.float64)
        node_weight = w.sum()
        mean = (w * y[here]).sum() / node_weight
        value[node] = mean
        deviation = y[here] - mean
        squares = (w * deviation * deviation).sum()
        if node_weight <= 5 or squares <= 1e-12:
            continue
        best, chosen, cut_at, to_left = 1e-9, -1, 0.0, False
        chosen_left = np.zeros(0, np.int64)
        for at in range(mtry):
            other = at + np.random.randint(p - at)
            columns[at], columns[other] = columns[other], columns[at]
            j = columns[at]
            if n_levels[j] == 0:
                order = np.argsort(x[here, j])
                left_weight, left_sum = 0.0, 0.0
                for i in range(len(here) - 1):
                    left_weight += w[order[i]]
                    left_sum += w[order[i]] * deviation[order[i]]
                    a, b = x[here[order[i]], j], x[here[order[i + 1]], j]
                    if a < b:
                        gain = left_sum**2 * (1 / left_weight + 1 / (node_weight - left_weight))
                        if gain > best:
                            best, chosen, cut_at = gain, j, (a + b) / 2
                continue
            level = x[here, j].astype(np.int64)
            for i in range(len(here)):
                count[level[i]] += 1
                weight[level[i]] += w[i]
                total[level[i]] += w[i] * deviation[i]
                if way == 1 and np.random.random() < 0.5:
                    half_weight[level[i]] += w[i]
                    half_total[level[i]] += w[i] * deviation[i]
            present = np.unique(level)
            many = n_levels[j] > MOST_FREE
            least = 10 if way == 4 else 3 if way == 6 else 0
            is_rest = (count[present] < least) & many
            kept = present[~is_rest]
            g = len(kept)
            weights, sums = np.zeros(g + 1), np.zeros(g + 1)
            weights[:g], sums[:g] = weight[kept], total[kept]
            weights[g], sums[g] = weight[present[is_rest]].sum(), total[present[is_rest]].sum()
            if weights[g] > 0:
                g += 1
            key = sums[:g] / weights[:g]
            judged, judged_sums, scale = weights[:g].copy(), sums[:g].copy(), node_weight
            if many and way == 2:
                key = sums[:g] / (weights[:g] + 10)
            if many and way == 3:
                key = order_of_table[j][kept]
            if many and way == 1:
                key = half_total[kept] / (half_weight[kept] + 1)
                judged -= half_weight[kept]
                judged_sums -= half_total[kept]
                scale = judged.sum()
                if scale > 0:
                    judged_sums -= judged * judged_sums.sum() / scale
            charge = 0.0
            if many and way >= 5:
                charge = max(g - 2, 0) * squares / len(here)
            order = np.argsort(key)
            left_weight, left_sum, found = 0.0, 0.0, -1
            for i in range(g - 1):
                left_weight += judged[order[i]]
                left_sum += judged_sums[order[i]]
                if left_weight > 0 and scale - left_weight > 0 and key[order[i]] < key[order[i + 1]]:
                    gain = left_sum**2 * (1 / left_weight + 1 / (scale - left_weight))
                    gain = gain * node_weight / scale - charge
                    if gain > best:
                        best, found = gain, i
            if found >= 0:
                chosen = j
                left_groups = order[: found + 1]
                n_kept = len(kept)
                rest_left = np.any(left_groups >= n_kept)
                chosen_left = kept[left_groups[left_groups < n_kept]]
                if rest_left:
                    chosen_left = np.concatenate((chosen_left, present[is_rest]))
                lighter = weight[chosen_left].sum() < node_weight / 2
                to_left = rest_left if g > n_kept else not lighter
            for l in present:
                count[l], weight[l], total[l], half_weight[l], half_total[l] = 0, 0, 0, 0, 0
        if chosen < 0:
            continue
        if n_levels[chosen] == 0:
            is_left = x[here, chosen] <= cut_at
        else:
            on_left[chosen_left] = True
            is_left = on_left[x[here, chosen].astype(np.int64)]
            on_left[chosen_left] = False
            right = np.unique(x[here[~is_left], chosen].astype(np.int64))
            sets[node] = (len(pool), len(chosen_left), len(right))
            for l in np.sort(chosen_left):
                pool.append(l)
            for l in right:
                pool.append(l)
            others_left[node] = to_left
        left_weight = w[is_left].sum()
        if left_weight == 0 or left_weight == node_weight:
            continue
        left_sum = (w * deviation)[is_left].sum()
        gain = left_sum**2 * (1 / left_weight + 1 / (node_weight - left_weight))
        decrease[chosen] += gain / all_weight
        n_left = is_left.sum()
        rows[start : start + n_left] = here[is_left]
        rows[start + n_left : end] = here[~is_left]
        feature[node], threshold[node], first[node] = chosen, cut_at, n_nodes
        waiting.append((n_nodes, start, start + n_left))
        waiting.append((n_nodes + 1, start + n_left, end))
        n_nodes += 2
    return feature, threshold, first, value, sets, others_left, np.array(pool), decrease


@nb.njit(cache=True)
def predict(x, n_levels, tree):
    feature, threshold, first, value, sets, others_left, pool, _ = tree
    found = np.empty(len(x))
    for r in range(len(x)):
        node = 0
        while feature[node] >= 0:
            j = feature[node]
            if n_levels[j] == 0:
                is_left = x[r, j] <= threshold[node]
            else:
                level = int(x[r, j])
                start, n_left, n_right = sets[node]
                left, right = pool[start : start + n_left], pool[start + n_left :][:n_right]
                at, other = np.searchsorted(left, level), np.searchsorted(right, level)
                is_left = at < n_left and left[at] == level
                if not is_left and not (other < n_right and right[other] == level):
                    is_left = others_left[node]
            node = first[node] + (0 if is_left else 1)
        found[r] = value[node]
    return found


def forest(train, test, n_levels, mtry, way, n_trees, seed):
    """The squared error on new rows, `mdi` over the variance, and processor seconds of growing."""
    (x, y), (new, truth) = train, test
    rng = np.random.default_rng(seed)
    predicted, mdi, seconds = np.zeros(len(truth)), np.zeros(x.shape[1]), 0.0
    for tree in range(n_trees):
        drawn = np.bincount(rng.integers(len(y), size=len(y)), minlength=len(y))
        began = time.process_time()
        grown = grow(x, n_levels, y, drawn, (mtry, WAYS.index(way), 1000 * seed + tree))
        seconds += time.process_time() - began
        predicted += predict(new, n_levels, grown) / n_trees
        mdi += grown[-1] / n_trees / y.var()
    return np.mean((predicted - truth) ** 2), mdi, seconds


def coded(frame):
    """Numbers, with missing ones below all others, and codes of levels."""
    x, n_levels = np.empty(frame.shape), []
    for at, (_, column) in enumerate(frame.items()):
        is_number = pd.api.types.is_numeric_dtype(column)
        codes, names = (None, []) if is_number else pd.factorize(column.fillna("?"))
        x[:, at] = column.fillna(-1e9) if is_number else codes
        n_levels.append(len(names))
    return x, np.array(n_levels)


def loans(data, seed):
    frame = pd.read_csv(f"{data}/loans.csv").drop(columns=["grade", "sub_grade"])
    frame = frame.sample(10_000, random_state=seed)
    y = frame.pop("interest_rate").to_numpy().astype(float)
    return *coded(frame), y, 8000, 17


def flights(data, seed):
    leaks = ["year", "time_hour", "dep_time", "dep_delay", "arr_time", "air_time"]
    frame = pd.read_csv(f"{data}/flights.csv.gz").drop(columns=leaks).dropna(subset=["arr_delay"])
    frame = frame.sample(12_000, random_state=seed)
    y = frame.pop("arr_delay").to_numpy().astype(float)
    return *coded(frame), y, 8000, 4


def levels(n_levels, zipf, effect, n_train=4000):
    """A column of levels beside five numbers; the frequency of the k-th level is as 1 / k^zipf."""

    def draw(_, seed):
        rng = np.random.default_rng([seed, n_levels])
        n = n_train + 4000
        share = 1 / (1 + np.arange(n_levels)) ** zipf
        level = rng.choice(n_levels, size=n, p=share / share.sum())
        x = rng.standard_normal((n, 5))
        y = x[:, 0] + x[:, 1] * x[:, 2] + rng.standard_normal(n)
        y += effect * rng.standard_normal(n_levels)[level]
        return np.column_stack([level, x]), np.array([n_levels, 0, 0, 0, 0, 0]), y, n_train, 2

    return draw


TABLES = {
    "loans, 4,741 job titles": loans,
    "flights, tail numbers": flights,
    "100 levels": levels(100, 0, 1),
    "100 levels, small effects": levels(100, 0, 0.4),
    "300 levels": levels(300, 0, 1),
    "1,000 levels": levels(1000, 0, 1),
    "3,000 levels, as 1/k": levels(3000, 1, 1),
    "100,000 levels, as 1/k": levels(100_000, 1, 1),
    "100 levels, no meaning": levels(100, 0, 0),
    "5,000 levels, no meaning": levels(5000, 0, 0),
    "100,000 levels, no meaning": levels(100_000, 0, 0),
}


def line(draw, arguments):
    cells = []
    for seed in range(1, arguments.repeats + 1):
        x, n_levels, y, n_train, mtry = draw(arguments.data, seed)
        train, test = (x[:n_train], y[:n_train]), (x[n_train:], y[n_train:])
        run = (mtry, arguments.trees, seed)
        ways = [forest(train, test, n_levels, mtry, way, *run[1:]) for way in WAYS]
        as_number = np.where(n_levels > MOST_FREE, 0, n_levels)
        few = n_levels <= 100 if draw in (loans, flights) else n_levels == 0
        x_few = [(np.ascontiguousarray(rows[:, few]), out) for rows, out in (train, test)]
        errors = [way[0] for way in ways]
        errors.append(forest(train, test, as_number, mtry, "exact", *run[1:])[0])
        errors.append(forest(*x_few, n_levels[few], mtry, "exact", *run[1:])[0])
        mdi = [way[1][at] for way in ways for at in (0, 5)]
        cells.append(errors + mdi + [way[2] / ways[0][2] for way in ways])
    return np.mean(cells, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="the folder of the tables")
    parser.add_argument("--trees", type=int, default=30)
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    programs = [*WAYS, "number", "without"]
    print("| squared error | " + " | ".join(programs) + " |\n|" + "---|" * (len(programs) + 1))
    importances = []
    for name, draw in TABLES.items():
        found = line(draw, arguments)
        digits = 0 if draw is flights else 2
        print(f"| {name} | " + " | ".join(f"{e:.{digits}f}" for e in found[: len(programs)]) + " |",
              flush=True)
        if "no meaning" in name:
            pairs = found[len(programs) : len(programs) + 2 * len(WAYS)].reshape(-1, 2)
            importances.append((name, pairs))
        seconds = found[-len(WAYS) :]
    print("\n| mdi: levels / a number | " + " | ".join(WAYS) + " |\n|" + "---|" * (len(WAYS) + 1))
    for name, pairs in importances:
        print(f"| {name} | " + " | ".join(f"{a:.3f} / {b:.3f}" for a, b in pairs) + " |")
    print("Seconds over those of exact, last table:", dict(zip(WAYS, np.round(seconds, 2))))


if __name__ == "__main__":
    main()
