"""Games, states, solvers: what needs numpy alone."""

import copy
import doctest
import io
import json
import pickle
import re
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import damier

GAMES = list(damier.games())
CASES = [(name, rules) for name, facts in damier.games().items() for rules, _ in facts["rules"]]
ROOT = Path(__file__).parents[2]


def played(name, rules, actions=40, seed=3):
    """A state after some random actions."""
    state = damier.game(name, rules=rules).start(seed)
    random = np.random.default_rng(seed)
    for _ in range(actions):
        if state.over is not None:
            break
        state.act(int(random.choice(np.flatnonzero(state.mask()))))
    return state


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_states_copy_pickle_and_go_on(name, rules):
    state = played(name, rules)
    for twin in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin == state and hash(twin) == hash(state) and twin.key == state.key
        assert twin.turns == state.turns and twin.history() == state.history()
    if state.over is None:
        twin = pickle.loads(pickle.dumps(state))
        action = state.legal()[0]
        before = state.key
        after = state.after(action)
        assert state.key == before
        twin.act(action)
        # The chance to come is saved too.
        assert twin == after
    assert state.game.state(state.to_bytes()) == state


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_masks_and_planes_agree_with_names(name, rules):
    state = played(name, rules, actions=10)
    game = state.game
    assert [game.actions[number] for number in state.legal_numbers()] == state.legal()
    assert sorted(np.flatnonzero(state.mask())) == sorted(state.legal_numbers())
    planes = state.planes()
    assert planes.shape == game.shape and planes.dtype == np.uint8
    for plane, (_, most) in zip(planes, game.planes, strict=True):
        assert plane.max() <= most
    wide = state.planes(size=(game.shape[2] + 3, game.shape[1] + 1))
    assert (wide[:, : game.shape[1], : game.shape[2]] == planes).all()


@pytest.mark.parametrize("name", GAMES)
def test_states_show_themselves(name):
    state = damier.game(name).start()
    assert state._repr_svg_().startswith("<svg") and state._repr_svg_().endswith("</svg>")
    assert str(state) and repr(state).startswith(f"<damier.State {name}")
    assert isinstance(state.json(), dict) and isinstance(state.observe(), dict)


def test_mistakes_are_exceptions_with_our_sentences():
    with pytest.raises(damier.DamierError, match="there is no game `chess`; the games are pacman"):
        damier.game("chess")
    with pytest.raises(damier.DamierError, match="has no rule set `free`; it has course, report"):
        damier.game("pacman", rules="free")
    with pytest.raises(damier.LevelError, match="neither a file nor a level"):
        damier.game("pacman", "nowhere/maze")
    with pytest.raises(damier.LevelError, match="mine:2:3: "):
        damier.game("pacman", "mine", text="#####\n#P?.#\n#####\n")
    state = damier.game("pacman").start()
    for action in ("quit", "sideways", 17, -1):
        with pytest.raises(damier.DamierError):
            state.act(action)
    with pytest.raises(damier.IllegalActionError, match="only a person can leave the game"):
        state.act("quit")
    with pytest.raises(damier.DamierError, match="too small"):
        state.planes(size=(3, 3))
    with pytest.raises(damier.DamierError, match="there is no seat 4"):
        state.score(4)
    for broken in (b"", b"nonsense", state.to_bytes()[:7], state.to_bytes() + b"\x11\x22"):
        with pytest.raises(damier.DamierError):
            state.game.state(broken)


def test_solvers_answer():
    answer = damier.solve(damier.game("ricochet"), time=10)
    assert answer and answer.optimal and len(answer.plan) == answer.lower_bound
    state = damier.game("ricochet").start()
    for action in answer.plan:
        state.act(action)
    assert state.won() and state.over == "target reached"
    assert len(damier.game("ricochet").answers()["plan"]) == len(answer.plan)
    report = damier.check(damier.game("pacman", text="#####\n#P.o#\n#####"))
    assert (report.solvable, report.par) == ("solved", 2)
    analysis = damier.analyze(damier.game("siam"), depth=5)
    assert analysis.depth >= 5 and analysis.best in damier.game("siam").start().legal()
    assert damier.analyze(damier.game("siam").start().after(analysis.best), depth=3).line
    assert damier.generate("delirium", 3).text == damier.generate("delirium", 3).text
    with pytest.raises(damier.DamierError, match="does not support analysis"):
        damier.analyze(damier.game("pacman"))


def test_ctrl_c_stops_a_search():
    game = damier.game("siam")
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        damier.analyze(game, time=60)
    assert time.monotonic() - started < 20


