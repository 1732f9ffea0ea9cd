//! Announcement of a new confined process: it sends its pid and descriptors to the referee. Inside its namespaces it does not know its
//! pid outside, so the kernel adds it.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::cmsg_space;
use rustix::net::sockopt::set_socket_passcred;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};

use super::cage::check;
use super::calls::{self, Listener};
use super::limits::{OPEN_FILES, raise_open_files};
use super::namespaces;

/// Kinds of messages, one byte each: with the scratch folder, with the listener for system calls, and the last one.
const SCRATCH: u8 = 1;
const LISTENER: u8 = 2;
const READY: u8 = 3;

/// Both ends of a channel for announcements: ours, and that of the new process.
pub fn announcement_channel() -> io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    // The kernel adds the sender's pid, translated from its namespace to ours.
    set_socket_passcred(&ours, true)?;
    Ok((ours, theirs))
}

/// The channel's descriptor in a new process. The filter allows messages with descriptors on it and nowhere else.
pub const CHANNEL: libc::c_int = OPEN_FILES as libc::c_int;

/// Moves the channel to a descriptor number that the agent cannot use once its limits are applied.
pub(super) fn move_out_of_reach(channel: BorrowedFd<'_>) -> io::Result<BorrowedFd<'static>> {
    raise_open_files()?;
    // SAFETY: the new process does not use this number yet, and the descriptor stays open until `exec`.
    unsafe {
        check(libc::c_long::from(libc::dup3(channel.as_raw_fd(), CHANNEL, libc::O_CLOEXEC)))?;
        Ok(BorrowedFd::borrow_raw(CHANNEL))
    }
}

/// Announces this process, with its scratch folder, if that is private, and the listener for its system calls. Allocates nothing,
/// because it runs between fork and exec.
pub(super) fn announce(
    channel: BorrowedFd<'_>,
    scratch: Option<BorrowedFd<'_>>,
    listener: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    for (kind, descriptor) in [(SCRATCH, scratch), (LISTENER, listener)] {
        if let Some(descriptor) = descriptor {
            let descriptors = [descriptor];
            let mut room = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
            let mut ancillary = SendAncillaryBuffer::new(&mut room);
            ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
            sendmsg(channel, &[IoSlice::new(&[kind])], &mut ancillary, SendFlags::empty())?;
        }
    }
    let mut nothing = SendAncillaryBuffer::default();
    sendmsg(channel, &[IoSlice::new(&[READY])], &mut nothing, SendFlags::empty())?;
    Ok(())
}

/// The announcement of a new process.
#[derive(Default)]
pub struct Announcement {
    /// Its pid in the referee's namespace.
    pub pid: Option<i32>,
    /// Its scratch folder, if it is in a namespace of its own.
    pub scratch: Option<OwnedFd>,
    /// Listener for the system calls that the kernel asks about.
    pub listener: Option<Listener>,
}

impl Announcement {
    /// Receives the whole announcement of a running process.
    pub fn receive(channel: &OwnedFd) -> Self {
        let mut announced = Self::default();
        let mut kind = [0];
        while kind != [READY] {
            let mut room = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1), ScmCredentials(1))];
            let mut ancillary = RecvAncillaryBuffer::new(&mut room);
            let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
            let Ok(received) = recvmsg(channel, &mut [IoSliceMut::new(&mut kind)], &mut ancillary, flags)
            else {
                break;
            };
            if received.bytes == 0 {
                break;
            }
            for message in ancillary.drain() {
                announced.add(kind[0], message);
            }
        }
        announced
    }

    /// Has everything arrived that a confined process sends?
    pub fn is_complete(&self) -> bool {
        self.pid.is_some()
            && self.listener.is_some() == calls::supported()
            && self.scratch.is_some() == namespaces::supported()
    }

    fn add(&mut self, kind: u8, message: RecvAncillaryMessage<'_>) {
        match message {
            RecvAncillaryMessage::ScmRights(mut descriptors) if kind == SCRATCH => {
                self.scratch = descriptors.next();
            }
            RecvAncillaryMessage::ScmRights(mut descriptors) => {
                self.listener = descriptors.next().map(Listener);
            }
            RecvAncillaryMessage::ScmCredentials(sender) => {
                self.pid = Some(sender.pid.as_raw_nonzero().get());
            }
            _ => {}
        }
    }
}
