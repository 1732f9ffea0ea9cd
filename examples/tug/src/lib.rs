//! A sixth game in a crate of its own: the smallest complete one, to copy from when you add yours.
//!
//! ```text
//! <..o..>     two players pull the token `o` in turn: left towards `<`, right towards `>`
//! ```
//!
//! A gentle pull moves the token one cell. A hard pull moves it two cells, or one if the ground is slippery, by chance.
//! Whoever pulls the token onto their end of the rope wins.
//!
//! [`rules`] holds the game, [`kit`] what front ends need beyond it. `src/main.rs` is the whole program with this game in it.

pub mod kit;
pub mod rules;

/// The game, for front ends.
pub struct Tug;
