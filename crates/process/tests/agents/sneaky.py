"""Agents that go round a rule instead of breaking it, one per mode. Each plays on if it can, and says what it got."""

import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import struct
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)


def tell(*words):
    print(*words, file=sys.stderr, flush=True)


def attempt(name, what, *arguments):
    """Says whether it succeeded."""
    try:
        what(*arguments)
        tell("succeeded", name)
    except (OSError, ValueError, RuntimeError) as error:
        tell("failed", name, error)


def checked(result):
    if result is None or result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def call(number, *arguments):
    return checked(LIBC.syscall(number, *arguments))


def scratch(name):
    return os.path.join(os.environ["TMPDIR"], name)


def harm_all(_):
    """Everybody whose number may be near: the opponent, its warden, the referee."""
    here = os.getpid()
    numbers = {*range(1, 60), *range(max(1, here - 150), here + 150), os.getppid()} - {here}
    hit = 0
    for pid in numbers:
        attempts = (
            lambda: call(302, pid, 0, struct.pack("QQ", 1, 1), None),  # prlimit64: processor time
            lambda: call(302, pid, 1, struct.pack("QQ", 0, 0), None),  # the size of files
            lambda: call(302, pid, 7, struct.pack("QQ", 0, 0), None),  # descriptors
            lambda: call(141, 0, pid, 19),  # setpriority
            lambda: call(144, pid, 5, struct.pack("i", 0)),  # sched_setscheduler: idle
            lambda: call(203, pid, 8, struct.pack("Q", 1)),  # sched_setaffinity
            lambda: call(251, 1, pid, 3 << 13),  # ioprio_set
        )
        for harm in attempts:
            try:
                harm()
                hit += 1
            except OSError:
                pass
    tell("harmed", hit)


def use_powers(_):
    """What root may do, and an agent of root may not."""
    attempt("SCHED_FIFO", os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(10))
    attempt("nice", os.setpriority, os.PRIO_PROCESS, 0, -20)
    attempt("chown", os.chown, os.environ["TMPDIR"], 1, 1)
    attempt("setuid", os.setuid, 1)
    attempt("mknod", os.mknod, scratch("disk"), 0o60600, os.makedev(7, 0))
    attempt("chroot", os.chroot, os.environ["TMPDIR"])
    attempt("sethostname", socket.sethostname, "mine")
    attempt("settime", time.clock_settime, time.CLOCK_REALTIME, time.time())
    attempt("fsopen", call, 430, b"tmpfs", 0)
    attempt("setgroups", os.setgroups, [0])
    attempt("oom", write_to, "/proc/self/oom_score_adj", "-1000")


def write_to(path, text):
    with open(path, "w") as file:
        file.write(text)


def hide_memory(_):
    """Memory that belongs to no process."""
    attempt("shared", mmap.mmap, -1, 1 << 20)
    attempt("zero", os.open, "/dev/zero", os.O_RDONLY)


def fill_tables(_):
    """Reads a little of very much: only the tables of pages grow."""
    LIBC.mmap.restype = ctypes.c_void_p
    private, anonymous, no_reserve = 2, 0x20, 0x4000
    size = 1 << 40
    start = LIBC.mmap(None, ctypes.c_size_t(size), 1, private | anonymous | no_reserve, -1, ctypes.c_long(0))
    for at in range(start, start + size, 2 << 20):
        ctypes.c_char.from_address(at).value


def send_datagram(path):
    def send():
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        pair[0].sendto(b"hello", path)

    attempt("datagram", send)


def signal_by_owner(pid):
    """The kernel sends the signal that the owner of a pipe asked for."""

    def send():
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, int(pid))
        fcntl.fcntl(reader, 10, signal.SIGKILL)  # F_SETSIG
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(writer, b"x")

    attempt("signal", send)


