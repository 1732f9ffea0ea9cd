"""A game with several seats as a turn-based PettingZoo environment."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from damier._engine import Game, State


def planes_space(game: Game) -> gym.spaces.Box:
    """The space of a game's planes."""
    highs = np.array([high for _, high in game.planes], np.uint8)
    high = np.broadcast_to(highs[:, None, None], game.shape)
    return gym.spaces.Box(np.zeros(game.shape, np.uint8), high.copy(), dtype=np.uint8)


def masked_space(game: Game) -> gym.spaces.Dict:
    """The space of planes with the mask of legal actions."""
    legal = gym.spaces.Box(0, 1, (len(game.actions),), np.int8)
    return gym.spaces.Dict({"observation": planes_space(game), "action_mask": legal})


def worth(outcome: str | None) -> float:
    """The reward of an outcome: 1 for a win, -1 for a loss, else 0."""
    return {"win": 1.0, "loss": -1.0}.get(outcome or "", 0.0)


def wrapped(env: SeatsEnv) -> Any:
    """Adds PettingZoo's usual wrappers: an illegal action loses."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1))
    )


class SeatsEnv(AECEnv):  # type: ignore[misc]
    """One agent per seat; the seat to move acts."""

    def __init__(self, game: Game, names: list[str], *, sparse: bool, render_mode: str | None) -> None:
        super().__init__()
        self.game = game
        self.metadata = {"render_modes": ["ansi"], "name": f"{game.name}_v0", "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = names
        self.observation_spaces = {name: masked_space(game) for name in names}
        self.action_spaces = {name: gym.spaces.Discrete(len(game.actions)) for name in names}
        self._sparse = sparse
        self._episode = 0
        self._seed = 0

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game: the first one of a seed, or the next one."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self.state_now: State = self.game.start(self._seed + 1_000_003 * self._episode)
        self._episode += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._scores = self._all_scores()
        self._select()

    def _all_scores(self) -> list[int]:
        return [self.state_now.score(seat) for seat in range(len(self.possible_agents))]

    def _select(self) -> None:
        seat = self.state_now.to_move
        self.agent_selection = self.possible_agents[0 if seat is None else seat]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """The observation of an agent; only the agent to move has legal actions."""
        seat = self.possible_agents.index(agent)
        legal = np.zeros(len(self.game.actions), np.int8)
        if self.state_now.to_move == seat:
            legal = self.state_now.mask().astype(np.int8)
        return {"observation": self.state_now.planes(seat), "action_mask": legal}

    def step(self, action: Any) -> None:
        """Takes an action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.state_now.act(int(action))
        before, self._scores = self._scores, self._all_scores()
        over = self.state_now.over is not None
        late = not over and self.state_now.turns >= self.game.turn_limit
        for seat, name in enumerate(self.possible_agents):
            gained = 0 if self._sparse else self._scores[seat] - before[seat]
            self.rewards[name] = gained + (worth(self.state_now.outcome(seat)) if over else 0.0)
            self.terminations[name], self.truncations[name] = over, late
        self._accumulate_rewards()
        self._select()

    def render(self) -> str | None:
        """The board as text."""
        return None if self.render_mode is None else str(self.state_now)

    def close(self) -> None:
        """Nothing to close."""
