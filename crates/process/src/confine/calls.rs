//! System calls, by seccomp: a program for the kernel's filter machine, and the listener that is asked about the calls that matter.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::{MaybeUninit, offset_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use rustix::thread::set_no_new_privs;

use super::cage::check;

/// What a call gets.
#[derive(Clone, Copy)]
enum Ruling {
    Allow,
    /// The referee is asked.
    Ask,
    /// It fails with this error.
    Fail(i32),
}

impl Ruling {
    const fn code(self) -> u32 {
        match self {
            Self::Allow => libc::SECCOMP_RET_ALLOW,
            Self::Ask => libc::SECCOMP_RET_USER_NOTIF,
            Self::Fail(error) => libc::SECCOMP_RET_ERRNO | (error as u32 & libc::SECCOMP_RET_DATA),
        }
    }
}

/// A condition on the first argument of a call.
#[derive(Clone, Copy)]
enum First {
    Is(u32),
    Has(u32),
}

/// Calls that are refused or asked about whatever their arguments are.
const PLAIN: &[(libc::c_long, Ruling)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_fork, Ruling::Ask),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_vfork, Ruling::Ask),
    // Its flags lie in memory, where a filter cannot look. Libraries then use `clone`.
    (libc::SYS_clone3, Ruling::Fail(libc::ENOSYS)),
    (libc::SYS_kill, Ruling::Ask),
    (libc::SYS_tkill, Ruling::Ask),
    (libc::SYS_tgkill, Ruling::Ask),
    (libc::SYS_rt_sigqueueinfo, Ruling::Ask),
    (libc::SYS_rt_tgsigqueueinfo, Ruling::Ask),
    (libc::SYS_pidfd_send_signal, Ruling::Fail(libc::EPERM)),
    (libc::SYS_pidfd_getfd, Ruling::Fail(libc::EPERM)),
    // Whoever could leave its process group would not be found at the end of the game.
    (libc::SYS_setsid, Ruling::Fail(libc::EPERM)),
    (libc::SYS_setpgid, Ruling::Fail(libc::EPERM)),
    (libc::SYS_ptrace, Ruling::Fail(libc::EPERM)),
    (libc::SYS_process_vm_readv, Ruling::Fail(libc::EPERM)),
    (libc::SYS_process_vm_writev, Ruling::Fail(libc::EPERM)),
    (libc::SYS_unshare, Ruling::Fail(libc::EPERM)),
    (libc::SYS_setns, Ruling::Fail(libc::EPERM)),
    (libc::SYS_mount, Ruling::Fail(libc::EPERM)),
    (libc::SYS_bpf, Ruling::Fail(libc::EPERM)),
    (libc::SYS_perf_event_open, Ruling::Fail(libc::EPERM)),
    (libc::SYS_keyctl, Ruling::Fail(libc::EPERM)),
    (libc::SYS_add_key, Ruling::Fail(libc::EPERM)),
    (libc::SYS_userfaultfd, Ruling::Fail(libc::EPERM)),
    // It would make calls that no filter sees.
    (libc::SYS_io_uring_setup, Ruling::Fail(libc::ENOSYS)),
];

/// Calls whose first argument matters: the condition, and what they get if it holds and if not.
const BY_ARGUMENT: &[(libc::c_long, First, Ruling, Ruling)] = &[
    (libc::SYS_clone, First::Has(libc::CLONE_THREAD as u32), Ruling::Allow, Ruling::Ask),
    // The C library asks a local name service without being told to: that fails quietly.
    (libc::SYS_socket, First::Is(libc::AF_UNIX as u32), Ruling::Fail(libc::EACCES), Ruling::Ask),
    (libc::SYS_prctl, First::Is(libc::PR_SET_PDEATHSIG as u32), Ruling::Fail(libc::EPERM), Ruling::Allow),
];

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;

/// Numbers from here on are those of the 32-bit interface of 64-bit processors, which the rules do not name.
const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// Does the kernel filter calls and ask about them, and does it let us? A container may have said no.
///
/// A filter holds for the thread that installs it: one that allows everything is tried in a thread that ends at once.
pub fn supported() -> bool {
    static SUPPORTED: OnceLock<bool> = OnceLock::new();
    let attempt = || {
        set_no_new_privs(true)?;
        Filter(vec![answer(Ruling::Allow.code())]).listener()
    };
    *SUPPORTED.get_or_init(|| std::thread::spawn(move || attempt().is_ok()).join().unwrap_or(false))
}

/// The filter's program.
pub struct Filter(Vec<libc::sock_filter>);

