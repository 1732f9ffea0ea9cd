//! Runs programs as if the kernel lacked some system calls.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Calls without which there are no namespaces for agents.
pub const NAMESPACES: &[libc::c_long] = &[libc::SYS_mount_setattr, libc::SYS_pivot_root];
/// Calls without which there is no Landlock.
pub const LANDLOCK: &[libc::c_long] = &[libc::SYS_landlock_create_ruleset];

/// Hides these calls from a program.
pub fn hide(command: &mut Command, calls: &[libc::c_long]) {
    let filter = hiding(calls);
    // SAFETY: between fork and exec two system calls are made.
    unsafe { command.pre_exec(move || install(&filter)) };
}

/// A seccomp filter for which these calls do not exist.
fn hiding(calls: &[libc::c_long]) -> Vec<libc::sock_filter> {
    let statement = |code, k, jt, jf| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut program = vec![statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0)];
    for &call in calls {
        program.push(statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, call as u32, 0, 1));
        program.push(statement(
            libc::BPF_RET | libc::BPF_K,
            libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
            0,
            0,
        ));
    }
    program.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0));
    program
}

fn install(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program is as long as it says, and the kernel copies it.
    let installed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) == 0
    };
    if installed { Ok(()) } else { Err(io::Error::last_os_error()) }
}
