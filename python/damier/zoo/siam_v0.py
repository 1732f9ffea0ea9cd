"""SIAM: elephants against rhinos. There are 500 actions; a win is worth 1 and a loss -1."""

from __future__ import annotations

from typing import Any

from damier._engine import Game
from damier.zoo._aec import SeatsEnv, wrapped


def raw_env(*, rules: str = "official", level: str | None = None, render_mode: str | None = None) -> SeatsEnv:
    """The game without wrappers: an illegal action is an error."""
    game = Game("siam", level, rules=rules)
    return SeatsEnv(game, [f"{seat}_0" for seat in game.seats], sparse=True, render_mode=render_mode)


def env(**arguments: Any) -> Any:
    """The game with PettingZoo's usual wrappers: an illegal action loses."""
    return wrapped(raw_env(**arguments))
