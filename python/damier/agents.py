"""Agents written in Python: functions from a turn to an action.

They run in this process, or as a process that speaks the agent protocol. Built-in agents are given by name.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from damier._engine import DamierError, Game, State
from damier._engine import levels as _levels
from damier.frame import frame


@dataclass
class Turn:
    """What an agent knows when it decides, with methods to explain the decision."""

    game: Game
    seat: int
    number: int
    legal: list[str]  #: the names of the legal actions
    insight: dict[str, Any] = field(default_factory=dict)
    _state: State | None = None
    _seen: Any = None

    @property
    def state(self) -> State:
        """The state, with different future random numbers. Agent processes have no state, only the observation."""
        if self._state is None:
            raise DamierError("agent processes have no state: use turn.observation and turn.game")
        return self._state

    @property
    def observation(self) -> Any:
        """The observation of the seat, as in the agent protocol."""
        return self._seen if self._state is None else self._state.observe(self.seat)

    def say(self, text: str) -> None:
        """Explains the decision in a sentence."""
        self.insight["text"] = text

    def mark(self, why: str, cells: Iterable[tuple[int, int]]) -> None:
        """Marks cells, by column and row, for a reason."""
        self.insight.setdefault("cells", []).extend([*cell, why] for cell in cells)

    def score(self, action: str, score: float) -> None:
        """Sets the score of a candidate action."""
        self.insight.setdefault("scores", {})[action] = score


Decide = Callable[[Turn], "str | int"]


@dataclass
class FunctionAgent:
    """A function that plays a game as an agent."""

    game: str
    name: str
    decide: Decide

    def __call__(self, turn: Turn) -> str | int:
        return self.decide(turn)


def agent(game: str, name: str | None = None) -> Callable[[Decide], FunctionAgent]:
    """Turns a function into an agent for a game.

    >>> @agent("pacman")
    ... def first(turn):
    ...     return turn.legal[0]
    >>> first.name
    'first'
    """
    return lambda decide: FunctionAgent(game, name or str(getattr(decide, "__name__", "agent")), decide)


Player = str | FunctionAgent


@dataclass(frozen=True)
class Result:
    """The results of games, one row each."""

    rows: list[dict[str, Any]]

    def frame(self) -> Any:
        """The games as a data frame, or as a dictionary of arrays if pandas is not installed."""
        return frame(self.rows)

    def wins(self, agent: str) -> float:
        """The share of its games that an agent won."""
        outcomes: list[str] = [row["outcome"] for row in self.rows if row["agent"] == agent]
        return outcomes.count("win") / len(outcomes)


def _name(player: Player) -> str:
    return player if isinstance(player, str) else player.name


def _decider(game: Game, player: Player, seat: int, seed: int) -> Decide:
    if isinstance(player, str):
        built_in = game.agent(player, seat=seat, seed=seed)
        return lambda turn: built_in.choose(turn.state)
    if player.game != game.name:
        raise ValueError(f"the agent {player.name} plays {player.game}, not {game.name}")
    return player


def play(game: Game, *players: Player, seed: int = 0, limit: int | None = None) -> State:
    """Plays one game, with one player per seat, and returns its last state. Functions get a copy of the state with
    different future random numbers."""
    if len(players) != len(game.seats):
        raise ValueError(f"{game.name} has {len(game.seats)} seats under these rules: {', '.join(game.seats)}")
    deciders = [_decider(game, player, seat, seed) for seat, player in enumerate(players)]
    state = game.start(seed)
    number = 0
    while (seat := state.to_move) is not None and state.turns < (limit or game.turn_limit):
        number += 1
        seen = state if isinstance(players[seat], str) else state.copy(chance=number)
        state.act(deciders[seat](Turn(game, seat, number, state.legal(), _state=seen)))
    return state


def run(
    name: str,
    players: Sequence[Player],
    *,
    levels: Iterable[str] = (),
    rules: str | None = None,
    vs: Player = "original",
    seeds: Iterable[int] = (1,),
    limit: int | None = None,
) -> Result:
    """Plays every agent at seat 0 on every level with every seed; ``vs`` plays the other seats. Functions are trusted: they
    run in this process, without a time limit."""
    rows = []
    for level, text in _levels(name, list(levels), rules=rules):
        game = Game(name, level, rules=rules, text=text)
        for seed in seeds:
            for player in players:
                started = time.perf_counter()
                others = [vs] * (len(game.seats) - 1)
                end = play(game, player, *others, seed=seed, limit=limit)
                rows.append(
                    {
                        "level": level,
                        "seed": seed,
                        "agent": _name(player),
                        "outcome": end.outcome() or "limit",
                        "reason": end.over or "turn limit",
                        "turns": end.turns,
                        "score": end.score(),
                        "ms": (time.perf_counter() - started) * 1000,
                    }
                )
    return Result(rows)


def serve_agent(agent: FunctionAgent, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Speaks the agent protocol on standard input and output: ``command = "python3 agent.py"`` in ``agent.toml``."""
    out = out or sys.stdout
    game: Game | None = None
    hello: dict[str, Any] = {}
    seat = 0

    def send(**message: Any) -> None:
        print(json.dumps(message), file=out, flush=True)

    for line in lines or sys.stdin:
        message = json.loads(line)
        kind = message["t"]
        if kind == "hello":
            hello = message
            send(t="hello", proto=1, name=agent.name)
        elif kind == "start":
            seat = message["player"]
            game = Game(hello["game"], rules=hello["rules"], text="\n".join(message["level"]) + "\n")
            send(t="ready")
        elif kind == "turn" and game is not None:
            turn = Turn(game, seat, message["n"], message["legal"], _seen=message["obs"])
            action = agent(turn)
            if turn.insight:
                send(t="info", **turn.insight)
            send(t="act", n=message["n"], a=action if isinstance(action, str) else game.actions[action])
        elif kind == "quit":
            break
