"""Ray and Spark share work with the bytes of one process, also where a worker dies.

`cargo xtask engines` runs these, in an environment that has both.
"""

import sys
from functools import partial
from pathlib import Path

import pytest
from shared_work import COMMANDS, FRAME, Death, Y, forest

import wald

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    start = partial(ray.init, num_cpus=2, include_dashboard=False, log_to_driver=False)
    # It waits a quarter of a minute for its own processes, which compile their files the first time.
    for attempts_left in reversed(range(4)):
        try:
            start()
            break
        except Exception:
            ray.shutdown()
            if attempts_left == 0:
                raise
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    with pytest.MonkeyPatch.context() as patch:
        # Workers are of this environment, and what they unpickle is found here.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        # Of a task that fails, a second try is local, too.
        session = sql.SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
        session = session.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        yield session
        session.stop()


@pytest.fixture(params=["ray", "spark"])
def executor(request):
    engine = request.getfixturevalue(request.param)
    return wald.ray_executor() if request.param == "ray" else wald.spark_executor(engine)


@pytest.fixture(params=COMMANDS, ids=lambda command: command.__name__)
def command(request, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    return request.param


def test_bytes_are_those_of_one_process(executor, command, here, tmp_path):
    assert command(executor, tmp_path) == here.of(command)


def test_a_worker_that_dies_is_replaced(executor, command, here, tmp_path, monkeypatch):
    death = Death(monkeypatch, tmp_path)
    assert command(wald.Workers(executor, parts=3), tmp_path) == here.of(command)
    assert death.has_come()


def test_engines_without_processors(ray):
    executor = wald.ray_executor(cpus=1000)
    with pytest.raises(wald.SettingError, match="no workers"):
        forest().fit(FRAME, Y, executor=executor)
    with pytest.raises(wald.SettingError, match="cpus"):
        wald.ray_executor(cpus=0)


def test_what_is_no_executor(ray, spark):
    for given, way in [(ray, "ray_executor()"), (spark, "spark_executor(spark)")]:
        with pytest.raises(wald.SettingError, match="is of type") as error:
            forest().fit(FRAME, Y, executor=given)
        assert way in error.value.help
    with pytest.raises(wald.SettingError, match="SparkSession"):
        wald.spark_executor(3)