def lock_files(_):
    """Locks that another agent can see."""
    with open("/usr/bin/env", "rb") as file:
        attempt("lockf", fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        attempt("flock", fcntl.flock, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        attempt("lease", fcntl.fcntl, file, 1024, fcntl.F_RDLCK)
        attempt("notify", fcntl.fcntl, os.open("/usr", os.O_RDONLY), 1026, 1)


def empty_files(path):
    for file in (__file__, path):
        attempt("truncate", os.truncate, file, 0)
        attempt("open", os.open, file, os.O_RDONLY | os.O_TRUNC)


def set_flags(_):
    """A mark on its own file that later games can read."""
    with open(__file__, "rb") as file:
        attempt("flags", fcntl.ioctl, file, 0x40086602, struct.pack("l", 0x40))


def delete_files(map_them):
    """Files that nobody sees any more, and that take room all the same."""
    kept, made = [], 0
    try:
        for made in range(30):
            with open(scratch("gone"), "w+b") as file:
                file.write(b"x" * (10 << 20))
                file.flush()
                kept.append(mmap.mmap(file.fileno(), 4096) if map_them else os.dup(file.fileno()))
            os.unlink(scratch("gone"))
    except OSError as error:
        tell("failed", error)
    tell("kept", made, "files")
    time.sleep(0.3)


def set_timers(_):
    made = 0
    timer = ctypes.c_int()
    while made < 2000 and LIBC.syscall(222, 1, None, ctypes.byref(timer)) == 0:  # timer_create
        made += 1
    tell("made", made, "timers")


def hide_from_referee(_):
    attempt("dumpable", lambda: checked(LIBC.prctl(4, 0, 0, 0, 0)))
    attempt("parent's death", lambda: checked(LIBC.prctl(1, 0, 0, 0, 0)))
    attempt("core scheduling", lambda: checked(LIBC.prctl(62, 1, 0, 0, 0)))


def leave_grandchild(_):
    """A child of a child that ignores everything; the agent ends."""
    if os.fork() == 0:
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.closerange(0, 3)
            time.sleep(20)
        os._exit(0)
    os.wait()
    os._exit(3)


def think_in_orphans(seconds):
    """Grandchildren use the time, and end as nobody's children."""
    for _ in range(6):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            if os.fork() == 0:
                end = time.process_time() + float(seconds)
                while time.process_time() < end:
                    pass
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        os.read(reader, 1)
        os.close(reader)


def look_at_processes(_):
    """Itself, which it may, and whoever started it, whom it may not."""
    tell("exe", os.readlink("/proc/self/exe"))
    attempt("oom", write_to, "/proc/self/oom_score_adj", "-1000")
    for path in ("/.proc/1/cmdline", "/.proc/1/environ", "/.proc/sys/kernel/core_pattern", "/proc/sys/kernel/core_pattern"):
        attempt(path, lambda: open(path).read())


def say_long_line(length):
    sys.stdout.write("x" * int(length) + "\n")
    sys.stdout.flush()


ACTS = {
    "harm": harm_all,
    "powers": use_powers,
    "memory": hide_memory,
    "tables": fill_tables,
    "datagram": send_datagram,
    "owner": signal_by_owner,
    "locks": lock_files,
    "empty": empty_files,
    "flags": set_flags,
    "deleted": lambda _: delete_files(False),
    "mapped": lambda _: delete_files(True),
    "timers": set_timers,
    "hide": hide_from_referee,
    "grandchild": leave_grandchild,
    "line": say_long_line,
    "processes": look_at_processes,
    "orphans": think_in_orphans,
    "stop": lambda _: os.kill(os.getpid(), signal.SIGSTOP),
}


def main():
    mode, argument = sys.argv[1:3]
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["t"] == "hello":
            answer = {"t": "hello", "proto": 1, "name": mode}
        elif message["t"] == "start":
            answer = {"t": "ready"}
        elif message["t"] == "turn":
            if message["n"] == 1:
                ACTS[mode](argument)
            answer = {"t": "act", "n": message["n"], "a": message["legal"][0]}
        if answer:
            print(json.dumps(answer), flush=True)


main()
