//! Scenes as messages: sprites in a table, cells as indices into it.

use crate::message::{BoardPicture, Coordinate, Picture, PieceMessage, SpriteMessage, WallMessage};
use crate::scene::{Piece, Scene, Sprite};

/// The sprites seen so far. It only grows, so that indices stay valid.
#[derive(Default)]
pub struct SpriteTable(Vec<Sprite>);

impl SpriteTable {
    /// The number of sprites.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is the table empty?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sprites from an index on.
    pub fn from(&self, first: usize) -> Vec<SpriteMessage> {
        self.0[first..].iter().map(SpriteMessage::from).collect()
    }

    /// The index of a sprite. A linear search suffices, because games have a few dozen sprites.
    fn index(&mut self, sprite: &Sprite) -> u16 {
        let index = self.0.iter().position(|known| known == sprite).unwrap_or_else(|| {
            self.0.push(*sprite);
            self.0.len() - 1
        });
        index as u16
    }

    /// The whole board, row by row.
    pub fn tiles(&mut self, scene: &Scene) -> Vec<u16> {
        // Neighbours are often equal.
        let mut last = 0;
        let index = |tile: &Sprite| {
            if self.0.get(usize::from(last)) != Some(tile) {
                last = self.index(tile);
            }
            last
        };
        scene.tiles.iter().map(index).collect()
    }

    /// Updates the tiles of an earlier scene and returns the cells that changed, with their new sprites.
    pub fn update(&mut self, tiles: &mut [u16], scene: &Scene) -> Vec<(usize, u16)> {
        let mut changes = Vec::new();
        for (cell, (known, tile)) in tiles.iter_mut().zip(&scene.tiles).enumerate() {
            if self.0[usize::from(*known)] != *tile {
                *known = self.index(tile);
                changes.push((cell, *known));
            }
        }
        changes
    }

    /// The pieces.
    pub fn pieces(&mut self, scene: &Scene) -> Vec<PieceMessage> {
        let place = |cell: u16, shift: i8| match shift {
            0 => Coordinate::Cell(cell),
            _ => Coordinate::Between((f64::from(cell) * 100.0 + f64::from(shift)) / 100.0),
        };
        let piece = |piece: &Piece| {
            let (x, y) = (place(piece.at.0, piece.shift.0), place(piece.at.1, piece.shift.1));
            PieceMessage(piece.id, x, y, self.index(&piece.sprite))
        };
        scene.pieces.iter().map(piece).collect()
    }

    /// The whole board; its sprites are all those of the table.
    pub fn board(&mut self, scene: &Scene) -> BoardPicture {
        let (tiles, pieces) = (self.tiles(scene), self.pieces(scene));
        BoardPicture {
            size: [scene.size.width, scene.size.height],
            sprites: self.from(0),
            tiles,
            pieces,
            walls: scene.walls.iter().map(|&((x, y), side)| WallMessage(x, y, side)).collect(),
        }
    }
}

/// A self-contained picture, with its own sprite table.
pub fn picture(scene: &Scene) -> Picture {
    Picture { board: SpriteTable::default().board(scene), labels: scene.labels.clone() }
}
