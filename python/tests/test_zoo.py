"""PettingZoo's own tests."""

import warnings

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from damier.zoo import pacman_v0, siam_v0


@pytest.mark.parametrize("module", [siam_v0, pacman_v0])
def test_turn_by_turn(module):
    with warnings.catch_warnings():
        # Every dictionary with a mask outside of PettingZoo's own list gets this warning.
        warnings.filterwarnings("ignore", message=".*[Oo]bservation.*")
        api_test(module.env(), num_cycles=200)
        seed_test(module.env, num_cycles=50)


def test_all_at_once():
    parallel_api_test(pacman_v0.parallel_env(), num_cycles=200)
    parallel_seed_test(pacman_v0.parallel_env)


def test_a_game_ends_with_a_winner():
    env = siam_v0.env(render_mode="ansi")
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        ended = terminated or truncated
        env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    assert sum(total.values()) == 0
