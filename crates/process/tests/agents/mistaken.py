"""An agent that makes one mistake, named by its argument."""

import json
import os
import sys
import time

MISTAKE = sys.argv[1]


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say(**message):
    write(json.dumps(message) + "\n")


def hello():
    if MISTAKE == "crash-at-start":
        raise RuntimeError("no such file: opening-book")
    elif MISTAKE == "no-hello":
        time.sleep(30)
    elif MISTAKE == "no-newline":
        write('{"t":"hello","proto":1,"name":"x"}')
        time.sleep(30)
    elif MISTAKE == "banner":
        write("My agent 1.0\n")
    elif MISTAKE == "text-wire":
        write("hello 1 x\n")
    elif MISTAKE == "term-wire":
        write("hello(1,x).\n")
    elif MISTAKE == "python-dict":
        write(str({"t": "hello", "proto": 1, "name": "x"}) + "\n")
    elif MISTAKE == "broken-json":
        write('{"t":"hello","proto":1,\n')
    elif MISTAKE == "no-kind":
        say(proto=1, name="x")
    elif MISTAKE == "unknown-kind":
        say(t="hi", proto=1, name="x")
    elif MISTAKE == "version":
        say(t="hello", proto=2, name="x")
    elif MISTAKE == "no-name":
        say(t="hello", proto=1)
    elif MISTAKE == "ready-first":
        say(t="ready")
    elif MISTAKE == "hello-twice":
        say(t="hello", proto=1, name="x")
    elif MISTAKE == "act-first":
        say(t="act", n=1, a="up")
    say(t="hello", proto=1, name=" " if MISTAKE == "empty-name" else "x")
    if MISTAKE == "early-ready":
        say(t="ready")


def start():
    if MISTAKE == "no-ready":
        time.sleep(30)
    elif MISTAKE == "act-for-ready":
        say(t="act", n=1, a="up")
    elif MISTAKE == "empty-line":
        write("\n")
    elif MISTAKE == "fork":
        try:
            os.fork()
        except OSError:
            sys.exit("cannot fork")
    elif MISTAKE == "fork-quietly":
        try:
            os.fork()
        except OSError:
            pass
    if MISTAKE != "early-ready":
        say(t="ready")
    if MISTAKE == "early-act":
        say(t="act", n=1, a="up")


def turn(n, legal):
    action = legal[0]
    while MISTAKE == "endless-loop":
        pass
    if MISTAKE == "no-act":
        time.sleep(30)
    elif MISTAKE == "crash-in-turn" and n == 2:
        raise IndexError("list index out of range")
    elif MISTAKE == "chatter":
        write("thinking about turn %d\n" % n)
    elif MISTAKE == "no-number":
        say(t="act", a=action)
    elif MISTAKE == "number-as-text":
        say(t="act", n=str(n), a=action)
    elif MISTAKE == "action-as-number":
        say(t="act", n=n, a=3)
    elif MISTAKE == "wrong-key":
        say(t="act", n=n, action=action)
    elif MISTAKE == "bad-info":
        say(t="info", cells=[[1, 2]])
    elif MISTAKE == "slow":
        time.sleep(0.5)
    elif MISTAKE == "long-line":
        write("x" * 100_000)
    if MISTAKE == "wrong-turn":
        n = 0
    elif MISTAKE == "unknown-action":
        action = "jump"
    elif MISTAKE == "upper-case":
        action = action.upper()
    elif MISTAKE == "illegal":
        action = "stay"
    if MISTAKE == "no-answer" and n > 1:
        return say(t="fault", n=n, detail="Unknown procedure meilleur_coup/2")
    if MISTAKE == "resign" and n == 2:
        return say(t="resign", n=n, reason="impossible")
    say(t="act", n=n, a=action)
    if MISTAKE == "act-twice":
        say(t="act", n=n, a=action)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        hello()
    elif message["t"] == "start":
        start()
    elif message["t"] == "turn":
        turn(message["n"], message["legal"])
    elif message["t"] == "quit":
        break
while MISTAKE == "immortal":
    time.sleep(1)
