"""Pacman in Python: heads for the nearest pellet that no ghost reaches first, or else away from the ghosts."""

import json
import sys
from collections import deque

STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
FAR = 1000
SAFE_DISTANCE = 4  # steps that Pacman keeps away from ghosts


class Maze:
    def __init__(self, lines):
        rows = [line for line in lines if line.strip() and not line.lstrip().startswith(";")]
        self.width, self.height = len(rows[0]), len(rows)
        self.floor = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}

    def step(self, cell, action):
        """The cell that a step leads to, wrapping around the edges; None at a wall."""
        dx, dy = STEPS[action]
        there = ((cell[0] + dx) % self.width, (cell[1] + dy) % self.height)
        return there if there in self.floor else None

    def distances(self, starts, forbidden=frozenset()):
        """The number of steps from the nearest start to every reachable cell."""
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


def choose(maze, obs):
    """Returns an action, the reason for it, and the goal cell."""
    pacman = tuple(obs["pacman"])
    food = {tuple(cell) for cell in obs["pellets"] + obs["potions"]}
    ghosts = [tuple(ghost["at"]) for ghost in obs["ghosts"]]
    afraid = (obs["clock"] or 0) < SAFE_DISTANCE
    threat = maze.distances(ghosts) if ghosts and afraid else {}
    deadly = {cell for cell, steps in threat.items() if steps < SAFE_DISTANCE}
    best, reason, goal = None, "", None
    for action in STEPS:
        first = maze.step(pacman, action)
        if first is None or first in deadly:
            continue
        distances = maze.distances([first], deadly | {pacman})
        safe = [cell for cell in food if distances.get(cell, FAR) + 1 < threat.get(cell, FAR)]
        nearest = min(safe, key=distances.get, default=None)
        steps = distances[nearest] if nearest else FAR
        score = (-steps, threat.get(first, FAR))
        if best is None or score > best[0]:
            best = (score, action)
            goal = nearest
            reason = f"{steps + 1} steps to food" if nearest else "away from the ghosts"
    if best is None:
        escapes = [action for action in STEPS if maze.step(pacman, action)]
        return max(escapes, key=lambda action: threat.get(maze.step(pacman, action), FAR)), "cornered", None
    return best[1], reason, goal


def send(**message):
    print(json.dumps(message), flush=True)


def main():
    maze = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            send(t="hello", proto=1, name="python-pacman")
        elif message["t"] == "start":
            maze = Maze(message["level"])
            send(t="ready")
        elif message["t"] == "turn":
            # Under the rules `report` an agent may also play the ghosts; this one only plays Pacman.
            if message["obs"]["to_move"] != "pacman":
                send(t="act", n=message["n"], a=message["legal"][0])
                continue
            action, reason, goal = choose(maze, message["obs"])
            send(t="info", text=reason, cells=[[*goal, "goal"]] if goal else [])
            send(t="act", n=message["n"], a=action)
        elif message["t"] == "quit":
            break


main()
