"""Importing the package loads no library that takes long."""
from __future__ import annotations

import subprocess
import sys


def test_import_loads_neither_numpy_nor_pandas_nor_matplotlib() -> None:
    code = "import marey, sys; print([m for m in ('numpy', 'pandas', 'matplotlib', 'mne') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_can_be_loaded() -> None:
    import marey

    for name in marey.__all__:
        assert getattr(marey, name) is not None
    assert set(marey.__all__) == set(dir(marey))
