//! Scenes as the page draws them: sprites in a table, cells as indices into it, and only what changed.

use damier_core::grid::Dir;
use damier_kit::scene::{Piece, Scene, Sprite};
use serde::Serialize;
use serde_json::{Value, json};

/// The looks met so far. It only grows, so that indices stay what they are.
#[derive(Default)]
pub struct SpriteTable(Vec<Sprite>);

/// A sprite for the page, which has no use for ASCII.
#[derive(Serialize)]
struct SpriteJson {
    name: &'static str,
    unicode: &'static str,
    colour: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    facing: Option<Dir>,
}

/// A sprite as the page gets it.
pub fn sprite(sprite: &Sprite) -> Value {
    json!(SpriteJson {
        name: sprite.name,
        unicode: sprite.unicode,
        colour: json!(sprite.colour),
        facing: sprite.facing,
    })
}

impl SpriteTable {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The sprites from an index on.
    pub fn from(&self, first: usize) -> Vec<Value> {
        self.0[first..].iter().map(sprite).collect()
    }

    fn index(&mut self, sprite: &Sprite) -> usize {
        self.0.iter().position(|known| known == sprite).unwrap_or_else(|| {
            self.0.push(*sprite);
            self.0.len() - 1
        })
    }

    /// The whole board, row by row.
    pub fn tiles(&mut self, scene: &Scene) -> Vec<usize> {
        // Neighbours are often alike.
        let mut last: Option<(Sprite, usize)> = None;
        scene
            .tiles
            .iter()
            .map(|tile| match last {
                Some((sprite, index)) if sprite == *tile => index,
                _ => {
                    let index = self.index(tile);
                    last = Some((*tile, index));
                    index
                }
            })
            .collect()
    }

    /// The cells that look otherwise than before.
    pub fn changes(&mut self, before: &Scene, after: &Scene) -> Vec<(usize, usize)> {
        let cells = before.tiles.iter().zip(&after.tiles).enumerate();
        let changed = cells.filter(|(_, (before, after))| before != after);
        changed.map(|(cell, (_, after))| (cell, self.index(after))).collect()
    }

    /// The pieces: id, column, row, sprite. Between two cells, column and row have decimals.
    pub fn pieces(&mut self, scene: &Scene) -> Vec<(u32, Value, Value, usize)> {
        let place = |cell: u16, shift: i8| match shift {
            0 => Value::from(cell),
            _ => Value::from((f64::from(cell) * 100.0 + f64::from(shift)) / 100.0),
        };
        let mut piece = |piece: &Piece| {
            let (x, y) = (place(piece.at.0, piece.shift.0), place(piece.at.1, piece.shift.1));
            (piece.id, x, y, self.index(&piece.sprite))
        };
        scene.pieces.iter().map(&mut piece).collect()
    }

    /// The whole picture; its sprites are all those of the table.
    pub fn picture(&mut self, scene: &Scene) -> Value {
        let (tiles, pieces) = (self.tiles(scene), self.pieces(scene));
        let walls: Vec<_> = scene.walls.iter().map(|&((x, y), side)| (x, y, side)).collect();
        json!({
            "size": [scene.size.width, scene.size.height],
            "sprites": self.from(0),
            "tiles": tiles,
            "pieces": pieces,
            "walls": walls,
            "labels": scene.labels,
        })
    }
}

/// A picture that stands for itself.
pub fn picture(scene: &Scene) -> Value {
    SpriteTable::default().picture(scene)
}
