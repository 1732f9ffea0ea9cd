//! Type-erased batches.

use std::any::Any;

use damier_core::encode::{Encode, Plane};
use damier_core::grid::Size;

use crate::batch::{Batch, BatchError, Outputs};
use crate::saved::Saved;

/// A batch of any game: the type-erased form of [`Batch`].
pub trait AnyBatch: Send {
    /// The number of games.
    fn count(&self) -> usize;
    /// The number of actions.
    fn action_count(&self) -> usize;
    /// The planes of an observation.
    fn planes(&self) -> &'static [Plane];
    /// Columns and rows of an observation.
    fn size(&self) -> Size;
    /// Index of the level that a game is played on.
    fn level(&self, index: usize) -> usize;
    /// The hash of a game's state.
    fn key(&self, index: usize) -> u64;
    /// See [`Batch::reset`].
    fn reset(
        &mut self,
        seeds: &[Option<u64>],
        chosen: Option<&[bool]>,
        outputs: Outputs<'_>,
    ) -> Result<(), BatchError>;
    /// See [`Batch::step`].
    fn step(&mut self, actions: &[i64], outputs: Outputs<'_>) -> Result<(), BatchError>;
    /// See [`Batch::show`].
    fn show(&mut self, outputs: Outputs<'_>) -> Result<(), BatchError>;
    /// See [`Batch::save`].
    fn save(&self) -> Box<dyn AnySaved>;
    /// See [`Batch::restore`].
    fn restore(&mut self, saved: &dyn AnySaved) -> Result<(), BatchError>;
    /// See [`Batch::read_saved`].
    fn read_saved(&self, bytes: &[u8]) -> Result<Box<dyn AnySaved>, BatchError>;
}

/// A saved batch of any game.
pub trait AnySaved: Send + Sync {
    /// The batch as bytes, for files and other processes.
    fn to_bytes(&self) -> Vec<u8>;
    /// Itself, for downcasts.
    fn as_any(&self) -> &dyn Any;
}

impl<G: Encode> AnySaved for Saved<G> {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: Encode> AnyBatch for Batch<G> {
    fn count(&self) -> usize {
        self.len()
    }

    fn action_count(&self) -> usize {
        self.action_count()
    }

    fn planes(&self) -> &'static [Plane] {
        self.planes()
    }

    fn size(&self) -> Size {
        self.size()
    }

    fn level(&self, index: usize) -> usize {
        self.level(index)
    }

    fn key(&self, index: usize) -> u64 {
        self.key(index)
    }

    fn reset(
        &mut self,
        seeds: &[Option<u64>],
        chosen: Option<&[bool]>,
        outputs: Outputs<'_>,
    ) -> Result<(), BatchError> {
        self.reset(seeds, chosen, outputs)
    }

    fn step(&mut self, actions: &[i64], outputs: Outputs<'_>) -> Result<(), BatchError> {
        self.step(actions, outputs)
    }

    fn show(&mut self, outputs: Outputs<'_>) -> Result<(), BatchError> {
        self.show(outputs)
    }

    fn save(&self) -> Box<dyn AnySaved> {
        Box::new(self.save())
    }

    fn restore(&mut self, saved: &dyn AnySaved) -> Result<(), BatchError> {
        let saved = saved.as_any().downcast_ref();
        let saved = saved.ok_or_else(|| BatchError("this saved batch is of another game".to_owned()))?;
        self.restore(saved)
    }

    fn read_saved(&self, bytes: &[u8]) -> Result<Box<dyn AnySaved>, BatchError> {
        Ok(Box::new(self.read_saved(bytes)?))
    }
}
