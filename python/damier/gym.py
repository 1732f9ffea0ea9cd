"""Gymnasium environments: ``import damier.gym`` registers them, ``gymnasium.make_vec`` makes batches of them.

Observations are planes, uint8[planes, rows, columns]; cells outside a level look like walls. The mask of legal actions is in
``info["action_mask"]``, or in the observation with ``mask="dict"`` (PettingZoo's names) or ``mask="rllib"``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from damier._engine import Batch, SavedBatch, Single, games
from damier._engine import levels as _levels

Levels = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Observation = Any

#: The key of the planes in an observation that also contains the mask.
_KEYS = {"dict": "observation", "rllib": "observations"}
#: The size of a cell in ``render``, in pixels.
_CELL = 8


def _setup(
    game: str,
    *,
    levels: Levels | None,
    rules: str | None,
    vs: str | None,
    seat: int | None,
    reward: str,
    illegal: str,
    size: tuple[int, int] | None,
    max_steps: int | None,
    autoreset: str,
    threads: int,
) -> dict[str, Any]:
    """The arguments of an environment, as the engine expects them."""
    if levels is None:
        names = []
    elif isinstance(levels, (str, os.PathLike)):
        names = [os.fspath(levels)]
    else:
        names = [os.fspath(level) for level in levels]
    return {
        "game": game,
        "rules": rules,
        "levels": _levels(game, names, rules=rules),
        "opponent": vs,
        "autoreset": autoreset,
        "illegal": illegal,
        "reward": reward,
        "step_limit": max_steps or games()[game]["turn_limit"],
        "seat": seat,
        "size": size,
        "threads": threads,
    }


def _spaces(shape: tuple[int, ...], highs: list[int], actions: int, mask: str) -> tuple[Any, gym.spaces.Discrete]:
    high = np.broadcast_to(np.array(list(highs), np.uint8)[:, None, None], shape)
    planes = gym.spaces.Box(np.zeros(shape, np.uint8), high.copy(), dtype=np.uint8)
    action = gym.spaces.Discrete(actions)
    if mask == "info":
        return planes, action
    if mask not in _KEYS:
        raise ValueError(f"mask={mask!r}: expected info, dict or rllib")
    legal = gym.spaces.Box(0, 1, (actions,), np.int8)
    return gym.spaces.Dict({_KEYS[mask]: planes, "action_mask": legal}), action


class Env(gym.Env[Any, Any]):
    """One game. Every call returns new arrays."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 8}

    def __init__(
        self,
        game: str,
        *,
        levels: Levels | None = None,
        rules: str | None = None,
        vs: str | None = None,
        seat: int | None = 0,
        reward: str = "score",
        illegal: str = "ignore",
        size: tuple[int, int] | None = None,
        max_steps: int | None = None,
        mask: str = "info",
        render_mode: str | None = None,
    ) -> None:
        self._setup = _setup(
            game,
            levels=levels,
            rules=rules,
            vs=vs,
            seat=seat,
            reward=reward,
            illegal=illegal,
            size=size,
            max_steps=max_steps,
            autoreset="disabled",
            threads=1,
        )
        self._mask = mask
        self.render_mode = render_mode
        self._open()

    def _open(self) -> None:
        self._game = Single(self._setup)
        self._names = [name for name, _ in self._setup["levels"]]
        self._seeded = False
        self._planes: npt.NDArray[np.uint8] | None = None
        game = self._game
        spaces = _spaces(game.shape, game.highs, game.action_count, self._mask)
        self.observation_space, self.action_space = spaces

    def _show(self, planes: npt.NDArray[np.uint8], legal: npt.NDArray[np.int8]) -> Observation:
        self._planes = planes
        return planes if self._mask == "info" else {_KEYS[self._mask]: planes, "action_mask": legal.copy()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode: the first one of a seed, or the next one."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        planes, mask = self._game.reset(seed)
        legal = mask.view(np.int8)
        return self._show(planes, legal), {"action_mask": legal, "level": self._names[self._game.level]}

    def step(self, action: Any) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Takes an action."""
        planes, reward, terminated, truncated, mask, illegal = self._game.step(int(action))
        legal = mask.view(np.int8)
        info = {"action_mask": legal, "illegal": illegal}
        return self._show(planes, legal), reward, terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions, under the name that sb3-contrib expects."""
        return self._game.mask().view(np.bool_)

    @property
    def key(self) -> int:
        """The hash of the state, the same on every machine."""
        return self._game.key

    def save(self) -> SavedBatch:
        """Saves the game."""
        return self._game.save()

    def restore(self, saved: SavedBatch | bytes) -> Observation:
        """Restores a saved game, or its bytes, and returns its observation."""
        if isinstance(saved, bytes):
            saved = self._game.read_saved(saved)
        self._seeded = True
        planes, mask = self._game.restore(saved)
        return self._show(planes, mask.view(np.int8))

    def render(self) -> npt.NDArray[np.uint8] | None:
        """A picture of the observation, with one colour per plane."""
        if self.render_mode is None or self._planes is None:
            return None
        return _picture(self._planes, self._game.highs)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_game", "_planes")}
        return {**state, "saved": self._game.save().to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("saved")
        self.__dict__.update(state)
        seeded = self._seeded
        self._open()
        self.restore(saved)
        self._seeded = seeded


def _picture(planes: npt.NDArray[np.uint8], highs: list[int]) -> npt.NDArray[np.uint8]:
    """Draws each plane in a colour of its own. Later planes cover earlier ones; planes that fill the board are left out."""
    picture = np.zeros((*planes.shape[1:], 3), np.uint8)
    for index, (plane, high) in enumerate(zip(planes, highs, strict=True)):
        if plane.min() > 0:
            continue
        angle = 2 * np.pi * index / len(planes)
        colour = 0.55 + 0.45 * np.cos(angle + np.array([0, 2.1, 4.2]))
        strength = (0.5 + 0.5 * plane / high)[..., None] * (plane > 0)[..., None]
        picture = np.where(strength > 0, (255 * colour * strength).astype(np.uint8), picture)
    return picture.repeat(_CELL, 0).repeat(_CELL, 1)


_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class VectorEnv(gym.vector.VectorEnv[Any, Any, Any]):
    """Many games in one call, without the interpreter's lock. Game ``i`` plays like an ``Env`` with seed ``seed + i``.

    With ``copy=False`` every call returns the same arrays, updated in place.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        levels: Levels | None = None,
        rules: str | None = None,
        vs: str | None = None,
        seat: int | None = 0,
        reward: str = "score",
        illegal: str = "ignore",
        size: tuple[int, int] | None = None,
        max_steps: int | None = None,
        max_episode_steps: int | None = None,
        mask: str = "info",
        copy: bool = True,
        threads: int = 1,
        autoreset: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        self._mode = AutoresetMode(autoreset)
        self._mask = mask
        self._copy = copy
        self._setup = _setup(
            game,
            levels=levels,
            rules=rules,
            vs=vs,
            seat=seat,
            reward=reward,
            illegal=illegal,
            size=size,
            max_steps=max_steps or max_episode_steps,
            autoreset=_MODES[self._mode],
            threads=threads,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self._open()

    def _open(self) -> None:
        self._batch = batch = Batch(self._setup, self.num_envs)
        self._names = [name for name, _ in self._setup["levels"]]
        self._seeded = False
        self._all = np.ones(self.num_envs, np.bool_)
        self._planes = batch.observations
        self._legal = batch.masks.view(np.int8)
        shape, actions = self._planes.shape[1:], self._legal.shape[1]
        self.single_observation_space, self.single_action_space = _spaces(shape, batch.highs, actions, self._mask)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _show(self) -> tuple[Observation, dict[str, Any]]:
        planes, legal = self._planes, self._legal
        if self._copy:
            planes, legal = planes.copy(), legal.copy()
        info: dict[str, Any] = {"action_mask": legal, "_action_mask": self._all}
        if self._mask == "info":
            return planes, info
        # Observations and infos never share memory.
        return {_KEYS[self._mask]: planes, "action_mask": legal.copy()}, info

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts episodes. Game ``i`` gets seed ``seed + i``; ``options["reset_mask"]`` selects games."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = None if options is None else options.get("reset_mask")
        if chosen is not None:
            chosen = np.asarray(chosen, np.bool_).tolist()
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**62))
        seeds: list[int | None] = []
        if isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + index for index in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
        self._seeded = True
        self._batch.reset(seeds, chosen)
        observation, info = self._show()
        info["level"] = np.array([self._names[level] for level in self._batch.levels()], dtype=object)
        info["_level"] = self._all
        return observation, info

    def step(
        self, actions: Any
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Takes one step in every game."""
        batch = self._batch
        batch.step(np.ascontiguousarray(actions, np.int64))
        observation, info = self._show()
        rewards, terminated, truncated = batch.rewards, batch.terminated, batch.truncated
        illegal = batch.illegal
        if self._copy:
            rewards, terminated, truncated = rewards.copy(), terminated.copy(), truncated.copy()
            illegal = illegal.copy()
        info["illegal"], info["_illegal"] = illegal, self._all
        if self._mode == AutoresetMode.SAME_STEP:
            ended = terminated | truncated
            if ended.any():
                self._add_final(ended, info)
        return observation, rewards, terminated, truncated, info

    def _add_final(self, ended: npt.NDArray[np.bool_], info: dict[str, Any]) -> None:
        """Adds the last observations of ended episodes, like Gymnasium's own vector environments."""
        last = self._batch.final_observations
        assert last is not None
        final = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            final[index] = last[index].copy()
        info["final_obs"], info["_final_obs"] = final, ended
        illegal = np.where(ended, self._batch.illegal, False)
        info["final_info"], info["_final_info"] = {"illegal": illegal, "_illegal": ended}, ended

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The masks of legal actions, one per game."""
        return self._batch.masks.astype(np.bool_)

    def keys(self) -> list[int]:
        """The hashes of the games' states."""
        return self._batch.keys()

    def save(self) -> SavedBatch:
        """Saves all games."""
        return self._batch.save()

    def restore(self, saved: SavedBatch | bytes) -> tuple[Observation, dict[str, Any]]:
        """Restores saved games, or their bytes, and returns their observations."""
        if isinstance(saved, bytes):
            saved = self._batch.read_saved(saved)
        self._seeded = True
        self._batch.restore(saved)
        return self._show()

    def __getstate__(self) -> dict[str, Any]:
        hidden = ("_batch", "_planes", "_legal")
        state = {name: value for name, value in self.__dict__.items() if name not in hidden}
        return {**state, "saved": self._batch.save().to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("saved")
        self.__dict__.update(state)
        seeded = self._seeded
        self._open()
        self.restore(saved)
        self._seeded = seeded


#: The registered environments: their ids and arguments.
IDS: dict[str, dict[str, Any]] = {
    "damier/Pacman-v0": {"game": "pacman", "rules": "course"},
    "damier/PacmanReport-v0": {"game": "pacman", "rules": "report", "vs": "team"},
    "damier/PacmanGhosts-v0": {"game": "pacman", "rules": "report", "vs": "baseline", "seat": 1},
    "damier/Ricochet-v0": {"game": "ricochet", "rules": "standard"},
    "damier/RicochetTurning-v0": {"game": "ricochet", "rules": "ricochet"},
    "damier/Siam-v0": {"game": "siam", "rules": "official", "vs": "level3", "reward": "sparse"},
    "damier/SiamCourse-v0": {"game": "siam", "rules": "course", "vs": "level3", "reward": "sparse"},
    "damier/Delirium-v0": {"game": "delirium", "rules": "course"},
    "damier/DeliriumBoulder-v0": {"game": "delirium", "rules": "boulder"},
    "damier/LodeRunner-v0": {"game": "loderunner", "rules": "course"},
    "damier/LodeRunnerClassic-v0": {"game": "loderunner", "rules": "classic"},
}


def register() -> None:
    """Registers all environments; importing this module does it."""
    for name, arguments in IDS.items():
        if name not in gym.registry:
            gym.register(
                id=name,
                entry_point="damier.gym:Env",
                vector_entry_point="damier.gym:VectorEnv",
                kwargs=arguments,
            )


register()