def test_agents_are_functions():
    @damier.agent("pacman")
    def nearest(turn):
        turn.say("the first legal action")
        return turn.legal[turn.number % len(turn.legal)]

    result = damier.run("pacman", [nearest, "baseline"], levels=["original/maze"], seeds=[1, 2], limit=50)
    assert [row["agent"] for row in result.rows] == ["nearest", "baseline"] * 2
    assert set(result.frame()) >= {"level", "seed", "agent", "outcome", "turns", "score"}
    assert 0 <= result.wins("baseline") <= 1
    end = damier.play(damier.game("siam"), "level1", "level1", seed=1, limit=30)
    assert end.turns <= 30 and len(end.history()) == end.turns
    action, insight = damier.game("siam").agent("level3").explain(damier.game("siam").start())
    assert action and insight
    with pytest.raises(damier.DamierError, match="no agent `nobody`"):
        damier.game("siam").agent("nobody")


def test_an_agent_speaks_the_protocol():
    @damier.agent("pacman", name="first")
    def first(turn):
        turn.say("always the first one")
        turn.mark("path", [tuple(turn.observation["pacman"])])
        turn.score(turn.legal[0], 0.5)
        return turn.legal[0]

    state = damier.game("pacman").start()
    messages = [
        {"t": "hello", "proto": 1, "game": "pacman", "rules": "course"},
        {"t": "start", "player": 0, "level": state.game.to().splitlines()},
        {"t": "turn", "n": 1, "legal": state.legal(), "obs": state.observe()},
        {"t": "quit"},
    ]
    out = io.StringIO()
    damier.serve_agent(first, map(json.dumps, messages), out)
    hello, ready, info, act = map(json.loads, out.getvalue().splitlines())
    assert (hello["name"], ready["t"], act) == ("first", "ready", {"t": "act", "n": 1, "a": "up"})
    assert info["scores"] == {"up": 0.5} and info["cells"][0][2] == "path"


def test_stores_are_columns(tmp_path):
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE games (number, game, agents, outcomes, scores, strikes, times, turns, replay)"
        )
        row = (1, "pacman", '["a"]', '["win"]', "[3]", "[]", "[]", 7, None)
        connection.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?)", row)
        connection.commit()
    rows = damier.store(path)
    assert rows[0]["agents"] == ["a"] and rows[0]["replay"] is None
    assert list(damier.frame(rows)["turns"]) == [7]


def test_replays_are_columns():
    game = damier.game("pacman", text="#####\n#P.o#\n#####")
    state = game.start(5)
    lines = [
        '{"t":"start","format":1,"engine":"test","game":"pacman","rules":"course","level":"tiny",'
        '"text":"#####\\n#P.o#\\n#####\\n","seed":5,"agents":["me"],"turn_limit":100}'
    ]
    for action in ("right", "right"):
        state.act(action)
        insight = '{"text":"on","counters":[["nodes",7]],"scores":[["right",1.5]]}'
        lines.append(
            f'{{"t":"move","seat":0,"action":"{action}","hash":"{state.key:016x}","us":3,"insight":{insight}}}'
        )
    replay = damier.Replay.parse("\n".join(lines))
    replay.verify()
    assert len(replay) == 2 and replay.actions == ["right", "right"] and replay.end is None
    assert damier.planes_of(replay).shape == (2, *game.shape)
    frame = damier.frame(replay)
    assert list(frame["nodes"]) == [7, 7] and list(frame["text"]) == ["on", "on"]
    assert pickle.loads(pickle.dumps(replay)).actions == replay.actions
    assert damier.Replay.from_bytes(replay.to_bytes()).actions == replay.actions
    with pytest.raises(damier.DamierError, match="leads to the state"):
        damier.Replay.parse("\n".join(lines).replace(f"{state.key:016x}", "0" * 16)).verify()


def test_threads_have_their_own_states_and_share_games():
    game = damier.game("loderunner")
    keys = []

    def work():
        state = game.start(1)
        for _ in range(300):
            if state.over is not None:
                state = game.start(1)
            state = state.after(state.legal()[-1])
        keys.append(state.key)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(keys) == 8 and len(set(keys)) == 1


def test_every_name_of_the_stubs_exists():
    stubs = (Path(damier.__file__).parent / "_engine.pyi").read_text()
    kind = damier._engine
    for line in stubs.splitlines():
        if found := re.match(r"class (\w+)", line):
            kind = getattr(damier._engine, found[1])
        elif found := re.match(r"(    )?def (\w+)", line):
            assert hasattr(kind if found[1] else damier._engine, found[2]), line


@pytest.mark.parametrize("document", ["python/README.md", "README.md"])
def test_examples_of_the_documents(document):
    if not (ROOT / document).exists():
        pytest.skip("not in this folder")
    result = doctest.testfile(str(ROOT / document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > 0


def test_examples_of_the_modules():
    for module in (damier, damier.agents):
        assert doctest.testmod(module).failed == 0
