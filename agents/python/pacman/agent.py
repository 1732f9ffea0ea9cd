"""Pacman in Python: to the nearest pellet that no ghost reaches first, and away from ghosts where there is none."""

import json
import sys
from collections import deque

STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
FAR = 1000
FEAR = 4  # steps between Pacman and a ghost that are too few


class Maze:
    def __init__(self, lines):
        rows = [line for line in lines if line.strip() and not line.lstrip().startswith(";")]
        self.width, self.height = len(rows[0]), len(rows)
        self.floor = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}

    def step(self, cell, action):
        """Where a step leads, around the edge of the maze too; nowhere through walls."""
        dx, dy = STEPS[action]
        there = ((cell[0] + dx) % self.width, (cell[1] + dy) % self.height)
        return there if there in self.floor else None

    def distances(self, starts, forbidden=frozenset()):
        """The steps from the nearest start to every cell that can be reached."""
        known = {start: 0 for start in starts}
        queue = deque(known)
        while queue:
            cell = queue.popleft()
            for action in STEPS:
                there = self.step(cell, action)
                if there is not None and there not in known and there not in forbidden:
                    known[there] = known[cell] + 1
                    queue.append(there)
        return known


def choose(maze, seen):
    """The action, a sentence about it and the cells it is about."""
    pacman = tuple(seen["pacman"])
    food = {tuple(cell) for cell in seen["pellets"] + seen["potions"]}
    ghosts = [tuple(ghost["at"]) for ghost in seen["ghosts"]]
    afraid = (seen["clock"] or 0) < FEAR
    threat = maze.distances(ghosts) if ghosts and afraid else {}
    deadly = {cell for cell, steps in threat.items() if steps < FEAR}
    best, reason, goal = None, "", None
    for action in STEPS:
        first = maze.step(pacman, action)
        if first is None or first in deadly:
            continue
        ways = maze.distances([first], deadly | {pacman})
        safe = [cell for cell in food if ways.get(cell, FAR) + 1 < threat.get(cell, FAR)]
        nearest = min(safe, key=ways.get, default=None)
        steps = ways[nearest] if nearest else FAR
        worth = (-steps, threat.get(first, FAR))
        if best is None or worth > best[0]:
            best = (worth, action)
            goal = nearest
            reason = f"{steps + 1} steps to food" if nearest else "away from the ghosts"
    if best is None:
        flights = [action for action in STEPS if maze.step(pacman, action)]
        return max(flights, key=lambda action: threat.get(maze.step(pacman, action), FAR)), "cornered", None
    return best[1], reason, goal


def say(**message):
    print(json.dumps(message), flush=True)


def main():
    maze = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            say(t="hello", proto=1, name="python-pacman")
        elif message["t"] == "start":
            maze = Maze(message["level"])
            say(t="ready")
        elif message["t"] == "turn":
            # Under the rules `report` the ghosts are a seat too: this agent plays Pacman only.
            if message["obs"]["to_move"] != "pacman":
                say(t="act", n=message["n"], a=message["legal"][0])
                continue
            action, reason, goal = choose(maze, message["obs"])
            say(t="info", text=reason, cells=[[*goal, "goal"]] if goal else [])
            say(t="act", n=message["n"], a=action)
        elif message["t"] == "quit":
            break


main()
