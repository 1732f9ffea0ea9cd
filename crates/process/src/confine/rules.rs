//! System calls that agents may make: the data of the [filter](super::calls).
//!
//! This is an allow list. A call that is not on it fails with `ENOSYS`, which libraries handle. So calls added by later kernels are
//! refused until they have been reviewed.

use super::announce::CHANNEL;

/// Decision about a call.
#[derive(Clone, Copy)]
pub enum Ruling {
    /// It proceeds.
    Allow,
    /// The referee is asked.
    Ask,
    /// It fails with this error.
    Fail(i32),
}

impl Ruling {
    /// The return value of the BPF program.
    pub const fn code(self) -> u32 {
        match self {
            Self::Allow => libc::SECCOMP_RET_ALLOW,
            Self::Ask => libc::SECCOMP_RET_USER_NOTIF,
            Self::Fail(error) => libc::SECCOMP_RET_ERRNO | (error as u32 & libc::SECCOMP_RET_DATA),
        }
    }
}

/// A condition on the lower 32 bits of an argument.
#[derive(Clone, Copy)]
pub enum Argument {
    /// It is this number.
    Is(u32),
    /// It is another number.
    IsNot(u32),
    /// It is one of these.
    IsOneOf(&'static [u32]),
    /// It has one of these flags.
    Has(u32),
    /// Under this mask, it has exactly these flags.
    HasOf(u32, u32),
}

/// A call that is judged by its arguments.
pub struct Clauses {
    /// The call.
    pub call: libc::c_long,
    /// Index of an argument, condition, and the ruling; the first clause that holds decides.
    pub clauses: &'static [(usize, Argument, Ruling)],
    /// The ruling if none holds.
    pub otherwise: Ruling,
}

/// Calls that are allowed with any arguments.
#[rustfmt::skip]
pub const ALLOWED: &[libc::c_long] = &[
    // Memory.
    libc::SYS_brk, libc::SYS_mprotect, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_msync, libc::SYS_mincore,
    libc::SYS_madvise, libc::SYS_mlock, libc::SYS_mlock2, libc::SYS_munlock, libc::SYS_mseal, libc::SYS_membarrier,
    libc::SYS_pkey_alloc, libc::SYS_pkey_free, libc::SYS_pkey_mprotect, libc::SYS_get_mempolicy,
    // Reading and writing.
    libc::SYS_read, libc::SYS_write, libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_readv, libc::SYS_writev, libc::SYS_preadv,
    libc::SYS_pwritev, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_lseek, libc::SYS_sendfile, libc::SYS_splice,
    libc::SYS_tee, libc::SYS_copy_file_range,
    // Descriptors and waiting.
    libc::SYS_close, libc::SYS_close_range, libc::SYS_dup, libc::SYS_dup3, libc::SYS_pipe2,
    libc::SYS_eventfd2, libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_pwait, libc::SYS_epoll_pwait2,
    libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_signalfd4, libc::SYS_timerfd_create, libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // A pair of sockets inside the agent.
    libc::SYS_sendto, libc::SYS_recvfrom, libc::SYS_recvmsg, libc::SYS_shutdown, libc::SYS_getsockname, libc::SYS_getpeername,
    libc::SYS_getsockopt,
    // Finding files.
    libc::SYS_newfstatat, libc::SYS_fstat, libc::SYS_statx, libc::SYS_statfs,
    libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlinkat, libc::SYS_getdents64, libc::SYS_getcwd,
    libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_umask,
    libc::SYS_getxattr, libc::SYS_lgetxattr, libc::SYS_fgetxattr, libc::SYS_listxattr, libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    // Changing files, in the scratch folder.
    libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_linkat, libc::SYS_symlinkat,
    libc::SYS_ftruncate, libc::SYS_fallocate, libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_fadvise64,
    libc::SYS_readahead, libc::SYS_sync_file_range,
    // Processes, threads and their ends.
    libc::SYS_execve, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_set_tid_address,
    libc::SYS_set_robust_list, libc::SYS_rseq, libc::SYS_futex, libc::SYS_futex_waitv,
    libc::SYS_restart_syscall,
    // Its own signals.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait, libc::SYS_rt_sigsuspend, libc::SYS_sigaltstack,
    // Its identity.
    libc::SYS_getpid, libc::SYS_gettid, libc::SYS_getppid, libc::SYS_getpgid, libc::SYS_getsid, libc::SYS_getuid,
    libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid, libc::SYS_getgroups,
    libc::SYS_capget,
    // Its resources.
    libc::SYS_getrlimit, libc::SYS_getrusage, libc::SYS_times, libc::SYS_sysinfo, libc::SYS_uname, libc::SYS_getcpu,
    libc::SYS_getrandom, libc::SYS_getpriority, libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler, libc::SYS_sched_getattr, libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    // Time.
    libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_gettimeofday,
    libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create, libc::SYS_timer_settime, libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun, libc::SYS_timer_delete,
];

/// Older forms of the same calls, which only this architecture has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub const ALLOWED_LEGACY: &[libc::c_long] = &[
    libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink, libc::SYS_mkdir,
    libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_link, libc::SYS_symlink, libc::SYS_getdents, libc::SYS_poll,
    libc::SYS_select, libc::SYS_pipe, libc::SYS_dup2, libc::SYS_pause, libc::SYS_alarm, libc::SYS_time, libc::SYS_getpgrp,
    libc::SYS_arch_prctl, libc::SYS_eventfd, libc::SYS_signalfd, libc::SYS_epoll_create, libc::SYS_epoll_wait,
];
#[cfg(not(target_arch = "x86_64"))]
pub const ALLOWED_LEGACY: &[libc::c_long] = &[];

