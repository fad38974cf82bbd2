"""What pyarrow and DuckDB read in Parquet files: `formats_parquet.py --read FILE` prints it as JSON, for files written by the
tests. Called with a folder it writes formats_parquet.json there, which says where this script and its Python are."""
import json
import math
import pathlib
import sys

import duckdb
import pyarrow.parquet as parquet


def plain(value):
    return None if isinstance(value, float) and math.isnan(value) else value


def read(path):
    table = parquet.read_table(path)
    file = parquet.ParquetFile(path)
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    statistics = [[(lambda s: dict(least=s.min if s.has_min_max else None, greatest=s.max if s.has_min_max else None,
                                   missing=s.null_count))(g.column(c).statistics)
                   for c in range(g.num_columns)] for g in groups]
    rows = duckdb.sql(f"select * from '{path}'")
    return dict(
        types=[str(t) for t in table.schema.types], columns=[[plain(v) for v in c.to_pylist()] for c in table.columns],
        notes={k.decode(): v.decode() for k, v in (file.metadata.metadata or {}).items() if k != b"ARROW:schema"},
        statistics=statistics, groups=[g.num_rows for g in groups],
        duckdb=[[plain(v) for v in r] for r in rows.fetchall()], duckdbTypes=[str(t) for t in rows.types])


if sys.argv[1] == "--read":
    print(json.dumps(read(sys.argv[2])))
else:
    info = dict(python=sys.executable, script=str(pathlib.Path(__file__).resolve()))
    (pathlib.Path(sys.argv[1]) / "formats_parquet.json").write_text(json.dumps(info))
