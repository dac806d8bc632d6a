"""The Python package in the hands of other libraries: each is asked for something that is known by another way.

    PYTHONPATH=build/python python3 others_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import importlib
import inspect
from typing import Any

from python_case import Case, cs, main, needs, np

SPEED = 1.0  # of the slider at its start


class Arrays(Case):
    @needs("jax")
    def test_jax_takes_columns(self) -> None:
        jax: Any = importlib.import_module("jax")
        jax.config.update("jax_enable_x64", True)
        run = self.slider().run()
        taken = jax.dlpack.from_dlpack(run["reach"])
        self.assert_same_bits(taken, run["reach"])
        address = run["reach"].ctypes.data
        if address % 64 == 0:  # else JAX makes a copy
            self.assertEqual(taken.unsafe_buffer_pointer(), address)
        self.assertAlmostEqual(float(jax.numpy.mean(taken)), run.summary["observables"]["reach"]["mean"], places=14)

    @needs("joblib")
    def test_joblib_sends_studies_to_processes(self) -> None:
        import joblib

        studies = [self.slider(k=k) for k in (3.0, 4.0, 5.0)]
        alone = [np.asarray(study.evaluate(study.draw())) for study in studies]
        for found, wanted in zip(joblib.Parallel(n_jobs=2)(joblib.delayed(_evaluate)(study) for study in studies), alone):
            self.assert_same_bits(found, wanted)


def _evaluate(study: cs.Scenario) -> Any:
    return np.asarray(study.evaluate(study.draw()))


class Tables(Case):
    @needs("pandas")
    def test_pandas_groups_members(self) -> None:
        run = self.slider(classes={"far": "reach > 1.5", "near": "reach <= 1.5"}).run()
        frame = run.frame
        far = frame.groupby("class", observed=True)["reach"].agg(["count", "min"]).loc["far"]
        self.assertEqual(far["count"], run.summary["classes"]["far"]["members"])
        self.assertGreater(far["min"], 1.5)
        ours = run.table.loc[["reach", "settled"], "mean"]
        self.assertLess(abs(frame[["reach", "settled"]].mean() / ours - 1).max(), 1e-14)
        file = self.folder / "members.csv"
        frame.to_csv(file)
        import pandas

        again = pandas.read_csv(file, index_col="member")
        np.testing.assert_allclose(again["reach"], run["reach"], rtol=1e-14)  # older versions read the last digit in their own way
        self.assertEqual(set(again["status"]), {"ok"})

    def there_and_back(self, engine: str) -> None:
        import xarray

        run = self.slider(members=6, sweep={"k": {"values": [3.0, 4.0, 5.0]}}, record={"members": 4, "every": 5}, units={"x": "m", "t": "s"}).run()
        file = self.folder / f"{engine}.nc"
        run.dataset.to_netcdf(file, engine=engine)
        with xarray.open_dataset(file, engine=engine) as again:
            self.assertTrue(again.load().identical(run.dataset), f"{again}\n{run.dataset}")
            self.assert_same_bits(again["reach"].sel(k=5.0), run["reach"][12:18])

    @needs("xarray", "netCDF4")
    def test_xarray_writes_netcdf_and_reads_it(self) -> None:
        self.there_and_back("netcdf4")

    @needs("xarray", "h5netcdf", "h5py")
    def test_the_same_by_h5netcdf(self) -> None:
        self.there_and_back("h5netcdf")

    @needs("xarray", "h5netcdf", "h5py")
    def test_a_dataset_is_what_results_h5_has(self) -> None:
        import xarray

        run = self.slider(units={"x": "m"}).run(self.folder / "run")
        with xarray.open_dataset(self.folder / "run/results.h5", group="observables", engine="h5netcdf") as of_file:
            for name in run.observables:
                self.assert_same_bits(run.dataset[name], of_file[name])
                self.assertEqual({key: run.dataset[name].attrs[key] for key in ("units", "long_name")}, dict(of_file[name].attrs))


class Calibration(Case):
    """A slider that was seen at twelve times: its friction angle and delay are found again."""

    times = np.linspace(0.25, 3.0, 12)
    truth = np.array([0.2, 0.25])  # alpha, tau

    def setUp(self) -> None:
        super().setUp()
        seen = {f"x{k}": {"final": "x", "before": float(time)} for k, time in enumerate(self.times)}
        self.study = self.sample("slider", v0=SPEED, step=0.005, observe=seen)
        self.assertEqual(self.study.varied, ["alpha", "tau"])
        self.seen = list(seen)
        self.record = self.track(self.truth)

    def track(self, parameters: Any) -> Any:
        return self.study.evaluate(parameters)[self.seen]

    @needs("scipy")
    def test_by_least_squares(self) -> None:
        from scipy import optimize

        found = optimize.least_squares(lambda guess: self.track(guess) - self.record, [0.22, 0.22], diff_step=1e-4, bounds=([0.1, 0.05], [0.6, 0.4]))
        self.assertLess(np.abs(found.x - self.truth).max(), 1e-6, found)

    @needs("scipy")
    def test_by_a_search_without_derivatives(self) -> None:
        from scipy import optimize

        def miss(guesses: Any) -> Any:  # a generation at once: [parameter, guess]
            return np.sum((self.track(guesses.T) - self.record) ** 2, axis=1)

        named = "rng" if "rng" in inspect.signature(optimize.differential_evolution).parameters else "seed"  # before SciPy 1.15
        found = optimize.differential_evolution(miss, [(0.1, 0.6), (0.05, 0.4)], vectorized=True, updating="deferred", polish=False, tol=1e-8, **{named: 3})
        self.assertLess(np.abs(found.x - self.truth).max(), 1e-4, found)

    def test_by_approximate_bayesian_computation(self) -> None:
        """Of many draws of the prior those that come closest: they lie around the truth, ever closer."""
        noisy = self.record + np.random.default_rng(5).normal(0, 0.01, len(self.times))
        drawn = self.study.with_(members=20_000).draw()
        miss = np.sqrt(np.mean((self.track(drawn) - noisy) ** 2, axis=1))
        order = np.argsort(miss)
        widths = []
        for kept in 2000, 200:
            posterior = drawn[order[:kept]]
            low, high = np.quantile(posterior, [0.025, 0.975], axis=0)
            self.assertTrue(np.all((low < self.truth) & (self.truth < high)), (low, high))
            widths.append(high - low)
        self.assertTrue(np.all(widths[1] < 0.6 * widths[0]), widths)

    @needs("emcee")
    def test_by_emcee(self) -> None:
        import emcee

        noise = 0.01
        noisy = self.record + np.random.default_rng(5).normal(0, noise, len(self.times))
        lower, upper = np.array([0.1, 0.05]), np.array([0.6, 0.4])

        def log_posterior(walkers: Any) -> Any:
            inside = np.all((walkers > lower) & (walkers < upper), axis=1)
            with np.errstate(invalid="ignore"):
                miss = np.sum((self.track(np.clip(walkers, lower, upper)) - noisy) ** 2, axis=1) / (2 * noise**2)
            return np.where(inside & np.isfinite(miss), -miss, -np.inf)

        random = np.random.default_rng(7)
        sampler = emcee.EnsembleSampler(24, 2, log_posterior, vectorize=True)
        sampler.random_state = np.random.RandomState(7).get_state()
        sampler.run_mcmc(self.truth + 0.01 * random.normal(size=(24, 2)), 400)
        chain = sampler.get_chain(discard=150, flat=True)
        self.assertTrue(0.2 < np.mean(sampler.acceptance_fraction) < 0.9, sampler.acceptance_fraction)
        apart = np.abs(chain.mean(axis=0) - self.truth) / chain.std(axis=0)
        self.assertTrue(np.all(apart < 3), (chain.mean(axis=0), chain.std(axis=0)))
        # the spread is that of a linearised posterior
        small = 1e-3
        slopes = np.stack([(self.track(self.truth + small * axis) - self.track(self.truth - small * axis)) / (2 * small) for axis in np.eye(2)])
        linear = np.sqrt(np.diag(np.linalg.inv(slopes @ slopes.T))) * noise
        wider = chain.std(axis=0) / linear
        self.assertTrue(np.all((wider > 0.5) & (wider < 2)), wider)


class Sensitivity(Case):
    @needs("SALib")
    def test_salib_and_we_find_the_same_indices(self) -> None:
        from SALib import ProblemSpec

        study = self.slider()
        inputs = {"names": ["alpha", "v0", "tau"], "bounds": [[0.1, 0.6], [1.0, 0.2], [0.05, 0.4]], "dists": ["unif", "norm", "unif"], "outputs": ["reach"]}
        self.assertEqual(inputs["names"], study.varied)
        problem = ProblemSpec(inputs)
        problem.sample_sobol(1024, calc_second_order=False, seed=1)
        problem.evaluate(lambda points: study.evaluate(points)["reach"])
        problem.analyze_sobol(calc_second_order=False, seed=1)
        theirs = problem.analysis
        ours = study.sensitivity(members=20_000).summary["sensitivity"]["reach"]
        for k, name in enumerate(study.varied):
            for index, value, width in ("first", theirs["S1"][k], theirs["S1_conf"][k]), ("total", theirs["ST"][k], theirs["ST_conf"][k]):
                lower, upper = ours[name][f"{index}_interval"]
                self.assertLess(abs(ours[name][index] - value), (upper - lower) / 2 + width, f"{index} of {name}")


if __name__ == "__main__":
    main()
