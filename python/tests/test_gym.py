"""Gymnasium: its own checker, and vector environments against single ones."""

import pickle
import threading
import time

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import damier
import damier.gym

IDS = list(damier.gym.IDS)
QUICK = ["damier/Pacman-v0", "damier/Ricochet-v0", "damier/Delirium-v0", "damier/LodeRunner-v0"]


def random_action(random, mask):
    legal = np.flatnonzero(mask)
    return int(random.choice(legal)) if len(legal) else 0


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mask", ["info", "dict", "rllib"])
def test_gymnasiums_checker_finds_nothing(name, mask):
    env = gym.make(name, mask=mask, render_mode="rgb_array")
    check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("name", IDS)
def test_a_vector_environment_is_many_single_ones(name):
    steps = 10_000 if name in QUICK else 400
    count = 4
    arguments = {"max_steps": 120, "vs": "random" if "Siam" in name or "Pacman" in name else None}
    if name == "damier/Pacman-v0":
        arguments["vs"] = None
    envs = gym.make_vec(name, num_envs=count, **arguments)
    assert isinstance(envs, damier.gym.VectorEnv)
    singles = [gym.make(name, disable_env_checker=True, **arguments).unwrapped for _ in range(count)]
    seen, info = envs.reset(seed=11)
    starts = [single.reset(seed=11 + index) for index, single in enumerate(singles)]
    ended = [False] * count
    random = np.random.default_rng(0)
    assert all((seen[index] == starts[index][0]).all() for index in range(count))
    for _ in range(steps // count):
        actions = [random_action(random, mask) for mask in info["action_mask"]]
        seen, reward, terminated, truncated, info = envs.step(np.array(actions))
        for index, single in enumerate(singles):
            if ended[index]:
                planes, single_info = single.reset()
                step = (0.0, False, False)
            else:
                planes, *step, single_info = single.step(actions[index])
            assert (seen[index] == planes).all()
            assert (info["action_mask"][index] == single_info["action_mask"]).all()
            assert (reward[index], terminated[index], truncated[index]) == tuple(step)
            ended[index] = bool(step[1] or step[2])


@pytest.mark.parametrize("name", QUICK)
def test_a_game_does_not_depend_on_the_batch(name):
    few = gym.make_vec(name, num_envs=2, max_steps=50)
    many = gym.make_vec(name, num_envs=256, max_steps=50, threads=2)
    _, info = few.reset(seed=5)
    many.reset(seed=5)
    random = np.random.default_rng(1)
    for _ in range(200):
        actions = [random_action(random, mask) for mask in info["action_mask"]]
        seen, reward, *_, info = few.step(np.array(actions))
        all_seen, all_reward, *_ = many.step(np.array(actions * 128))
        assert (seen == all_seen[:2]).all() and (reward == all_reward[:2]).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_three_ways_of_beginning_again(mode):
    envs = gym.make_vec("damier/Pacman-v0", num_envs=8, max_steps=20, autoreset=mode)
    assert envs.metadata["autoreset_mode"] == mode
    first, info = envs.reset(seed=1)
    random = np.random.default_rng(1)
    episodes = 0
    for _ in range(200):
        actions = np.array([random_action(random, mask) for mask in info["action_mask"]])
        before = envs.keys()
        seen, reward, terminated, truncated, info = envs.step(actions)
        ended = terminated | truncated
        episodes += ended.sum()
        if mode == AutoresetMode.SAME_STEP:
            assert ("final_obs" in info) == ended.any()
            for index in np.flatnonzero(ended):
                assert info["final_obs"][index].shape == first[index].shape
                assert (seen[index] == first[index]).all()
        elif mode == AutoresetMode.DISABLED and ended.any():
            seen, info = envs.reset(options={"reset_mask": ended})
            kept = np.flatnonzero(~ended)
            assert (seen[ended] == first[ended]).all()
            assert len(kept) == 8 - ended.sum()
        assert len(before) == 8
    assert episodes > 20


def test_zero_copy_is_an_option():
    envs = gym.make_vec("damier/Pacman-v0", num_envs=4, copy=False)
    first, _ = envs.reset(seed=0)
    second, *_ = envs.step(np.zeros(4, np.int64))
    assert first is second
    envs = gym.make_vec("damier/Pacman-v0", num_envs=4)
    first, _ = envs.reset(seed=0)
    second, *_ = envs.step(np.zeros(4, np.int64))
    assert not np.shares_memory(first, second)


@pytest.mark.parametrize("name", [*QUICK, "damier/LodeRunnerClassic-v0"])
def test_save_restore_and_pickle(name):
    env = gym.make(name).unwrapped
    _, info = env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(12):
        *_, terminated, truncated, info = env.step(random_action(random, info["action_mask"]))
        if terminated or truncated:
            _, info = env.reset()
    saved, key, mask = env.save(), env.key, info["action_mask"]
    action = random_action(random, mask)
    after = env.step(action)
    for again in (saved, saved.to_bytes()):
        env.restore(again)
        assert env.key == key and (env.action_masks() == mask).all()
        step = env.step(action)
        assert (step[0] == after[0]).all() and step[1:4] == after[1:4]
    env.restore(saved)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.key == key and (twin.step(action)[0] == after[0]).all()
    envs = gym.make_vec(name, num_envs=3)
    envs.reset(seed=1)
    envs.step(np.zeros(3, np.int64))
    assert pickle.loads(pickle.dumps(envs)).keys() == envs.keys()
    with pytest.raises(damier.DamierError):
        env.restore(b"nonsense")


def test_illegal_actions():
    env = gym.make("damier/LodeRunner-v0").unwrapped
    _, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    key = env.key
    _, reward, terminated, _, info = env.step(illegal)
    assert (env.key, reward, terminated, info["illegal"]) == (key, 0.0, False, True)
    env = gym.make("damier/LodeRunner-v0", illegal="lose").unwrapped
    env.reset(seed=0)
    assert env.step(illegal)[1:3] == (-1.0, True)
    env = gym.make("damier/LodeRunner-v0", illegal="raise").unwrapped
    env.reset(seed=0)
    with pytest.raises(damier.IllegalActionError):
        env.step(illegal)
    for action in (-1, 7, 10**12):
        with pytest.raises(damier.IllegalActionError):
            env.step(action)
    with pytest.raises(damier.DamierError, match="expected one of ignore, lose, raise"):
        gym.make("damier/LodeRunner-v0", illegal="maybe")
    with pytest.raises(damier.DamierError, match="no agent `nobody` plays rhinos"):
        gym.make("damier/Siam-v0", vs="nobody")


def test_levels_of_different_sizes_share_a_canvas():
    envs = gym.make_vec("damier/Pacman-v0", num_envs=16, levels=["original/maze", "damier"])
    seen, info = envs.reset(seed=0)
    assert len(set(info["level"])) > 1
    sizes = [damier.game("pacman", name).shape for name in set(info["level"])]
    assert seen.shape[2] == max(size[1] for size in sizes) or seen.shape[2] >= max(size[1] for size in sizes)


def test_threads_on_their_own_environments_and_on_a_shared_one():
    shared = gym.make_vec("damier/Pacman-v0", num_envs=512, copy=False)
    shared.reset(seed=0)
    problems = []

    def work(own):
        env = gym.make_vec("damier/LodeRunner-v0", num_envs=64)
        env.reset(seed=own)
        for _ in range(50):
            env.step(np.zeros(64, np.int64))
            try:
                shared.step(np.zeros(512, np.int64))
            except RuntimeError as error:
                assert "another thread is using this environment" in str(error)
            except Exception as error:
                problems.append(error)

    threads = [threading.Thread(target=work, args=(own,)) for own in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not problems
    shared.step(np.zeros(512, np.int64))


#: Steps a second of processor time that a batch must make: about a quarter of what it makes on a quiet machine.
FLOORS = {"damier/Pacman-v0": 1.0e6, "damier/LodeRunner-v0": 1.0e6, "damier/Delirium-v0": 0.4e6, "damier/Ricochet-v0": 0.8e6}


@pytest.mark.parametrize("name", list(FLOORS))
def test_speed(name):
    envs = gym.make_vec(name, num_envs=1024, copy=False, autoreset=AutoresetMode.SAME_STEP)
    _, info = envs.reset(seed=0)
    random = np.random.default_rng(0)
    plans = random.integers(0, info["action_mask"].shape[1], (64, 1024))
    best = 0.0
    for _ in range(4):
        started = time.thread_time()
        for actions in plans:
            envs.step(actions)
        best = max(best, plans.size / (time.thread_time() - started))
    assert best > FLOORS[name], f"{best:,.0f} steps a second"
