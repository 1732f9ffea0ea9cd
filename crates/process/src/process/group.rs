//! A process with everything it has started, killed together on systems without Linux's confinement.

#[cfg(unix)]
pub use unix::Group;
#[cfg(windows)]
pub use windows::Group;

/// A process group. If the referee itself is killed, agents see the end of their input.
#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, kill_process_group};

    pub struct Group(Pid);

    impl Group {
        /// Makes the command start in a group of its own.
        pub fn prepare(command: &mut Command) {
            command.process_group(0);
        }

        /// The group of a prepared process.
        #[expect(clippy::unnecessary_wraps, reason = "it can fail on Windows")]
        pub fn of(child: &Child) -> io::Result<Self> {
            Ok(Self(Pid::from_child(child)))
        }

        /// Kills the whole group.
        pub fn kill(&self) {
            // It fails if the whole group has ended already.
            let _ = kill_process_group(self.0, Signal::KILL);
        }
    }
}

/// A job object. The system kills its processes when its last handle is closed, also if the referee is killed.
#[cfg(windows)]
mod windows {
    use std::io;
    use std::mem::{size_of, zeroed};
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::process::{Child, Command};

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
        TerminateJobObject,
    };

    pub struct Group(OwnedHandle);

    impl Group {
        /// Nothing to prepare: a running process is put into its job.
        pub fn prepare(_: &mut Command) {}

        /// A new job with this process in it.
        pub fn of(child: &Child) -> io::Result<Self> {
            // SAFETY: without a name and security attributes the call reads nothing.
            let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
            if handle.is_null() {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the handle is valid and ours alone.
            let job = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
            // SAFETY: a structure of plain numbers, for which zero means no limit.
            let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
            limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
            // SAFETY: the structure is of the kind and size that are named.
            check(unsafe {
                SetInformationJobObject(
                    handle,
                    JobObjectExtendedLimitInformation,
                    (&raw const limits).cast(),
                    size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
                )
            })?;
            // SAFETY: both handles are open.
            check(unsafe { AssignProcessToJobObject(handle, child.as_raw_handle()) })?;
            Ok(job)
        }

        /// Kills the whole job.
        pub fn kill(&self) {
            // SAFETY: the handle is open. It fails if the whole job has ended already.
            unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
        }
    }

    fn check(succeeded: i32) -> io::Result<()> {
        if succeeded == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}
