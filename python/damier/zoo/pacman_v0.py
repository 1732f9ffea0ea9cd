"""Pacman against the ghosts. ``env`` is turn-based, with one decision per figure. In ``parallel_env`` all act at once."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from damier._engine import Game, State
from damier.zoo._aec import SeatsEnv, masked_space, worth, wrapped

_PACMAN = "pacman_0"


def raw_env(*, level: str | None = None, render_mode: str | None = None) -> SeatsEnv:
    """Pacman and one agent for all ghosts, without wrappers: an illegal action is an error."""
    game = Game("pacman", level, rules="report")
    return SeatsEnv(game, [_PACMAN, "ghosts_0"], sparse=False, render_mode=render_mode)


def env(**arguments: Any) -> Any:
    """Pacman and one agent for all ghosts, with PettingZoo's usual wrappers: an illegal action loses."""
    return wrapped(raw_env(**arguments))


class _Parallel(ParallelEnv):  # type: ignore[misc]
    """Pacman and every ghost act at once. The ghosts move before Pacman, in order of number; a blocked ghost stays."""

    def __init__(self, *, level: str | None = None, render_mode: str | None = None) -> None:
        self.game = Game("pacman", level, rules="report")
        self.metadata = {"render_modes": ["ansi"], "name": "pacman_v0"}
        self.render_mode = render_mode
        ghosts = len(self.game.start().observe()["ghosts"])
        self.possible_agents = [_PACMAN, *(f"ghost_{number}" for number in range(ghosts))]
        self.observation_spaces = {name: masked_space(self.game) for name in self.possible_agents}
        self.action_spaces = {name: gym.spaces.Discrete(len(self.game.actions)) for name in self.possible_agents}
        self._stay = self.game.actions.index("stay")
        self._seed = 0
        self._episode = 0

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.action_spaces[agent]

    def _observations(self) -> dict[str, Any]:
        planes = self.state_now.planes(0)
        return {name: {"observation": planes.copy(), "action_mask": self._legal(name)} for name in self.agents}

    def _legal(self, agent: str) -> npt.NDArray[np.int8]:
        """The mask of an agent's actions. Whether another ghost blocks a step is known only when it moves."""
        legal = np.zeros(len(self.game.actions), np.int8)
        if self.state_now.over is not None:
            return legal
        if agent == _PACMAN:
            legal[:5] = 1
        else:
            legal[:4] = 1
            legal[self._stay] = 1
        return legal

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a game."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self.state_now: State = self.game.start(self._seed + 1_000_003 * self._episode)
        self._episode += 1
        self.agents = self.possible_agents[:]
        return self._observations(), {name: {} for name in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Plays one turn: the ghosts in order of number, then Pacman."""
        state = self.state_now
        before = state.score(0)
        for ghost in self.possible_agents[1:]:
            if state.to_move == 1:
                action = int(actions[ghost])
                state.act(action if state.mask()[action] else self._stay)
        if state.to_move == 0:
            state.act(int(actions[_PACMAN]))
        over = state.over is not None
        late = not over and state.turns >= self.game.turn_limit
        gained = float(state.score(0) - before)
        rewards = {
            name: (gained if name == _PACMAN else -gained)
            + (worth(state.outcome(0 if name == _PACMAN else 1)) if over else 0.0)
            for name in self.agents
        }
        observations = self._observations()
        ends = [dict.fromkeys(self.agents, end) for end in (over, late)]
        infos: dict[str, Any] = {name: {} for name in self.agents}
        if over or late:
            self.agents = []
        return observations, rewards, *ends, infos

    def render(self) -> str | None:
        """The board as text."""
        return None if self.render_mode is None else str(self.state_now)

    def close(self) -> None:
        """Nothing to close."""


def parallel_env(**arguments: Any) -> Any:
    """Pacman and every ghost as separate agents that act at once."""
    return _Parallel(**arguments)
