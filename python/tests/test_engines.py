"""Ray and Spark share work with the bytes of one process, also where a worker dies.

`cargo xtask test --engines` runs these, in an environment that has both.
"""

import os
import signal

import pytest
from shared_work import FRAME, Here, Y, fitted, forest, grow, measure, select, written

import wald
from wald._executors.ray import RayExecutor

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    # Of a task that fails, a second try is local, too.
    session = sql.SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
    session = session.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(params=["ray", "spark"])
def executor(request):
    engine = request.getfixturevalue(request.param)
    return wald.ray_executor() if request.param == "ray" else wald.spark_executor(engine)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return Here(tmp_path_factory.mktemp("here"))


@pytest.mark.parametrize("command", [grow, measure, select], ids=lambda command: command.__name__)
def test_bytes_are_those_of_one_process(executor, command, here, tmp_path):
    assert command(executor, tmp_path) == here.of(command)


def workers_at_work(name):
    """Processes of this machine that spend time under such a name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                words = file.read()
        except OSError:
            continue
        if name in words:
            found.append(int(pid))
    return found


def test_a_worker_that_dies_is_replaced(executor, tmp_path):
    name = "ray::run" if isinstance(executor, RayExecutor) else "pyspark.daemon"
    killed = []

    def kill(done, total):
        # When the first part is done, others are at work. The daemon of Spark's workers is the
        # oldest of them.
        workers = sorted(workers_at_work(name)) if done >= 1 and not killed else []
        if workers:
            killed.append(workers[-1])
            os.kill(workers[-1], signal.SIGKILL)

    asked = {"permutations": 2_000, "seed": 1}
    found = fitted().importance("mda_breiman_cutler", executor=wald.Workers(executor, parts=6),
                                progress=kill, **asked)
    assert killed
    assert written(found, tmp_path) == written(fitted().importance("mda_breiman_cutler", **asked),
                                               tmp_path)


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