/// Calls that the referee is asked about.
pub const ASKED: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // Landlock does not cover modes: the referee changes them itself, where the agent may write.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
];

/// Newer than the libc crate's list.
pub const SYS_FCHMODAT2: libc::c_long = 452;

/// Calls that fail with `EPERM`, which programs expect of them. Calls on no list fail with `ENOSYS`.
pub const FORBIDDEN: &[libc::c_long] = &[
    // A process that left its process group would not be found at the end of the game.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_sched_setaffinity,
    libc::SYS_ioprio_set,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    // Truncation by path, which older versions of Landlock do not check.
    libc::SYS_truncate,
    libc::SYS_ptrace,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
];

/// New namespaces, and children that would belong to the referee instead of the agent.
const FOREIGN_CHILDREN: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT) as u32;

/// Mode bits of files that run with other privileges.
const SET_ID: u32 = libc::S_ISUID | libc::S_ISGID;

/// Together these flags make memory that belongs to no process: it outlives the mapping and is not counted.
const SHARED_MEMORY: u32 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;

/// Opens a file for reading and truncates it, which older versions of Landlock do not check.
const READ_AND_EMPTY: Argument =
    Argument::HasOf((libc::O_TRUNC | libc::O_ACCMODE) as u32, libc::O_TRUNC as u32);

/// `fcntl` commands that affect only the agent's own descriptors.
const OWN_DESCRIPTORS: &[u32] = &[
    libc::F_DUPFD as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETOWN as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_SETPIPE_SZ as u32,
];

/// File locks, through which two agents could communicate.
const LOCKS: &[u32] = &[
    libc::F_GETLK as u32,
    libc::F_SETLK as u32,
    libc::F_SETLKW as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_OFD_SETLK as u32,
    libc::F_OFD_SETLKW as u32,
];

/// `ioctl` requests that affect only descriptors, and two that ask whether one is a terminal.
const OWN_IOCTLS: &[u32] = &[
    libc::FIONREAD as u32,
    libc::FIONBIO as u32,
    libc::FIOCLEX as u32,
    libc::FIONCLEX as u32,
    libc::TCGETS as u32,
    libc::TIOCGWINSZ as u32,
];

/// `prctl` options that affect only the agent. It must stay readable to the referee and die with its parent.
const OWN_SETTINGS: &[u32] = &[
    libc::PR_GET_PDEATHSIG as u32,
    libc::PR_GET_DUMPABLE as u32,
    libc::PR_SET_NAME as u32,
    libc::PR_GET_NAME as u32,
    libc::PR_CAPBSET_READ as u32,
    libc::PR_SET_TIMERSLACK as u32,
    libc::PR_GET_TIMERSLACK as u32,
    libc::PR_SET_NO_NEW_PRIVS as u32,
    libc::PR_GET_NO_NEW_PRIVS as u32,
    libc::PR_SET_THP_DISABLE as u32,
    libc::PR_GET_THP_DISABLE as u32,
    libc::PR_GET_SPECULATION_CTRL as u32,
    libc::PR_SET_VMA as u32,
];

