import platform

import numpy as np
import pytest

from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.provenance import versions_of


@pytest.fixture(scope="module")
def config():
    return make_plan(Settings("discharge", policies=("silent",), limit=1)).config


def test_a_run_records_what_decided_its_result(config):
    assert config.versions["numpy"] == np.__version__
    assert config.versions["python"] == platform.python_version()
    assert {"bedside", "torch", "faiss-cpu", "sentence-transformers", "platform"} <= set(config.versions)


@pytest.mark.parametrize(
    ("role", "runtime"),
    [
        ({"policies": ("silent", "smollm2?threads=1")}, "xllamacpp"),
        ({"judge": "hf/somewhere"}, "transformers"),
        ({"verifier": "ensemble:hf/somewhere"}, "transformers"),
    ],
)
def test_runtimes_of_models_are_recorded_where_one_takes_part(config, role, runtime):
    assert runtime not in config.versions
    assert runtime in versions_of(config.model_copy(update=role))
    # Another version is another environment and no other evaluation: a run can be gone on with.
    assert config.differences(config.model_copy(update={"versions": {}})) == []
