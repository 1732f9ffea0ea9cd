//! System call filter, by seccomp: a BPF program made from the [rules](super::rules), and the listener that the kernel asks about
//! some of the calls.

use std::io;
use std::mem::{offset_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use rustix::thread::set_no_new_privs;

use super::cage::check;
use super::modes::ModeChange;
use super::rules::{
    ALLOWED, ALLOWED_LEGACY, ASKED, Argument, BY_ARGUMENT, Clauses, FORBIDDEN, Ruling, SYS_FCHMODAT2,
};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;

/// Call numbers from here on belong to the x32 interface, which the rules do not cover.
const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// Can a filter with a listener be installed? The kernel may be too old, or a container may forbid it.
///
/// A filter holds for the thread that installs it, so a filter that allows everything is tried in a short-lived thread.
pub fn supported() -> bool {
    static SUPPORTED: OnceLock<bool> = OnceLock::new();
    let attempt = || {
        set_no_new_privs(true)?;
        Filter(vec![answer(Ruling::Allow.code())]).install()
    };
    *SUPPORTED.get_or_init(|| std::thread::spawn(move || attempt().is_ok()).join().unwrap_or(false))
}

/// The filter's program.
pub struct Filter(Vec<libc::sock_filter>);

impl Filter {
    /// The program for the [rules](super::rules).
    pub fn from_rules() -> Self {
        let number = offset_of!(libc::seccomp_data, nr) as u32;
        let mut program = vec![
            load(offset_of!(libc::seccomp_data, arch) as u32),
            jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0),
            answer(libc::SECCOMP_RET_KILL_PROCESS),
            load(number),
            jump(libc::BPF_JGE, FOREIGN_NUMBERS, 0, 1),
            answer(Ruling::Fail(libc::ENOSYS).code()),
        ];
        let plain = [
            (ALLOWED, Ruling::Allow),
            (ALLOWED_LEGACY, Ruling::Allow),
            (ASKED, Ruling::Ask),
            (FORBIDDEN, Ruling::Fail(libc::EPERM)),
        ];
        for (calls, ruling) in plain {
            for &call in calls {
                program.extend([jump(libc::BPF_JEQ, call as u32, 0, 1), answer(ruling.code())]);
            }
        }
        for call in BY_ARGUMENT {
            program.extend(instructions_for(call));
        }
        program.push(answer(Ruling::Fail(libc::ENOSYS).code()));
        Self(program)
    }

    /// Installs it in this thread and returns its listener.
    pub(super) fn install(&self) -> io::Result<OwnedFd> {
        // Once a request was received, only a fatal signal interrupts the call: programs do not expect that starting a process can be
        // interrupted. Needs Linux 5.19.
        self.install_with(
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
        )
        .or_else(|_| self.install_with(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER))
    }

    fn install_with(&self, flags: libc::c_ulong) -> io::Result<OwnedFd> {
        let program = libc::sock_fprog { len: self.0.len() as u16, filter: self.0.as_ptr().cast_mut() };
        // SAFETY: `program` points to as many instructions as it says; the kernel copies them. The descriptor is ours alone.
        // Nothing wraps seccomp with notifications.
        unsafe {
            let listener = check(libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                flags,
                &raw const program,
            ))?;
            Ok(OwnedFd::from_raw_fd(listener as RawFd))
        }
    }
}

/// The instructions for a call that is judged by its arguments; other calls skip them.
fn instructions_for(call: &Clauses) -> Vec<libc::sock_filter> {
    let mut inside = Vec::new();
    for &(place, condition, ruling) in call.clauses {
        let argument = offset_of!(libc::seccomp_data, args) + place * size_of::<u64>();
        inside.push(load(argument as u32));
        match condition {
            Argument::Is(value) => inside.push(jump(libc::BPF_JEQ, value, 0, 1)),
            Argument::IsNot(value) => inside.push(jump(libc::BPF_JEQ, value, 1, 0)),
            Argument::Has(flags) => inside.push(jump(libc::BPF_JSET, flags, 0, 1)),
            Argument::HasOf(mask, flags) => {
                inside.extend([keep_bits(mask), jump(libc::BPF_JEQ, flags, 0, 1)]);
            }
            Argument::IsOneOf(values) => {
                let others_after = |at: usize| (values.len() - 1 - at) as u8;
                let tests = values.iter().enumerate().map(|(at, &value)| {
                    let last = at + 1 == values.len();
                    jump(libc::BPF_JEQ, value, others_after(at), u8::from(last))
                });
                inside.extend(tests);
            }
        }
        inside.push(answer(ruling.code()));
    }
    inside.push(answer(call.otherwise.code()));
    inside.insert(0, jump(libc::BPF_JEQ, call.call as u32, 0, inside.len() as u8));
    inside
}

fn keep_bits(mask: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16, jt: 0, jf: 0, k: mask }
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

/// Operation that a confined process requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Start a process.
    Process,
    /// Start a thread.
    Thread,
    /// Change the mode of a file; `None` if the file cannot be determined.
    Mode(Option<ModeChange>),
    /// Open a socket, to the network or to the kernel.
    Socket,
    /// Send a signal to a process, or to a process group if the number is negative.
    Signal(i32),
}

/// A system call that waits for a decision.
#[derive(Clone, Debug)]
pub struct Request {
    id: u64,
    /// The requested operation.
    pub operation: Operation,
}

/// Receives the kernel's requests for decisions about system calls.
pub struct Listener(pub(super) OwnedFd);

impl Listener {
    /// The next waiting call.
    pub fn next(&self) -> Option<Request> {
        // SAFETY: the kernel expects a zeroed buffer of this size, and fills it. No dependency wraps this request.
        let asked = unsafe {
            let mut asked: libc::seccomp_notif = zeroed();
            let got = libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked);
            if got != 0 {
                return None;
            }
            asked
        };
        Some(Request { id: asked.id, operation: operation(&asked) })
    }

    /// Lets the call proceed.
    pub fn allow(&self, request: &Request) {
        self.answer(request, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32);
    }

    /// Reports success without making the call: the referee has done it in its place.
    pub fn report_done(&self, request: &Request) {
        self.answer(request, 0, 0);
    }

    /// Makes the call fail.
    pub fn refuse(&self, request: &Request) {
        self.answer(request, -libc::EPERM, 0);
    }

    fn answer(&self, request: &Request, error: i32, flags: u32) {
        let mut answer = libc::seccomp_notif_resp { id: request.id, val: 0, error, flags };
        // SAFETY: the kernel reads an answer of this size. No dependency wraps this request. It fails if the process is gone, which is fine.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    }
}

fn operation(asked: &libc::seccomp_notif) -> Operation {
    let (pid, args) = (asked.pid as i32, asked.data.args);
    let first = args[0] as i32;
    match libc::c_long::from(asked.data.nr) {
        libc::SYS_socket => Operation::Socket,
        libc::SYS_kill
        | libc::SYS_tkill
        | libc::SYS_tgkill
        | libc::SYS_rt_sigqueueinfo
        | libc::SYS_rt_tgsigqueueinfo => Operation::Signal(first),
        libc::SYS_clone if first & libc::CLONE_THREAD != 0 => Operation::Thread,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod => Operation::Mode(ModeChange::by_path(pid, libc::AT_FDCWD, args[0], args[1]).ok()),
        libc::SYS_fchmod => Operation::Mode(ModeChange::by_descriptor(pid, first, args[1]).ok()),
        libc::SYS_fchmodat | SYS_FCHMODAT2 => {
            Operation::Mode(ModeChange::by_path(pid, first, args[1], args[2]).ok())
        }
        _ => Operation::Process,
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
