//! Draws a scene with its marks into a terminal buffer.

use damier_core::grid::Dir;
use damier_core::insight::{Mark, Point, reason};
use damier_kit::scene::{Colour, Scene, Sprite};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;

/// A board to draw.
pub struct Board<'a> {
    pub scene: &'a Scene,
    pub marks: &'a [Mark],
    pub ascii: bool,
}

/// Distance between two cells on the screen.
#[derive(Clone, Copy)]
struct Pitch {
    x: u16,
    y: u16,
}

impl Board<'_> {
    /// Columns and rows that the whole board needs.
    pub fn size(scene: &Scene) -> (u16, u16) {
        let (pitch, rim) = (pitch(scene), rim(scene));
        (scene.size.width * pitch.x + rim, scene.size.height * pitch.y + rim)
    }

    /// The first cell shown: if the board is larger than the area, the piece with the lowest id stays in view.
    fn origin(&self, area: Rect) -> (u16, u16) {
        let pitch = pitch(self.scene);
        let focus = self.scene.pieces.iter().min_by_key(|piece| piece.id).map_or((0, 0), |piece| piece.at);
        let along = |cells: u16, visible: u16, focus: u16| {
            if cells <= visible { 0 } else { focus.saturating_sub(visible / 2).min(cells - visible) }
        };
        (
            along(self.scene.size.width, area.width / pitch.x, focus.0),
            along(self.scene.size.height, area.height / pitch.y, focus.1),
        )
    }

    fn place(&self, area: Rect, at: Point) -> Option<(u16, u16)> {
        let (pitch, rim, origin) = (pitch(self.scene), rim(self.scene), self.origin(area));
        let x = area.x + rim + at.0.checked_sub(origin.0)? * pitch.x;
        let y = area.y + rim + at.1.checked_sub(origin.1)? * pitch.y;
        (x + 2 <= area.right() && y < area.bottom()).then_some((x, y))
    }

    fn draw_sprite(&self, area: Rect, buffer: &mut Buffer, at: Point, sprite: &Sprite) {
        if let Some((x, y)) = self.place(area, at) {
            let text = if self.ascii { sprite.ascii } else { sprite.unicode };
            let style = Style::new().fg(foreground(sprite.colour));
            let style = if sprite.faint { style.add_modifier(Modifier::DIM) } else { style };
            buffer.set_stringn(x, y, text, 2, style);
        }
    }

    fn draw_mark(&self, area: Rect, buffer: &mut Buffer, mark: &Mark) {
        let Some((x, y)) = self.place(area, mark.at) else { return };
        let (colour, sign) = mark_look(&mark.why);
        buffer.set_style(Rect::new(x, y, 2, 1), Style::new().bg(colour));
        // Longer labels are left to the panel.
        if let Some(label) = mark.label.as_deref().filter(|label| label.chars().count() <= 2) {
            let style = Style::new().fg(Color::White).add_modifier(Modifier::BOLD);
            buffer.set_stringn(x, y, label, 2, style);
            return;
        }
        let occupied = self.scene.pieces.iter().any(|piece| piece.at == mark.at);
        if self.ascii && !occupied {
            buffer.set_stringn(x + 1, y, sign, 1, Style::new().fg(Color::White).add_modifier(Modifier::BOLD));
        }
    }

    /// Draws a wall over the corners at both its ends, so that adjacent walls look joined.
    fn draw_wall(&self, area: Rect, buffer: &mut Buffer, at: Point, side: Dir) {
        let Some((x, y)) = self.place(area, at) else { return };
        let style = Style::new().fg(foreground(Colour::White));
        let (across, down) = if self.ascii { ("+--+", "|") } else { ("────", "│") };
        let mut put = |x: u16, y: u16, text: &str| {
            if x < area.right() && y < area.bottom() {
                buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
            }
        };
        match side {
            Dir::North => put(x - 1, y - 1, across),
            Dir::South => put(x - 1, y + 1, across),
            Dir::West => (y - 1..=y + 1).for_each(|y| put(x - 1, y, down)),
            Dir::East => (y - 1..=y + 1).for_each(|y| put(x + 2, y, down)),
        }
    }
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.width < 2 || area.height < 1 {
            return;
        }
        let size = self.scene.size;
        for (cell, sprite) in size.cells().zip(&self.scene.tiles) {
            self.draw_sprite(area, buffer, size.xy(cell), sprite);
        }
        // Horizontal walls are drawn last, so that their corners show.
        let (down, across): (Vec<_>, Vec<_>) =
            self.scene.walls.iter().partition(|(_, side)| matches!(side, Dir::East | Dir::West));
        for &(at, side) in down.into_iter().chain(across) {
            self.draw_wall(area, buffer, at, side);
        }
        for piece in &self.scene.pieces {
            self.draw_sprite(area, buffer, piece.at, &piece.sprite);
        }
        for mark in self.marks {
            self.draw_mark(area, buffer, mark);
        }
    }
}

