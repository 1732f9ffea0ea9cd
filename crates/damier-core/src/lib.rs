//! What all Damier games share. No game is in here, and no input or output.
//!
//! | module | holds |
//! | --- | --- |
//! | [`grid`] | directions, cells, sizes |
//! | [`random`] | the frozen random generator and chance as an argument |
//! | [`level`] | level texts and errors that name line and column |
//! | [`game`] | [`Game`](game::Game): the rules of one game on one level |
//! | [`agent`] | [`Agent`](agent::Agent): who decides, on what it may see and within a budget |
//! | [`cpu`] | processor time |
//! | [`fault`] | what a seat can do wrong outside the rules |
//! | [`insight`] | what an agent shows of its thinking |
//! | [`scene`] | what a front end draws |
//! | [`kit`] | [`Kit`](kit::Kit): everything a front end needs of a game besides its rules |
//! | [`table`] | the same without types, so that front ends hold any game |
//! | [`referee`] | plays games between agents |
//! | [`replay`] | games kept as JSON lines, and their verification |
//! | [`stop`] | when a search ends without an answer |
//! | [`review`] | which action lost a game that was played, and what would have been better |
//!
//! A game's crate implements [`Game`](game::Game) for its level and [`Kit`](kit::Kit) for a marker type; everything else
//! (command line, terminal, arena, page) reaches it through [`table::AnyGame`].

pub mod agent;
pub mod cpu;
pub mod fault;
pub mod game;
pub mod grid;
pub mod insight;
pub mod kit;
pub mod level;
pub mod random;
pub mod referee;
pub mod replay;
pub mod review;
pub mod scene;
pub mod stop;
pub mod table;