const NOT_PERMITTED: Ruling = Ruling::Fail(libc::EPERM);

/// Calls that are judged by their arguments.
pub const BY_ARGUMENT: &[Clauses] = &[
    Clauses {
        call: libc::SYS_clone,
        clauses: &[(0, Argument::Has(FOREIGN_CHILDREN), NOT_PERMITTED)],
        otherwise: Ruling::Ask,
    },
    Clauses {
        call: libc::SYS_mmap,
        clauses: &[(3, Argument::HasOf(SHARED_MEMORY, SHARED_MEMORY), NOT_PERMITTED)],
        otherwise: Ruling::Allow,
    },
    // The C library contacts a local name service on its own: that fails silently.
    Clauses {
        call: libc::SYS_socket,
        clauses: &[(0, Argument::Is(libc::AF_UNIX as u32), Ruling::Fail(libc::EACCES))],
        otherwise: Ruling::Ask,
    },
    // A pair inside the agent. A datagram socket could send to any other socket of the machine.
    Clauses {
        call: libc::SYS_socketpair,
        clauses: &[
            (0, Argument::IsNot(libc::AF_UNIX as u32), NOT_PERMITTED),
            (1, Argument::Has(libc::SOCK_DGRAM as u32), NOT_PERMITTED),
        ],
        otherwise: Ruling::Allow,
    },
    // Messages that carry descriptors would hide open files. Only the announcement before `exec` may be sent.
    Clauses {
        call: libc::SYS_sendmsg,
        clauses: &[(0, Argument::Is(CHANNEL as u32), Ruling::Allow)],
        otherwise: NOT_PERMITTED,
    },
    // The other commands would send signals to other processes, or communicate with them.
    Clauses {
        call: libc::SYS_fcntl,
        clauses: &[
            (1, Argument::IsOneOf(OWN_DESCRIPTORS), Ruling::Allow),
            (1, Argument::IsOneOf(LOCKS), Ruling::Fail(libc::ENOLCK)),
        ],
        otherwise: NOT_PERMITTED,
    },
    Clauses {
        call: libc::SYS_ioctl,
        clauses: &[(1, Argument::IsOneOf(OWN_IOCTLS), Ruling::Allow)],
        otherwise: Ruling::Fail(libc::ENOTTY),
    },
    Clauses {
        call: libc::SYS_prctl,
        clauses: &[(0, Argument::IsOneOf(OWN_SETTINGS), Ruling::Allow)],
        otherwise: NOT_PERMITTED,
    },
    // Pid 0 is the agent itself.
    Clauses {
        call: libc::SYS_prlimit64,
        clauses: &[(0, Argument::Is(0), Ruling::Allow)],
        otherwise: NOT_PERMITTED,
    },
    Clauses {
        call: libc::SYS_sched_setscheduler,
        clauses: &[(0, Argument::Is(0), Ruling::Allow)],
        otherwise: NOT_PERMITTED,
    },
    Clauses {
        call: libc::SYS_sched_setparam,
        clauses: &[(0, Argument::Is(0), Ruling::Allow)],
        otherwise: NOT_PERMITTED,
    },
    // Landlock and the mounts decide which files can be opened. A new file never gets a set-id bit.
    Clauses {
        call: libc::SYS_openat,
        clauses: &[(3, Argument::Has(SET_ID), NOT_PERMITTED), (2, READ_AND_EMPTY, NOT_PERMITTED)],
        otherwise: Ruling::Allow,
    },
    #[cfg(target_arch = "x86_64")]
    Clauses {
        call: libc::SYS_open,
        clauses: &[(2, Argument::Has(SET_ID), NOT_PERMITTED), (1, READ_AND_EMPTY, NOT_PERMITTED)],
        otherwise: Ruling::Allow,
    },
    #[cfg(target_arch = "x86_64")]
    Clauses {
        call: libc::SYS_creat,
        clauses: &[(1, Argument::Has(SET_ID), NOT_PERMITTED)],
        otherwise: Ruling::Allow,
    },
];
