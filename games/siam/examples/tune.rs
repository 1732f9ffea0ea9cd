//! Learns the evaluation from games of the engine against itself, and writes it to a file.
//!
//! ```text
//! cargo run --release -p damier-siam --example tune -- FILE [GENERATIONS] [GAMES] [NODES] [THREADS] [FIRST]
//! ```
//!
//! Each generation plays GAMES games from random openings, with NODES positions looked at per move, by what the
//! generations before it have learnt. Then all quiet positions of the last generations are fitted: the sigmoid of the
//! evaluation should be half the game's result and half what the search said. The first generation knows nothing, unless
//! FIRST names a file to begin with. The same arguments give the same file.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;

use damier_core::random::{Chance, Rng};
use damier_siam::board::{ANIMALS, Board, Side, WIDTH};
use damier_siam::engine::{Engine, Question, SearchLimits};
use damier_siam::evaluate::{
    CLASS_OF, CLASSES, Evaluation, HANDS, UNIT, Weight, canonical_lines, hands_index,
};
use damier_siam::line::{LINES, reversed, swapped};
use damier_siam::moves::{MoveList, MoveRules};
use damier_siam::rules::RuleSet;

/// Generations whose games are fitted together.
const KEPT: usize = 4;
/// A game is drawn after so many plies.
const LONGEST: usize = 160;
const EPOCHS: usize = 12;
const LEARNING_RATE: f32 = 0.08;
/// How strongly a weight is drawn to zero, for want of evidence.
const DECAY: f32 = 2e-6;
const TABLE_BYTES: usize = 4 << 20;
const TERMS: usize = 2 * WIDTH + 1;

/// A position of a game: the places of its weights, what the search said, and the result, both for the side to move.
struct Sample {
    weights: [u32; TERMS],
    score: f32,
    result: f32,
}

/// Where each line's weight stands.
struct Places {
    of_line: Vec<u32>,
    count: usize,
}

impl Places {
    fn new() -> Self {
        let mut of_line = vec![0; LINES];
        let mut count = 0;
        for line in canonical_lines() {
            for line in [line, reversed(line)] {
                of_line[usize::from(line)] = count;
            }
            count += 1;
        }
        Self { of_line, count: count as usize }
    }

    fn total(&self) -> usize {
        CLASSES * self.count + HANDS
    }

    fn of(&self, board: &Board) -> [u32; TERMS] {
        let mut places = [0; TERMS];
        for (place, (&line, class)) in places.iter_mut().zip(board.lines().iter().zip(CLASS_OF)) {
            let line = if board.side() == Side::Elephants { line } else { swapped(line) };
            *place = (class * self.count) as u32 + self.of_line[usize::from(line)];
        }
        places[TERMS - 1] = (CLASSES * self.count + hands_index(board, board.side())) as u32;
        places
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize, usual: usize| args.get(index).map_or(usual, |arg| arg.parse().expect("a number"));
    let file = args.first().expect("the file to write");
    let (generations, games, nodes, threads) =
        (number(1, 6), number(2, 4_000), number(3, 1_000), number(4, 1));
    let places = Places::new();
    let mut weights = args.get(5).map_or_else(|| vec![0.0; places.total()], |first| read(first));
    let mut kept: VecDeque<Vec<Sample>> = VecDeque::new();
    for generation in 0..generations {
        let evaluation = Arc::new(Evaluation::new(&rounded(&weights)).expect("as many weights as places"));
        let known = generation > 0 || args.len() > 5;
        let samples = play_all(&places, &evaluation, generation, games, nodes as u64, threads);
        let decided = samples.iter().filter(|sample| (sample.result - 0.5).abs() > 0.1).count();
        kept.push_back(samples);
        if kept.len() > KEPT {
            kept.pop_front();
        }
        let loss = fit(&mut weights, &kept, if known { 0.5 } else { 1.0 }, generation as u64);
        let (last, all) = (kept.back().map_or(0, Vec::len), kept.iter().map(Vec::len).sum::<usize>());
        println!(
            "generation {generation}: {last} positions, {decided} of decided games; {all} fitted, loss {loss:.4}"
        );
        let bytes: Vec<u8> = rounded(&weights).iter().flat_map(|weight| weight.to_le_bytes()).collect();
        std::fs::write(file, bytes).expect("the file can be written");
    }
}

fn read(path: &str) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("the file to begin with");
    bytes
        .chunks_exact(2)
        .map(|pair| f32::from(Weight::from_le_bytes([pair[0], pair[1]])) / UNIT as f32)
        .collect()
}

