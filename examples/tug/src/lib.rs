//! A sixth game in a crate of its own: a minimal complete example to copy when you add yours.
//!
//! ```text
//! <..o..>     two players take turns pulling the token `o`: left towards `<`, right towards `>`
//! ```
//!
//! A gentle pull moves the token one cell. A hard pull moves it two cells, or slips at random and moves it one. A player who
//! pulls the token onto their end of the rope wins.
//!
//! [`rules`] contains the game, [`kit`] what front ends need besides it. `src/main.rs` is the whole program with this game.

pub mod kit;
pub mod rules;

/// The game, for front ends.
pub struct Tug;
