//! Removes a folder tree that an agent left behind, however hostile.
//!
//! Folders may be nested too deep for a path, for recursion and for open descriptors, and their modes may forbid everything. So there is
//! no descent: a folder inside a folder is first moved up to the top, and each is then emptied by itself.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, openat, renameat, unlinkat};
use rustix::io::Errno;

/// Removes a folder and everything in it.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let top = open_folder(CWD, path)?;
    let mut moved = 0;
    loop {
        let inside = folders_after_removing_files(top.as_fd())?;
        if inside.is_empty() {
            break;
        }
        for name in inside {
            let folder = open_folder(top.as_fd(), &name)?;
            for deeper in folders_after_removing_files(folder.as_fd())? {
                // Moving a folder changes its `..` entry, so it must be writable.
                let _ = chmodat(&folder, &*deeper, Mode::RWXU, AtFlags::empty());
                moved += 1;
                renameat(&folder, &*deeper, &top, format!("damier-moved-{moved}"))?;
            }
            unlinkat(top.as_fd(), &*name, AtFlags::REMOVEDIR)?;
        }
    }
    std::fs::remove_dir(path)
}

/// Opens a folder and makes it writable for us.
fn open_folder(at: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy) -> io::Result<OwnedFd> {
    // It is a folder, not a link: nothing else is changed through it.
    let _ = chmodat(at, name, Mode::RWXU, AtFlags::empty());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}

/// Removes everything but folders and returns the names of the folders.
fn folders_after_removing_files(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let mut folders = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name: &CStr = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) => {}
            Err(Errno::ISDIR | Errno::PERM) => folders.push(name.to_owned()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn deep_forbidden_and_linked_things_are_removed_and_nothing_else() {
        let top = std::env::temp_dir().join(format!("remove-{}", std::process::id()));
        let (mine, other) = (top.join("mine"), top.join("other"));
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(other.join("kept"), "").unwrap();
        std::fs::create_dir_all(mine.join("closed/inner")).unwrap();
        std::fs::write(mine.join("closed/inner/file"), "").unwrap();
        symlink(&other, mine.join("link")).unwrap();
        std::fs::set_permissions(mine.join("closed"), PermissionsExt::from_mode(0o000)).unwrap();
        let mut at = openat(CWD, &mine, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        for _ in 0..3_000 {
            rustix::fs::mkdirat(&at, "d", Mode::RWXU).unwrap();
            at = openat(&at, "d", OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        remove_tree(&mine).unwrap();
        assert!(!mine.exists() && other.join("kept").exists());
        std::fs::remove_dir_all(top).unwrap();
    }
}
