"""Agents that mean harm, one per mode. Each says on standard error which processes it has, and plays on if its attempt succeeds."""

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import sys
import threading
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


def use_scratch(folder):
    write_file(os.path.join(folder, "notes.txt"))
    print("folder mode", oct(os.stat(folder).st_mode & 0o777), file=sys.stderr, flush=True)


def connect(port):
    connection = socket.create_connection(("127.0.0.1", int(port)), timeout=5)
    connection.sendall(b"hello")
    connection.close()


def attempt(what, *arguments):
    """Says whether it succeeded."""
    try:
        what(*arguments)
        print("succeeded", what.__name__, file=sys.stderr, flush=True)
    except (OSError, ValueError) as error:
        print("failed", what.__name__, error, file=sys.stderr, flush=True)


def system_call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def limit_another(pid):
    resource.prlimit(pid, resource.RLIMIT_CPU, (1000, 1000))


def slow_another_down(pid):
    os.setpriority(os.PRIO_PROCESS, pid, 19)


def pin_another(pid):
    os.sched_setaffinity(pid, {0})


def hide_memory(_):
    os.memfd_create("hidden")


def share_memory(_):
    system_call(29, 0, 1 << 20, 0o1600)  # shmget


def new_namespaces(_):
    if system_call(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:  # clone with CLONE_NEWUSER
        os._exit(0)


def foreign_child(_):
    if system_call(56, 0x00008000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:  # clone with CLONE_PARENT
        os._exit(0)


def make_node(_):
    os.mknod(os.path.join(os.environ["TMPDIR"], "device"), 0o20666, os.makedev(1, 3))


def leave_a_date(_):
    os.utime(__file__, (1, 1))


def drip_while_eating(megabytes):
    """Never silent for long enough to be looked at only when silent."""
    memory = mmap.mmap(-1, int(megabytes) << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(int(megabytes)):
        memory[at << 20 : (at + 1) << 20] = b"x" * (1 << 20)
        os.write(2, b".")


def start_threads(count):
    started = 0
    for _ in range(int(count)):
        try:
            threading.Thread(target=time.sleep, args=(LIFE,), daemon=True).start()
            started += 1
        except RuntimeError:
            break
    print("started", started, "threads", file=sys.stderr, flush=True)


def dig(depth):
    """Folders inside folders, the first of them closed."""
    os.chdir(os.environ["TMPDIR"])
    os.mkdir("closed")
    os.mkdir("closed/inner")
    os.chmod("closed", 0)
    for _ in range(int(depth)):
        os.mkdir("d")
        os.chdir("d")


def think_aloud(lines):
    cells = [[0, 0, "x" * 40]] * 1000
    for _ in range(int(lines)):
        say(t="info", cells=cells)


def spend_files(count):
    """Many small files, or as many as fit."""
    made = 0
    try:
        for made in range(int(count)):
            open(os.path.join(os.environ["TMPDIR"], str(made)), "w").close()
    except OSError as error:
        print("failed", error, file=sys.stderr, flush=True)
    print("made", made, "files", file=sys.stderr, flush=True)
    time.sleep(0.3)


def spend_disk(megabytes):
    """Several large files, or as much as fits."""
    written = 0
    try:
        for number in range(int(megabytes) // 10):
            with open(os.path.join(os.environ["TMPDIR"], f"large{number}"), "wb") as file:
                file.write(b"x" * (10 << 20))
            written += 10
    except OSError as error:
        print("failed", error, file=sys.stderr, flush=True)
    print("wrote", written, "MB", file=sys.stderr, flush=True)
    time.sleep(0.3)


def spin_in_threads(count):
    """Threads that go on spinning after the answer."""

    def spin():
        while True:
            pass

    for _ in range(int(count)):
        threading.Thread(target=spin, daemon=True).start()


def think_in_children(seconds):
    """Children use the time and are gone before anybody looks."""
    for _ in range(5):
        child = os.fork()
        if child == 0:
            end = time.process_time() + float(seconds)
            while time.process_time() < end:
                pass
            os._exit(0)
        os.waitpid(child, 0)


def other_interface(_):
    """A system call by the 32-bit interface: getpid."""
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    code = mmap.mmap(-1, 4096, flags=private, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def surface(_):
    """Calls that no player needs. Numbers are those of x86-64."""
    libc_name = ctypes.create_string_buffer(b"name")
    calls = {
        "semget": (64, 0, 1, 0o1600),
        "msgget": (68, 0, 0o1600),
        "mq_open": (240, libc_name, 0o102, 0o600, None),
        "add_key": (248, libc_name, libc_name, libc_name, 4, -3),
        "request_key": (249, libc_name, libc_name, None, -3),
        "keyctl": (250, 0, -3, 0),
        "ioprio_set": (251, 1, 0, 0),
        "inotify_init": (253,),
        "inotify_init1": (294, 0),
        "fanotify_init": (300, 0, 0),
        "name_to_handle_at": (303, -100, libc_name, None, None, 0),
        "personality": (135, 0x0040000),
        "modify_ldt": (154, 0, None, 0),
        "io_setup": (206, 1, ctypes.byref(ctypes.c_long())),
        "io_uring_setup": (425, 1, None),
        "perf_event_open": (298, None, 0, -1, -1, 0),
        "bpf": (321, 0, None, 0),
        "userfaultfd": (323, 0),
        "memfd_secret": (447, 0),
        "pidfd_open": (434, os.getpid(), 0),
        "pidfd_getfd": (438, 0, 0, 0),
        "process_madvise": (440, 0, None, 0, 0, 0),
        "ptrace": (101, 0, 0, 0, 0),
        "process_vm_readv": (310, os.getpid(), None, 0, None, 0, 0),
        "kcmp": (312, os.getpid(), os.getpid(), 0, 0, 1),
        "move_pages": (279, 0, 0, None, None, None, 0),
        "migrate_pages": (256, 0, 0, None, None),
        "setns": (308, 0, 0),
        "unshare": (272, 0x10000000),
        "clone3": (435, None, 0),
        "mount": (165, None, None, None, 0, None),
        "pivot_root": (155, libc_name, libc_name),
        "chroot": (161, libc_name),
        "open_by_handle_at": (304, -100, None, 0),
        "openat2": (437, -100, libc_name, None, 0),
        "execveat": (322, -100, libc_name, None, None, 0),
        "flock": (73, 0, 2),
        "acct": (163, None),
        "syslog": (103, 2, None, 0),
        "reboot": (169, 0, 0, 0, 0),
        "setsid": (112,),
        "setpgid": (109, 0, 0),
    }
    for name, (number, *arguments) in calls.items():
        try:
            system_call(number, *arguments)
            print("succeeded", name, file=sys.stderr, flush=True)
        except OSError as error:
            # Bad arguments would mean that the kernel looked at them.
            known = error.errno in (errno.ENOSYS, errno.EPERM, errno.EACCES)
            print("failed" if known else "reached", name, error, file=sys.stderr, flush=True)


def look_around(_):
    """What it sees of others: processes, files, itself as others see it."""
    for path in ("/proc/1/cmdline", "/etc/passwd", "/root", "/home", "/var/tmp", "/dev/tty", "/sys/fs"):
        try:
            os.stat(path) if os.path.isdir(path) else open(path).read()
            print("succeeded", path, file=sys.stderr, flush=True)
        except OSError as error:
            print("failed", path, error, file=sys.stderr, flush=True)


def remember(_):
    """Leaves a mark on its own files, for later games."""
    attempt(os.utime, __file__, (1, 1))
    attempt(os.setxattr, __file__, "user.games", b"3")
    attempt(os.chmod, __file__, 0o777)
    attempt(os.rename, __file__, __file__ + ".old")
    attempt(os.truncate, __file__, 0)


def run_as_owner(_):
    """Files that would run as whoever owns them."""
    scratch = os.environ["TMPDIR"]
    attempt(os.open, os.path.join(scratch, "x"), os.O_CREAT | os.O_WRONLY, 0o4755)
    attempt(os.mkfifo, os.path.join(scratch, "fifo"))
    attempt(os.chown, scratch, 1, 1)


def end_of_referee(_):
    """Limits of whoever started it."""
    for name in ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE"):
        attempt(resource.prlimit, os.getppid(), getattr(resource, name), (1, 1))
    attempt(os.setpriority, os.PRIO_PROCESS, os.getppid(), 19)
    attempt(os.setpriority, os.PRIO_USER, 0, 19)
    attempt(os.sched_setscheduler, os.getppid(), os.SCHED_IDLE, os.sched_param(0))
    attempt(os.sched_setaffinity, 0, set(range(64)))


def outlive(_):
    """Has a child that ignores everything, and does not answer."""
    leave_child()
    time.sleep(LIFE)


ATTEMPTS = {
    "others": lambda pid: [attempt(what, int(pid)) for what in (limit_another, slow_another_down, pin_another)],
    "calls": lambda _: [
        attempt(what, None)
        for what in (hide_memory, share_memory, new_namespaces, foreign_child, make_node, leave_a_date)
    ],
}


def change_modes(path):
    attempt(os.chmod, path, 0)
    own = os.path.join(os.environ["TMPDIR"], "own")
    write_file(own)
    os.chmod(own, 0o4755)
    print("own mode", oct(os.stat(own).st_mode & 0o7777), file=sys.stderr, flush=True)


def signal_parent(_):
    try:
        os.kill(os.getppid(), signal.SIGUSR1)
    except OSError:
        pass


def stay_busy(_):
    while True:
        pass


def fail(_):
    raise RuntimeError("the map has no exit")


# What it does instead of thinking, in its first turn.
ACTS = {
    "fork": lambda _: fork_bomb(),
    "child": lambda _: leave_child(),
    "memory": eat_memory,
    "output": lambda _: flood(sys.stdout),
    "log": lambda _: flood(sys.stderr),
    "silence": lambda _: time.sleep(LIFE),
    "busy": stay_busy,
    "read": read_file,
    "write": write_file,
    "scratch": lambda _: use_scratch(os.environ["TMPDIR"]),
    "socket": connect,
    "kill": lambda pid: os.kill(int(pid), signal.SIGKILL),
    "parent": signal_parent,
    "mode": change_modes,
    "drip": drip_while_eating,
    "threads": start_threads,
    "dig": dig,
    "aloud": think_aloud,
    "crash": fail,
    "files": spend_files,
    "disk": spend_disk,
    "spin": spin_in_threads,
    "children": think_in_children,
    "interface": other_interface,
    "surface": surface,
    "look": look_around,
    "remember": remember,
    "owner": run_as_owner,
    "referee": end_of_referee,
    "outlive": outlive,
    **ATTEMPTS,
}
# What it does in every turn.
HABITS = {
    "nap": lambda seconds: time.sleep(float(seconds)),
    "children-always": think_in_children,
}


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
            if mode == "slow-start":
                time.sleep(float(argument))
            say(t="hello", proto=1, name=mode)
        elif message["t"] == "start":
            say(t="ready")
        elif message["t"] == "turn":
            n = message["n"]
            if n == 1 and mode in ACTS:
                ACTS[mode](argument)
            if mode in HABITS:
                HABITS[mode](argument)
            if mode == "future":
                n += 1
            say(t="act", n=n, a=message["legal"][0])
    while mode == "immortal":
        time.sleep(1)


main()
