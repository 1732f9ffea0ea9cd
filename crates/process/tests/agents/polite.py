"""A well-behaved agent with a few habits, in any wire: polite.py WIRE HABIT."""

import json
import os
import re
import sys
import time

WIRE, HABIT = sys.argv[1], sys.argv[2]


def parse(line):
    """The kind of a message, its number if it is a turn, and the first legal action."""
    if WIRE == "json":
        message = json.loads(line)
        return message["t"], message.get("n"), (message.get("legal") or [None])[0]
    if WIRE == "text":
        words = line.split()
        return words[0], words[1] if words[0] == "turn" else None, words[4] if words[0] == "turn" else None
    kind = re.match(r"\w+", line).group()
    turn = re.match(r"turn\((\d+),\d+,\[(\w+)", line)
    return kind, turn and turn.group(1), turn and turn.group(2)


def say(as_json, as_text, as_term):
    print({"json": json.dumps(as_json), "text": as_text, "term": as_term}[WIRE], flush=True)


turns = 0
for line in sys.stdin:
    kind, n, first = parse(line)
    if HABIT == "echo":
        print(line.rstrip(), file=sys.stderr, flush=True)
    if kind == "hello":
        say({"t": "hello", "proto": 1, "name": "polite"}, "hello 1 polite", "hello(1,polite).")
    elif kind == "start":
        say({"t": "ready"}, "ready", "ready.")
    elif kind == "turn":
        turns += 1
        print("turn", turns, "of this process", file=sys.stderr, flush=True)
        if HABIT == "trace":
            with open(os.path.join(os.environ["TMPDIR"], "trace.txt"), "a") as trace:
                trace.write(f"traced {turns}\n")
        if HABIT == "slow" or HABIT == "late-once" and turns == 1:
            time.sleep(0.15)
        if HABIT == "busy-400ms":
            end = time.process_time() + 0.4
            while time.process_time() < end:
                pass
        if HABIT == "illegal-once" and turns == 1:
            first = "sideways"
        info = {"t": "info", "text": "well considered", "cells": [[1, 2, "path"]], "scores": {"up": 0.5}}
        say(info, "info well considered\ncell 1 2 path\nscore up 0.5", "info('well considered').\ncell(1,2,path).\nscore(up,0.5).")
        n = int(n)
        if HABIT == "no-answer":
            detail = "Unknown procedure meilleur_coup/2"
            print("Warning: player.pl:1:\nERROR:", detail, file=sys.stderr, flush=True)
            say({"t": "fault", "n": n, "detail": detail + "\x07" + "!" * 999},
                f"fault {n} {detail.replace(' ', '~')}", f"fault({n},'{detail}').")
            continue
        if HABIT == "resign" and turns == 2:
            say({"t": "resign", "n": n, "reason": "impossible"}, f"resign {n} impossible", f"resign({n},impossible).")
            continue
        say({"t": "act", "n": n, "a": first}, f"act {n} {first}", f"act({n},{first}).")
    elif kind == "quit":
        break