/// Thin walls need room between the cells.
fn pitch(scene: &Scene) -> Pitch {
    if scene.walls.is_empty() { Pitch { x: 2, y: 1 } } else { Pitch { x: 3, y: 2 } }
}

fn rim(scene: &Scene) -> u16 {
    u16::from(!scene.walls.is_empty())
}

fn foreground(colour: Colour) -> Color {
    match colour {
        Colour::Plain => Color::Reset,
        Colour::Dim => Color::DarkGray,
        Colour::White => Color::White,
        Colour::Red => Color::LightRed,
        Colour::Orange => Color::Indexed(208),
        Colour::Yellow => Color::LightYellow,
        Colour::Green => Color::LightGreen,
        Colour::Cyan => Color::LightCyan,
        Colour::Blue => Color::Indexed(33),
        Colour::Navy => Color::Indexed(19),
        Colour::Purple => Color::Indexed(135),
        Colour::Pink => Color::Indexed(213),
        Colour::Brown => Color::Indexed(137),
    }
}

/// Background colour of a mark, and its sign for ASCII drawings.
pub fn mark_look(why: &str) -> (Color, &'static str) {
    match why {
        reason::PATH => (Color::Indexed(22), "+"),
        reason::GOAL => (Color::Indexed(28), "*"),
        reason::DANGER => (Color::Indexed(52), "!"),
        reason::PREDICTED => (Color::Indexed(54), "?"),
        reason::VIRTUAL_WALL => (Color::Indexed(240), "x"),
        reason::CORRIDOR => (Color::Indexed(24), "="),
        reason::TARGET => (Color::Indexed(90), "@"),
        reason::CORNER => (Color::Indexed(58), "L"),
        reason::CROSSROAD => (Color::Indexed(60), "X"),
        _ => (Color::Indexed(238), "o"),
    }
}

#[cfg(test)]
mod tests {
    use damier_core::grid::Size;
    use damier_kit::scene::Piece;

    use super::*;

    const FLOOR: Sprite = Sprite::new("floor", "· ", ". ", Colour::Dim);
    const ROBOT: Sprite = Sprite::new("robot", "◉ ", "R ", Colour::Red);

    fn scene(width: u16, height: u16, robot: Point) -> Scene {
        Scene {
            size: Size::new(width, height),
            tiles: vec![FLOOR; Size::new(width, height).area()],
            pieces: vec![Piece::new(0, robot, ROBOT)],
            walls: Vec::new(),
            labels: Vec::new(),
        }
    }

    fn drawn(scene: &Scene, marks: &[Mark], width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        Board { scene, marks, ascii: true }.render(area, &mut buffer);
        (0..height)
            .map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn a_board_fits_its_own_size() {
        let scene = scene(3, 2, (1, 1));
        assert_eq!(Board::size(&scene), (6, 2));
        assert_eq!(drawn(&scene, &[], 6, 2), [". . .", ". R ."]);
    }

    #[test]
    fn a_board_too_large_keeps_the_lowest_piece_in_view() {
        let mut scene = scene(40, 40, (30, 35));
        scene.pieces.insert(0, Piece::new(1, (2, 2), FLOOR));
        let picture = drawn(&scene, &[], 10, 5);
        assert!(picture.iter().any(|row| row.contains('R')), "{picture:?}");
    }

    #[test]
    fn faint_sprites_are_dim() {
        let mut scene = scene(3, 2, (1, 1));
        scene.tiles[2] = ROBOT.faint();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
        Board { scene: &scene, marks: &[], ascii: true }.render(buffer.area, &mut buffer);
        let is_dim = |x, y| buffer[(x, y)].modifier.contains(Modifier::DIM);
        assert_eq!([is_dim(4, 0), is_dim(2, 1)], [true, false]);
    }

    #[test]
    fn short_labels_are_written_on_their_cells() {
        let mut mark = Mark::new((0, 1), reason::GOAL);
        mark.label = Some("12".to_owned());
        assert_eq!(drawn(&scene(3, 2, (1, 1)), &[mark], 6, 2), [". . .", "12R ."]);
    }

    #[test]
    fn marks_show_without_colours_and_leave_pieces_alone() {
        let mark = |at, why: &'static str| Mark::new(at, why);
        let marks = [mark((0, 0), reason::DANGER), mark((1, 1), reason::PATH)];
        assert_eq!(drawn(&scene(3, 2, (1, 1)), &marks, 6, 2), [".!. .", ". R ."]);
    }

    #[test]
    fn thin_walls_stand_between_cells() {
        let mut scene = scene(2, 1, (0, 0));
        scene.walls = vec![((0, 0), Dir::East), ((0, 0), Dir::North), ((1, 0), Dir::South)];
        assert_eq!(drawn(&scene, &[], 7, 3), ["+--+", " R |.", "   +--+"]);
    }

    #[test]
    fn an_area_of_nothing_is_no_panic() {
        for (width, height) in [(0, 0), (1, 1), (2, 1), (3, 1)] {
            drawn(&scene(5, 5, (4, 4)), &[Mark::new((9, 9), "far off")], width, height);
        }
    }
}