fn rounded(weights: &[f32]) -> Vec<Weight> {
    weights.iter().map(|weight| (weight * UNIT as f32).round() as Weight).collect()
}

fn play_all(
    places: &Places,
    evaluation: &Arc<Evaluation>,
    generation: usize,
    games: usize,
    nodes: u64,
    threads: usize,
) -> Vec<Sample> {
    thread::scope(|scope| {
        let players: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut samples = Vec::new();
                    for game in (thread..games).step_by(threads) {
                        let mut rng = Rng::for_game(0x51A3, generation as u64, game as u64);
                        let set = if game % 8 == 7 { RuleSet::OfficialTotal } else { RuleSet::Official };
                        play(places, evaluation, &set.moves(), nodes, &mut rng, &mut samples);
                    }
                    samples
                })
            })
            .collect();
        players.into_iter().flat_map(|player| player.join().expect("a game does not panic")).collect()
    })
}

/// Plays one game and keeps its quiet positions.
fn play(
    places: &Places,
    evaluation: &Arc<Evaluation>,
    rules: &MoveRules,
    nodes: u64,
    rng: &mut Rng,
    samples: &mut Vec<Sample>,
) {
    let Some(mut board) = random_opening(rules, rng) else { return };
    let mut engine = Engine::with_evaluation(Arc::clone(evaluation), TABLE_BYTES);
    let (mut past, mut game) = (Vec::new(), Vec::new());
    let winner = loop {
        let question = Question { past: &past, ..Question::new(rules, &board) };
        let thought = engine.answer(question, &SearchLimits::nodes(nodes));
        let threats = rules.threats(&board);
        if !threats.of(Side::Elephants) && !threats.of(Side::Rhinos) {
            let score = sigmoid(thought.score.0 as f32 / UNIT as f32);
            game.push((board.side(), Sample { weights: places.of(&board), score, result: 0.5 }));
        }
        past.push(board.key());
        let winner = thought.best().and_then(|best| board.play(best));
        let repeated = past.iter().filter(|&&key| key == board.key()).count() >= 2;
        if winner.is_some() || repeated || past.len() >= LONGEST {
            break winner;
        }
    };
    samples.extend(game.into_iter().map(|(side, sample)| {
        let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
        Sample { result, ..sample }
    }));
}

/// A few random moves, after which nobody can win at once.
fn random_opening(rules: &MoveRules, rng: &mut Rng) -> Option<Board> {
    let mut board = Board::start(ANIMALS);
    for _ in 0..4 + rng.below(9) {
        let mut moves = MoveList::new();
        rules.list(&board, &mut moves);
        if board.play(moves[rng.below(moves.len() as u32) as usize]).is_some() {
            return None;
        }
    }
    (!rules.threats(&board).of(board.side())).then_some(board)
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// Fits the weights by stochastic gradient descent with a step size for each weight (Adagrad). Returns the last mean loss.
fn fit(weights: &mut [f32], kept: &VecDeque<Vec<Sample>>, result_share: f32, seed: u64) -> f32 {
    let samples: Vec<&Sample> = kept.iter().flatten().collect();
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut squares = vec![1e-3_f32; weights.len()];
    let mut rng = Rng::new(seed);
    let mut loss = 0.0;
    for _ in 0..EPOCHS {
        rng.shuffle(&mut order);
        loss = 0.0;
        for &index in &order {
            let sample = samples[index as usize];
            let target = result_share * sample.result + (1.0 - result_share) * sample.score;
            let value: f32 = sample.weights.iter().map(|&place| weights[place as usize]).sum();
            let error = sigmoid(value) - target;
            loss += error * error;
            for &place in &sample.weights {
                let (weight, square) = (&mut weights[place as usize], &mut squares[place as usize]);
                let gradient = error + DECAY * samples.len() as f32 * *weight * 0.001;
                *square += gradient * gradient;
                *weight -= LEARNING_RATE * gradient / square.sqrt();
            }
        }
        loss /= samples.len().max(1) as f32;
    }
    loss
}
