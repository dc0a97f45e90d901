"""Another program fits a Gaussian process to a table and predicts, for `gaussian_process.py`.

    python gaussian_process_peers.py PROGRAM TABLE KERNEL STARTS SEED

Inputs are scaled to 0 to 1, outputs to mean 0 and standard deviation 1, as wald does. All programs
estimate a length for each input and the noise. Prints JSON; log-likelihoods are of scaled outputs.
"""

import json
import sys
import time
import warnings

import numpy as np

LENGTHS, NOISE = (0.01, 100), (1e-10, 10)


def starts(n_starts, n_inputs, seed):
    """Lengths and shares of noise, as multiples of the variance of the process."""
    numbers = np.random.default_rng(seed)
    middle = 0.5 * np.sqrt(n_inputs)
    lengths = 0.2 * middle * 25 ** numbers.random((n_starts, n_inputs))
    return lengths, np.resize([1e-4, 1e-6, 1e-2, 1e-1], n_starts)


def by_numpy(X, y, fresh, settings):
    """A product of Matern 5/2 factors: the likelihood in numpy, and L-BFGS-B of scipy."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.optimize import minimize

    n, d = X.shape
    distances = np.abs(X[:, None] - X[None])

    def solved(covariance):
        factor = cho_factor(covariance, lower=True)
        inverse = cho_solve(factor, np.eye(n))
        mean = inverse.sum(0) @ y / inverse.sum()
        weights = inverse @ (y - mean)
        return factor[0], inverse, mean, weights, (y - mean) @ weights / n

    def correlation(distances, at):
        scaled = np.sqrt(5) * distances / np.exp(at[:d])
        factors = 1 + scaled + scaled**2 / 3
        return scaled, factors, factors.prod(2) * np.exp(-scaled.sum(2))

    def minus(at):
        scaled, factors, found = correlation(distances, at)
        try:
            lower, inverse, _, weights, variance = solved(found + np.exp(at[d]) * np.eye(n))
        except np.linalg.LinAlgError:
            return 1e10, np.zeros(d + 1)
        value = n * (np.log(2 * np.pi * variance) + 1) / 2 + np.log(np.diag(lower)).sum()
        outer = np.outer(weights, weights) / variance - inverse
        of_logs = scaled**2 * (1 + scaled) / 3 / factors
        gradient = np.einsum("ij,ijk->k", outer * found, of_logs)
        return value, -np.append(gradient, np.exp(at[d]) * np.trace(outer)) / 2

    bounds = [np.log(LENGTHS)] * d + [np.log(NOISE)]
    best = min(
        (
            minimize(minus, np.log(np.append(lengths, noise)), jac=True, bounds=bounds)
            for lengths, noise in zip(*starts(settings.starts, d, settings.seed))
        ),
        key=lambda found: found.fun,
    )
    _, _, found = correlation(distances, best.x)
    _, _, mean, weights, _ = solved(found + np.exp(best.x[d]) * np.eye(n))
    yield -best.fun
    yield mean + correlation(np.abs(fresh[:, None] - X[None]), best.x)[2] @ weights


def by_scikit_learn(X, y, fresh, settings):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

    lengths = np.full(X.shape[1], 0.5 * np.sqrt(X.shape[1]))
    kernels = {
        "squared_exponential": RBF(lengths, LENGTHS),
        "matern_52": Matern(lengths, LENGTHS, nu=2.5),
    }
    kernel = ConstantKernel() * kernels[settings.kernel] + WhiteKernel(1e-2, NOISE)
    process = GaussianProcessRegressor(
        kernel, alpha=1e-10, n_restarts_optimizer=settings.starts - 1, random_state=settings.seed
    ).fit(X, y)
    yield process.log_marginal_likelihood_value_
    yield process.predict(fresh)


def by_openturns(X, y, fresh, settings):
    import openturns

    openturns.Log.Show(openturns.Log.NONE)
    d = X.shape[1]
    # Its correlation 1 + s + s^2/3 has s = sqrt(5) distance / length, too.
    covariance = openturns.ProductCovarianceModel([openturns.MaternModel([1.0], 2.5)] * d)
    covariance.activateNuggetFactor(True)
    trend = openturns.ConstantBasisFactory(d).build()
    fitter = openturns.GaussianProcessFitter(X, y[:, None], covariance, trend)
    low, high = zip(*[LENGTHS] * d, NOISE)
    fitter.setOptimizationBounds(openturns.Interval(low, high))
    begin = np.column_stack(starts(settings.starts, d, settings.seed))
    fitter.setOptimizationAlgorithm(openturns.MultiStart(openturns.Cobyla(), begin))
    fitter.run()
    fitted = fitter.getResult()
    regression = openturns.GaussianProcessRegression(fitted)
    regression.run()
    yield fitted.getOptimalLogLikelihood()
    yield np.ravel(regression.getResult().getMetaModel()(fresh))


def by_libkriging(X, y, fresh, settings):
    import pylibkriging

    process = pylibkriging.Kriging("matern5_2", "nugget")
    process.fit(y, X, "constant", False, f"BFGS{settings.starts}", "LL", {})
    yield process.logLikelihood()
    yield np.ravel(process.predict(fresh, False)[0])


def by_smt(X, y, fresh, settings):
    from smt.surrogate_models import KRG

    process = KRG(
        corr="matern52", eval_noise=True, n_start=settings.starts, print_global=False,
        seed=settings.seed,
    )
    process.set_training_values(X, y)
    process.train()
    yield None
    yield np.ravel(process.predict_values(fresh))


PROGRAMS = {
    "numpy": by_numpy,
    "scikit-learn": by_scikit_learn,
    "OpenTURNS": by_openturns,
    "libKriging": by_libkriging,
    "SMT": by_smt,
}


class Settings:
    def __init__(self, kernel, n_starts, seed):
        self.kernel, self.starts, self.seed = kernel, int(n_starts), int(seed)


def main():
    program, table, *settings = sys.argv[1:]
    warnings.simplefilter("ignore")
    with open(table, encoding="utf-8") as file:
        table = {key: np.array(values) for key, values in json.load(file).items()}
    X, y, fresh = table["X"], table["y"], table["fresh"]
    least, width = X.min(0), np.ptp(X, axis=0)
    mean, deviation = y.mean(), y.std()
    scaled = ((X - least) / width, (y - mean) / deviation, (fresh - least) / width)
    results = PROGRAMS[program](*scaled, Settings(*settings))
    clocks = time.perf_counter(), time.process_time()
    likelihood = next(results)
    seconds = [time.perf_counter() - clocks[0], time.process_time() - clocks[1]]
    predicted = (mean + deviation * next(results)).tolist()
    print(json.dumps({"seconds": seconds, "log_likelihood": likelihood, "predicted": predicted}))


if __name__ == "__main__":
    main()