impl Filter {
    /// The program for the rules above.
    pub fn of_the_rules() -> Self {
        let number = offset_of!(libc::seccomp_data, nr) as u32;
        let mut program = vec![
            load(offset_of!(libc::seccomp_data, arch) as u32),
            jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0),
            answer(libc::SECCOMP_RET_KILL_PROCESS),
            load(number),
            jump(libc::BPF_JGE, FOREIGN_NUMBERS, 0, 1),
            answer(Ruling::Fail(libc::ENOSYS).code()),
        ];
        for &(call, ruling) in PLAIN {
            program.extend([jump(libc::BPF_JEQ, call as u32, 0, 1), answer(ruling.code())]);
        }
        for &(call, first, if_so, if_not) in BY_ARGUMENT {
            let (comparison, value) = match first {
                First::Is(value) => (libc::BPF_JEQ, value),
                First::Has(flag) => (libc::BPF_JSET, flag),
            };
            program.extend([
                jump(libc::BPF_JEQ, call as u32, 0, 4),
                load(offset_of!(libc::seccomp_data, args) as u32),
                jump(comparison, value, 0, 1),
                answer(if_so.code()),
                answer(if_not.code()),
            ]);
        }
        program.push(answer(Ruling::Allow.code()));
        Self(program)
    }

    /// Installs it in this thread and sends its listener through `channel`.
    pub(super) fn install(&self, channel: BorrowedFd<'_>) -> io::Result<()> {
        send_descriptor(channel, self.listener()?.as_fd())
    }

    /// Installs it in this thread.
    fn listener(&self) -> io::Result<OwnedFd> {
        let program = libc::sock_fprog { len: self.0.len() as u16, filter: self.0.as_ptr().cast_mut() };
        // SAFETY: `program` points to as many instructions as it says; the kernel copies them. The descriptor is ours alone.
        // Nothing wraps seccomp with notifications.
        unsafe {
            let listener = check(libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
                &raw const program,
            ))?;
            Ok(OwnedFd::from_raw_fd(listener as RawFd))
        }
    }
}

fn load(offset: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

fn jump(comparison: u32, value: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    let code = (libc::BPF_JMP | comparison | libc::BPF_K) as u16;
    libc::sock_filter { code, jt: if_so, jf: if_not, k: value }
}

fn answer(code: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: code }
}

/// Sends a descriptor to the other end of a socket pair. Nothing is allocated: this runs between fork and exec.
fn send_descriptor(channel: BorrowedFd<'_>, descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let descriptors = [descriptor];
    let mut room = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut room);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(channel, &[IoSlice::new(&[0])], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// What a confined process is asking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To start a process.
    Process,
    /// To open a socket, to the network or to the kernel.
    Socket,
    /// To send a signal to a process; to a group of them if the number is negative.
    Signal(i32),
}

/// A call that waits for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    id: u64,
    /// The process that makes the call.
    pub pid: i32,
    /// What it wants.
    pub wish: Wish,
}

/// Where the kernel asks about calls.
pub struct Listener(OwnedFd);

impl Listener {
    /// Receives the listener that a new process has sent; nothing if it was not sent.
    pub fn receive(channel: &OwnedFd) -> Option<Self> {
        let mut byte = [0];
        let mut room = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut room);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let received = recvmsg(channel, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, flags).ok()?;
        let descriptors = ancillary.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        });
        descriptors.filter(|_| received.bytes > 0)?.next().map(Self)
    }

    /// The next call that waits.
    pub fn next(&self) -> Option<Request> {
        // SAFETY: the kernel wants a cleared place of this size, and fills it. Nothing wraps this request.
        let asked = unsafe {
            let mut asked: libc::seccomp_notif = zeroed();
            let got = libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked);
            if got != 0 {
                return None;
            }
            asked
        };
        let first = asked.data.args[0] as i32;
        let wish = match libc::c_long::from(asked.data.nr) {
            libc::SYS_socket => Wish::Socket,
            libc::SYS_kill
            | libc::SYS_tkill
            | libc::SYS_tgkill
            | libc::SYS_rt_sigqueueinfo
            | libc::SYS_rt_tgsigqueueinfo => Wish::Signal(first),
            _ => Wish::Process,
        };
        Some(Request { id: asked.id, pid: asked.pid as i32, wish })
    }

    /// Lets the call happen.
    pub fn allow(&self, request: Request) {
        self.answer(request, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32);
    }

    /// Makes the call fail.
    pub fn refuse(&self, request: Request) {
        self.answer(request, -libc::EPERM, 0);
    }

    fn answer(&self, request: Request, error: i32, flags: u32) {
        let mut answer = libc::seccomp_notif_resp { id: request.id, val: 0, error, flags };
        // SAFETY: the kernel reads an answer of this size; nothing wraps this request. It fails if the process is gone, and then nobody waits.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
