//! Parallel work with results collected in one thread.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

use anyhow::{Context, Result};
use damier_kit::time::cores;

/// Runs jobs in parallel, at most one per core, because agents that share a core could exceed their time limits.
/// `take` gets one or several results at a time; if it breaks, no new job starts.
pub fn in_parallel<J: Send, R: Send>(
    jobs: impl Iterator<Item = J> + Send,
    at_once: usize,
    work: impl Fn(J) -> R + Sync,
    mut take: impl FnMut(Vec<R>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let jobs = Mutex::new(jobs.fuse());
    let threads = at_once.clamp(1, cores());
    // Bounded, so that results never pile up before a slow disk.
    let (sender, results) = sync_channel(1024 * threads);
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (sender, jobs, work) = (sender.clone(), &jobs, &work);
            let started = Builder::new().spawn_scoped(scope, move || {
                while let Some(job) = next(jobs) {
                    // The receiver is gone: the work was stopped.
                    if sender.send(work(job)).is_err() {
                        break;
                    }
                }
            });
            match started {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error).context("this machine cannot start a thread"),
                // Fewer workers suffice.
                Err(_) => break,
            }
        }
        drop(sender);
        // Moved into the closure, so that returning early closes the channel and stops the workers.
        let results = results;
        while let Ok(first) = results.recv() {
            let ready = std::iter::once(first).chain(results.try_iter()).collect();
            if take(ready)?.is_break() {
                break;
            }
        }
        Ok(())
    })
}

fn next<J>(jobs: &Mutex<impl Iterator<Item = J>>) -> Option<J> {
    jobs.lock().expect("taking a job does not panic").next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        let mut sum = 0;
        in_parallel(
            1..=100_u64,
            8,
            |job| job,
            |results| {
                sum += results.iter().sum::<u64>();
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
        assert_eq!(sum, 5050);
    }

    #[test]
    fn breaking_off_stops_the_work() {
        let mut taken = 0;
        in_parallel(
            0..,
            2,
            |job: u64| job,
            |_| {
                taken += 1;
                Ok(if taken == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )
        .unwrap();
        assert_eq!(taken, 3);
        let failed = in_parallel(0.., 2, |job: u64| job, |_| anyhow::bail!("the disk is full"));
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    }
}
