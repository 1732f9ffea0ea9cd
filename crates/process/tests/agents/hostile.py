"""Agents that mean harm, one per mode. Each says on standard error which processes it has, and plays on if its attempt succeeds."""

import json
import os
import signal
import socket
import sys
import time

CHILDREN = 200  # a bomb that stops by itself
LIFE = 20  # seconds


def say(**message):
    print(json.dumps(message), flush=True)


def note(pid):
    print("pid", pid, file=sys.stderr, flush=True)


def become_child(daemon):
    if daemon:
        try:
            os.setsid()
        except OSError:
            pass
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.close(0)
    os.close(1)
    time.sleep(LIFE)
    os._exit(0)


def fork_bomb():
    started = 0
    for _ in range(CHILDREN):
        try:
            child = os.fork()
        except OSError:
            continue
        if child == 0:
            become_child(daemon=False)
        started += 1
        note(child)
    print("started", started, file=sys.stderr, flush=True)


def leave_child():
    child = os.fork()
    if child == 0:
        become_child(daemon=True)
    note(child)


def eat_memory(megabytes):
    kept = []
    for _ in range(int(megabytes)):
        kept.append(bytearray(1 << 20))
        time.sleep(0.0005)
    return kept


def flood(stream):
    line = json.dumps({"t": "info", "text": "x" * 1000}) + "\n"
    while True:
        stream.write(line)


def read_file(path):
    print("read", open(path).read(), file=sys.stderr, flush=True)


def write_file(path):
    with open(path, "w") as file:
        file.write("was here")
    print("wrote", path, file=sys.stderr, flush=True)


def connect(port):
    connection = socket.create_connection(("127.0.0.1", int(port)), timeout=5)
    connection.sendall(b"hello")
    connection.close()


def act(mode, argument, n):
    """What it does instead of thinking, in its first turn."""
    if mode == "fork":
        fork_bomb()
    elif mode == "child":
        leave_child()
    elif mode == "memory":
        eat_memory(argument)
    elif mode == "output":
        flood(sys.stdout)
    elif mode == "log":
        flood(sys.stderr)
    elif mode == "silence":
        time.sleep(LIFE)
    elif mode == "busy":
        while True:
            pass
    elif mode == "read":
        read_file(argument)
    elif mode == "write":
        write_file(argument)
    elif mode == "scratch":
        write_file(os.path.join(os.environ["TMPDIR"], "notes.txt"))
    elif mode == "socket":
        connect(argument)
    elif mode == "kill":
        os.kill(int(argument), signal.SIGKILL)
    elif mode == "parent":
        try:
            os.kill(os.getppid(), signal.SIGUSR1)
        except OSError:
            pass
    elif mode == "crash":
        raise RuntimeError("the map has no exit")


def main():
    mode = sys.argv[1]
    argument = sys.argv[2] if len(sys.argv) > 2 else ""
    note(os.getpid())
    if mode == "immortal":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            say(t="hello", proto=1, name=mode)
        elif message["t"] == "start":
            say(t="ready")
        elif message["t"] == "turn":
            n = message["n"]
            if n == 1:
                act(mode, argument, n)
            if mode == "future":
                n += 1
            say(t="act", n=n, a=message["legal"][0])
    while mode == "immortal":
        time.sleep(1)


main()
