"""Replays and results as columns: a pandas data frame, or NumPy arrays if pandas is not installed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt

from damier._engine import Replay


def frame(source: Replay | Iterable[dict[str, Any]]) -> Any:
    """A pandas DataFrame with one row per move of a replay or per dictionary; a dictionary of arrays without pandas."""
    rows = _moves(source) if isinstance(source, Replay) else list(source)
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def _column(values: list[Any]) -> npt.NDArray[Any]:
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {int, float, bool}:
        return np.array(values)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _moves(replay: Replay) -> list[dict[str, Any]]:
    """The moves with the insight of their agents: a text, counters such as nodes and depth, scores of candidates."""
    rows = []
    for index, move in enumerate(replay.moves()):
        insight = move.pop("insight", {})
        row = {"move": index + 1, **move, "text": insight.get("text", "")}
        row.update(insight.get("counters", []))
        row["scores"] = dict(insight.get("scores", []))
        rows.append(row)
    return rows


def planes_of(replay: Replay, seat: int | None = None) -> npt.NDArray[np.uint8]:
    """The planes before every move of a replay: uint8[moves, planes, rows, columns], for imitation learning."""
    state = replay.game.start(replay.seed)
    planes = []
    for action in replay.actions:
        planes.append(state.planes(seat))
        state.act(action)
    return np.stack(planes)


def store(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The games of a tournament's store, one dictionary each, for ``frame``; ``replay`` is None if none was kept."""
    with closing(sqlite3.connect(f"file:{os.fspath(path)}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM games ORDER BY number")]
    for row in rows:
        for name in ("agents", "outcomes", "scores", "strikes", "times"):
            row[name] = json.loads(row[name])
        row["replay"] = row["replay"] and Replay.from_bytes(row["replay"])
    return rows
