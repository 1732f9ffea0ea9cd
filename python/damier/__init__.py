"""Damier: five classic grid games with exact rules, strong agents and solvers.

>>> import damier
>>> game = damier.game("pacman", "original/maze")
>>> state = game.start(seed=1)
>>> state.legal()
['up', 'right', 'down', 'left', 'wait']
>>> state.after("left").score()
1
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from damier._engine import (
    Agent,
    DamierError,
    Game,
    IllegalActionError,
    LevelError,
    Replay,
    State,
    games,
)
from damier._engine import generate as _generate
from damier._engine import levels as _levels
from damier.agents import Result, Turn, agent, play, run, serve_agent
from damier.frame import frame, planes_of, store

__all__ = [
    "Agent",
    "Analysis",
    "DamierError",
    "Game",
    "IllegalActionError",
    "LevelError",
    "Replay",
    "Report",
    "Result",
    "Solution",
    "State",
    "Turn",
    "agent",
    "analyze",
    "check",
    "frame",
    "game",
    "games",
    "generate",
    "levels",
    "planes_of",
    "play",
    "run",
    "serve_agent",
    "solve",
    "store",
]

Names = str | os.PathLike[str]


def game(name: str, level: Names | None = None, *, rules: str | None = None, text: str | None = None) -> Game:
    """Opens a level of a game: a shipped one, ``generated/7``, a file, or the text of a level in any of the game's formats."""
    return Game(name, None if level is None else os.fspath(level), rules=rules, text=text)


def levels(name: str, *names: Names, rules: str | None = None) -> list[Game]:
    """Opens several levels: shipped ones, whole packs, ``generated/1..50``, files."""
    found = _levels(name, [os.fspath(level) for level in names], rules=rules)
    return [Game(name, level, rules=rules, text=text) for level, text in found]


def generate(
    name: str,
    seed: int = 0,
    *,
    size: tuple[int, int] | None = None,
    difficulty: float | None = None,
    rules: str | None = None,
) -> Game:
    """Generates a level; the same seed gives the same level. ``size`` is columns and rows."""
    text = _generate(name, seed, size=size, difficulty=difficulty, rules=rules)
    return Game(name, f"generated/{seed}", rules=rules, text=text)


def _reopen(name: str, level: str, rules: str, text: str) -> Game:
    """Restores a pickled game."""
    return Game(name, level, rules=rules, text=text)


@dataclass(frozen=True)
class Solution:
    """A solver's answer."""

    outcome: str  #: ``solved``, ``unsolvable`` or ``unknown``
    plan: list[str]  #: the winning actions of seat 0
    lower_bound: int | None  #: no plan takes fewer turns than this (proven)
    optimal: bool  #: whether the plan is proven to be the shortest
    states: int  #: states searched
    ms: float  #: wall time in milliseconds
    notes: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.outcome == "solved"


@dataclass(frozen=True)
class Report:
    """A checker's verdict on a level."""

    solvable: str  #: ``solved``, ``unsolvable`` or ``unknown``
    par: int | None  #: the number of turns of the shortest known win
    difficulty: float | None  #: from 0 (trivial) to 10
    notes: list[str]


@dataclass(frozen=True)
class Analysis:
    """An engine's evaluation of a position."""

    position: str
    best: str | None  #: the best action
    score: int  #: for the side to move
    verdict: str  #: the score in words
    depth: int
    nodes: int
    line: list[str]  #: the principal variation
    lines: list[dict[str, Any]]  #: all lines, best first
    threats: dict[str, list[str]]  #: the actions with which each side would win immediately
    ms: float
    proof: str | None = None  #: ``win 5``, ``loss 4``
    shortest: bool | None = None  #: whether it is proven that there is no shorter win


def _of(kind: Any, values: dict[str, Any]) -> Any:
    """Builds a data class from those values that it has fields for."""
    return kind(**{name: value for name, value in values.items() if name in kind.__dataclass_fields__})


def solve(game: Game, *, time: float = 5.0, threads: int = 1, seed: int = 0) -> Solution:
    """Searches for a winning plan, or for a proof that there is none. Ctrl-C stops it.

    >>> answer = solve(game("pacman", text="#####\\n#P.o#\\n#####"))
    >>> answer.plan, answer.optimal
    (['right', 'right'], True)
    """
    solution: Solution = _of(Solution, game.solve(time=time, threads=threads, seed=seed))
    return solution


def check(game: Game, *, time: float = 5.0, threads: int = 1) -> Report:
    """Checks whether the level can be won, and how hard it is."""
    report: Report = _of(Report, game.check(time=time, threads=threads))
    return report


def analyze(
    game: Game | State, *, time: float | None = 1.0, depth: int | None = None, threads: int = 1, lines: int = 1
) -> Analysis:
    """Searches for the best lines from a level's position or from a state."""
    if isinstance(game, State):
        notation = game.notation()
        if notation is None:
            raise DamierError(f"{game.game.name} has no notation for positions")
        game = Game(game.game.name, rules=game.game.rules, text=notation)
    if depth is not None and time == 1.0:
        time = None
    analysis: Analysis = _of(Analysis, game.analyze(time=time, depth=depth, threads=threads, lines=lines))
    return analysis
