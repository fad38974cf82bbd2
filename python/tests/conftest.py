"""A simulated recording that all tests share."""
from __future__ import annotations

from pathlib import Path

import pytest

from marey._program import run


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("marey") / "rest.edf"
    run(["simulate", str(path), "--duration", "300", "--seed", "5", "--ectopics", "0.01", "--drop-out", "100:8"])
    return path
