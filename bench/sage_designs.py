"""Which orders of the variables and which control variates leave SAGE the least error.

For forests of scikit-learn on five tables, what every coalition of variables leaves of the loss
is computed by definition, and so are the values. Then orders are drawn as
crates/wald/src/measure/sage draws them, again and again, and the mean square of the error over
variables times the number of walks through the forest (an order of all variables is one) is
compared with that of antithetic orders: half of it means half the time for the same error.
Nothing here calls wald. Slopes of control variates are those of the regression over all that was
drawn, common to all variables. Run it by `python bench/sage_designs.py`; it takes a minute or two.
"""

import argparse
from math import factorial

import numpy as np
from scipy.stats import norm
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

SEGMENTS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"


def friedman(rng, n_rows, correlation):
    lag = np.abs(np.subtract.outer(range(10), range(10)))
    x = norm.cdf(rng.normal(size=(n_rows, 10)) @ np.linalg.cholesky(correlation**lag).T)
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    return x, y + 10 * x[:, 3] + 5 * x[:, 4] + rng.normal(size=n_rows)


def digits(rng, n_rows):
    shown = np.array([[int(lit) for lit in digit] for digit in SEGMENTS.split()])
    y = rng.integers(0, 10, n_rows)
    return (shown[y] ^ (rng.random((n_rows, 7)) < 0.1)).astype(float), y


def stored(rng, load):
    x, y = load(return_X_y=True)
    order = rng.permutation(len(y))
    return x[order], y[order]


# Name, table, rows to train on, to explain and to average over.
CASES = [
    ("Friedman 1, 10 columns", lambda rng: friedman(rng, 1_100, 0.0), (1_000, 100, 50)),
    ("the same, correlation 0.8", lambda rng: friedman(rng, 1_100, 0.8), (1_000, 100, 50)),
    ("LED with noise, 7 columns", lambda rng: digits(rng, 1_150), (1_000, 150, 40)),
    ("diabetes, 10 columns", lambda rng: stored(rng, load_diabetes), (300, 80, 50)),
    ("wine, 13 columns", lambda rng: stored(rng, load_wine), (100, 40, 30)),
]


def games(table, sizes):
    """Per coalition: squared loss, log loss, and the two control variates."""
    (x, y), (n_training, n_explained, n_background) = table, sizes
    kind = RandomForestClassifier if y.dtype.kind == "i" else RandomForestRegressor
    n_columns = x.shape[1]
    forest = kind(20, max_features=max(1, n_columns // 3), random_state=0, n_jobs=1)
    forest.fit(x[:n_training], y[:n_training])
    rows, truth = (part[n_training:][:n_explained] for part in (x, y))
    is_class = kind is RandomForestClassifier
    predict = forest.predict_proba if is_class else forest.predict
    truth = np.eye(len(forest.classes_))[truth] if is_class else truth[:, None]
    expected = []
    for coalition in range(1 << n_columns):
        known = coalition >> np.arange(n_columns) & 1 == 1
        mixed = np.where(known, rows[:, None, :], x[:n_background]).reshape(-1, n_columns)
        expected.append(predict(mixed).reshape(len(rows), n_background, -1).mean(1))
    expected = np.array(expected)
    above = expected - expected[0]
    squared = ((truth - expected) ** 2).sum(2).mean(1)
    log = -np.log(np.maximum((truth * expected).sum(2), 1e-15)).mean(1) if is_class else squared
    controls = [-2 * (by * above).sum(2).mean(1) for by in (truth - expected[0], above[-1])]
    return np.stack([squared, log, *controls], 1)


def shapley(game, n_columns):
    coalitions = np.arange(1 << n_columns)
    sizes = (coalitions[:, None] >> np.arange(n_columns) & 1).sum(1)
    share = [factorial(k) * factorial(n_columns - k - 1) for k in range(n_columns)]
    values = []
    for column in range(n_columns):
        without = coalitions[coalitions >> column & 1 == 0]
        shares = np.array(share, float)[sizes[without]] / factorial(n_columns)
        values.append(shares @ (game[without] - game[without | 1 << column]))
    return np.array(values)


def by_orders(game, orders):
    """The mean over orders of what joining columns take off."""
    steps = np.cumsum(1 << orders, 1)
    values = game[np.concatenate([np.zeros((len(orders), 1), int), steps], 1)]
    falls = np.zeros((len(orders), orders.shape[1], game.shape[1]))
    np.put_along_axis(falls, orders[:, :, None], values[:, :-1] - values[:, 1:], 1)
    return falls.mean(0)


def both_ways(orders):
    return np.concatenate([orders, orders[:, ::-1]])


def antithetic(rng, n_columns):
    return both_ways(rng.permutation(n_columns)[None]), 2


def stratified(rng, n_columns):
    """All circles of a set. Walks back meet the coalitions of walks there."""
    prime = next(q for q in range(max(2, n_columns), 200) if all(q % d for d in range(2, q)))
    numbers = rng.permutation(prime)[:n_columns]
    circles = [np.argsort(m * numbers % prime) for m in range(1, max(2, (prime + 1) // 2))]
    orders = np.array([np.roll(circle, k) for circle in circles for k in range(n_columns)])
    return both_ways(orders), len(orders)


def errors(game, exact, design, n_sets, rng):
    drawn = [design(rng, game.shape[0].bit_length() - 1) for _ in range(n_sets)]
    gaps = np.array([by_orders(game, orders) for orders, _ in drawn]) - exact
    n_walks = drawn[0][1]
    controls = gaps[:, :, 2:].reshape(-1, 2)
    plain = gaps[:, :, 0].reshape(-1)
    corrected = plain - controls @ np.linalg.lstsq(controls, plain, rcond=None)[0]
    return [n_walks * np.mean(part**2) for part in (plain, corrected, gaps[:, :, 1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=1_000, help="sets of orders of each design")
    arguments = parser.parse_args()
    print("| case | walks of a set | control variates | stratified | both | stratified, log loss |")
    print("|---|---|---|---|---|---|")
    for name, draw, sizes in CASES:
        rng = np.random.default_rng(0)
        game = games(draw(rng), sizes)
        n_columns = game.shape[0].bit_length() - 1
        exact = shapley(game, n_columns)
        plain, controlled, log = errors(game, exact, antithetic, arguments.sets, rng)
        found = errors(game, exact, stratified, arguments.sets // 5, rng)
        of_log = f"{found[2] / log:.2f}" if np.any(game[:, 0] != game[:, 1]) else "-"
        shares = [controlled / plain, found[0] / plain, found[1] / plain]
        cells = [name, stratified(rng, n_columns)[1], *(f"{share:.2f}" for share in shares), of_log]
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
