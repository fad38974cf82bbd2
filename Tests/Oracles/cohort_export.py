"""Where the Python with pyarrow and DuckDB is, and the BIDS validator, if it is installed: cohort_export.json."""
import json
import pathlib
import sys

validator = pathlib.Path(sys.executable).parent / "bids-validator-deno"
info = dict(python=sys.executable, validator=str(validator) if validator.exists() else None)
(pathlib.Path(sys.argv[1]) / "cohort_export.json").write_text(json.dumps(info))
