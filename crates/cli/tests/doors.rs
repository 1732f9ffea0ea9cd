//! Doors for the original courses: small projects in every style of the courses, run by the real program with SWI-Prolog and gcc.

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use common::{damier, printed};
use serde_json::Value;

/// A folder that is removed after the test.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damier-doors-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a project, and puts it behind the door of a game.
    fn adopt(&self, game: &str, files: &[(&str, &str)]) -> Adopted {
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect();
        self.adopt_bytes(game, &files)
    }

    fn adopt_bytes(&self, game: &str, files: &[(&str, Vec<u8>)]) -> Adopted {
        let count = std::fs::read_dir(&self.0).unwrap().count();
        let project = self.0.join(format!("project-{count}"));
        for (name, bytes) in files {
            let path = project.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let folder = self.0.join(format!("agent-{count}"));
        let said = printed(&["new-agent", game, "door", text(&folder), "--from", project.to_str().unwrap()]);
        Adopted { game: game.to_owned(), folder, said, replays: self.0.join(format!("replays-{count}")) }
    }
}

/// A project behind its door.
struct Adopted {
    game: String,
    folder: PathBuf,
    /// The output of `new-agent`.
    said: String,
    replays: PathBuf,
}

impl Adopted {
    /// The output of `check-agent`, whether it passes or fails.
    fn check(&self) -> String {
        let output = damier(&["check-agent", text(&self.folder), "--decisions", "3"]);
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }

    /// The games that it plays, and the replay of the last as text.
    fn run(&self, args: &[&str]) -> (Vec<Value>, String) {
        let fixed = ["--json", "--agent", text(&self.folder), "--replays", text(&self.replays)];
        let said = printed(&[&["run", &self.game][..], args, &fixed].concat());
        let games = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (games, the_replay(&self.replays))
    }
}

/// The text of a replay in this folder.
fn the_replay(folder: &Path) -> String {
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    String::from_utf8(zstd::decode_all(&std::fs::read(file).unwrap()[..]).unwrap()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn holds(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is missing in:\n{text}");
}

/// The actions of a replay's moves by the first seat.
fn actions(replay: &str) -> Vec<String> {
    let moves = replay.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    moves.filter_map(|line| Some(line.get("action")?.as_str()?.to_owned())).collect()
}

#[test]
fn every_door_runs_as_it_is() {
    let scratch = Scratch::new("as-it-is");
    for game in ["delirium", "loderunner", "ricochet", "siam"] {
        let folder = scratch.0.join(game);
        printed(&["new-agent", game, "door", text(&folder)]);
        let said = printed(&["check-agent", text(&folder), "--decisions", "4"]);
        assert!(said.contains("without a mistake") || said.contains("it gave up"), "{game}: {said}");
    }
}

#[test]
fn a_project_keeps_its_files_and_is_not_overwritten() {
    let scratch = Scratch::new("kept");
    let agent =
        scratch.adopt("siam", &[("jeu/player.pl", "meilleur_coup(_, (0, 11, n)).\n"), ("notes.txt", "x")]);
    assert!(agent.folder.join("notes.txt").exists() && !agent.folder.join("player.pl").exists());
    holds(&agent.said, "meilleur_coup/2 is called as meilleur_coup(Board,Move)");
    let manifest = std::fs::read_to_string(agent.folder.join("agent.toml")).unwrap();
    holds(&manifest, "file = \"jeu/player.pl\"");
    let again =
        damier(&["new-agent", "siam", "door", text(&scratch.0.join("x")), "--from", text(&agent.folder)]);
    holds(&String::from_utf8_lossy(&again.stderr), "it has a `agent.toml` already");
    let python =
        damier(&["new-agent", "siam", "python", text(&scratch.0.join("y")), "--from", text(&scratch.0)]);
    holds(&String::from_utf8_lossy(&python.stderr), "the template must be `door`");
}

/// A project that is copied into a new door replaces the example.
#[test]
fn the_example_gives_way_to_a_project_beside_it() {
    let scratch = Scratch::new("beside");
    let folder = scratch.0.join("agent");
    printed(&["new-agent", "siam", "door", text(&folder)]);
    std::fs::write(folder.join("mine.pl"), "meilleur_coup(_, (0, 55, s)).\n").unwrap();
    let agent = Adopted { game: "siam".into(), folder, said: String::new(), replays: scratch.0.join("r") };
    let (_, replay) = agent.run(&["--vs", "original", "--turns", "1"]);
    assert_eq!(actions(&replay)[0], "0-55s");
}

/* ---- Delirium ---- */

/// A course's think.pl: it turns the vector into the arguments of move/12, and sets up a global variable that move/12 needs.
const THINK: &str = r"
:- module(think, [startThinking/1, think/2]).
:- use_module(decision).
startThinking(X) :- init(X), nb_setval(before, []).
think(Stimulus, [Action]) :-
    maplist([F, I]>>(float(F), I is truncate(F)), Stimulus, [14, X, Y, VPx, VPy, Count, Pos, Size, New, _, Left, Energy, _, Gathered|Rest]),
    length(L, Count), append(L, LP, Rest), length(LP, Count),
    ( Left =:= 0 -> Open = 1 ; Open = 0 ),
    format(user_output, 'new map ~w~n', [New]),
    move(L, LP, X, Y, Pos, Size, Open, Energy, Gathered, VPx, VPy, Action).
";

/// It contains a Latin-1 character, writes a trace as its course advises, and uses names that a door might define.
const THOUGHT: &str = r"
:- module(decision, [init/1, move/12]).
% d\351cision
init(_).
say(X) :- write(X), nl.
action(1, 2). answer(3). main :- say(main). board(1, 2). decide(1, 2, 3). setting(a, b). attempt(1, 2).
move(L, _, X, Y, Pos, Size, _, _, _, _, _, 1) :-
    Pos =:= Y * Size + X, nth0(Pos, L, 22),
    nb_getval(before, Before), length(Before, N), nb_setval(before, L),
    say(before(N)),
    open('trace.txt', append, Stream), format(Stream, 'traced ~w~n', [N]), close(Stream).
";

#[test]
fn think_pl_is_called_as_by_the_environment() {
    let scratch = Scratch::new("think");
    let latin: Vec<u8> = THOUGHT.replace("\\351", "\u{e9}").chars().map(|letter| letter as u8).collect();
    let files = [("src/think.pl", THINK.into()), ("src/decision.pl", latin)];
    let agent = scratch.adopt_bytes("delirium", &files);
    holds(&agent.said, "think/2 is called as the interface `think` asks for, from src/think.pl");
    holds(&agent.said, "src/decision.pl is not UTF-8: it is read as Latin-1");
    holds(&agent.check(), "3 decisions without a mistake");
    let (_, replay) = agent.run(&["--turns", "3"]);
    assert_eq!(actions(&replay), ["right"; 3]);
    for part in ["new map 1", "new map 0", "before(0)", "traced 0"] {
        holds(&replay, part);
    }
    assert!(!replay.contains("Illegal") && !replay.contains("Warning"), "{replay}");
}

/// Reads a stimulus as the course does: the first vector of a list, whose header has no time.
const FIRST_VECTOR: &str = r"
:- use_module(decision).
startThinking(X) :- init(X).
think(Stimulus, [Action]) :-
    Stimulus = [Vector|_], Vector = [F|_], HeaderSize is integer(F),
    couper(Vector, Header, Data, HeaderSize),
    Header = [_, X, Y, VPx, VPy, Count, Pos, Size, _, NbrDiamonds, Energy, _, GEnergy|_],
    sortie(NbrDiamonds, CGE),
    couper(Data, L, Reste, Count), couper(Reste, LP, [], Count),
    move(L, LP, X, Y, Pos, Size, CGE, Energy, GEnergy, VPx, VPy, Action).
sortie(0, 1) :- !.
sortie(_, 0).
couper(L, [], L, 0) :- !.
couper([F|R], [I|R1], L2, N) :- N > 0, N1 is N - 1, I is integer(F), couper(R, R1, L2, N1).
";

#[test]
fn think_pl_of_the_course_reads_the_first_vector_of_a_list() {
    let scratch = Scratch::new("first-vector");
    let decision = ":- module(decision, [init/1, move/12]).\ninit(_).\n\
        move(L, LP, X, Y, Pos, Size, CGE, _, _, VPx, VPy, 1) :-\n\
        \x20   length(L, N), length(LP, N), nth0(Pos, L, 22), write(seen(X, Y, Size, CGE, VPx, VPy)), nl.\n";
    let agent = scratch.adopt("delirium", &[("think.pl", FIRST_VECTOR), ("decision.pl", decision)]);
    let level = scratch.0.join("cave.txt");
    std::fs::write(&level, "; need: 1\n#######\n#P.d.X#\n#######\n").unwrap();
    let (_, replay) = agent.run(&["--turns", "3", "--level", text(&level)]);
    assert_eq!(actions(&replay), ["right"; 3]);
    for part in ["seen(1,1,7,0,0,0)", "seen(3,1,7,1,0,0)"] {
        holds(&replay, part);
    }
    assert!(!replay.contains("think/2 gives no answer"), "{replay}");
}

/// The monsters have the engine's codes.
const WATCHFUL: &str = r"
init(_) :- nb_setval(turns, 0).
move(L, LP, X, Y, Pos, Size, 0, E, G, 0, 0, 4) :-
    length(L, N), length(LP, N), integer(X), integer(Y), nth0(Pos, L, 22), integer(Size), integer(E), integer(G),
    findall(M, (member(M, L), M > 22), Monsters), nb_getval(turns, T), T1 is T + 1, nb_setval(turns, T1),
    write(turn(T1)-Monsters), nl.
";

#[test]
fn move_12_sees_the_engines_codes_and_keeps_global_variables() {
    let scratch = Scratch::new("move-12");
    let agent = scratch.adopt("delirium", &[("ia.pl", WATCHFUL)]);
    let level = scratch.0.join("cave.txt");
    std::fs::write(&level, "; need: 1\n#######\n#P..d.#\n#.###.#\n#.#B#R#\n#.#_#X#\n#######\n").unwrap();
    let (_, replay) = agent.run(&["--turns", "3", "--level", text(&level)]);
    for part in ["turn(1)-[24,25]", "turn(3)-"] {
        holds(&replay, part);
    }
    assert_eq!(actions(&replay), ["down"; 3]);
}

/// The hand-out of 2008: the miner asks for a view of its own, first small, then larger.
const OF_2008: &str = r"
:- menu.
menu :- write('carte ?'), read(_).
setViewPerimeter(1, 1).
move(L, X, Y, Pos, Size, CGE, Dx, Dy, VPx, VPy, 2, 1) :-
    length(L, N), nth0(Pos, L, 10), write(seen(N, X, Y, Pos, Size, CGE, VPx, VPy)), nl,
    findall(C, (member(C, L), member(C, [11, 12, 17])), Cs), write(codes(Cs)), nl,
    Dx = 0, Dy = 1.
";

#[test]
fn the_interface_of_2008_is_found() {
    let scratch = Scratch::new("2008");
    let agent = scratch.adopt("delirium", &[("agent.pl", OF_2008)]);
    holds(&agent.said, "interface `2008`");
    holds(&agent.said, "agent.pl:2 starts menu, which reads from the keyboard: it is not run");
    let level = scratch.0.join("cave.txt");
    std::fs::write(&level, "; need: 1\n#######\n#P.X.d#\n#.#R#.#\n#.###.#\n#.....#\n#######\n").unwrap();
    let (_, replay) = agent.run(&["--turns", "2", "--level", text(&level)]);
    for part in ["seen(9,1,1,4,3,0,1,1)", "seen(12,1,2,5,4,0,2,1)", "codes([17,11])"] {
        holds(&replay, part);
    }
    assert_eq!(actions(&replay), ["down", "down"]);
    // Its last clause only asks for a larger view; -1 keeps the view.
    let growing = "setViewPerimeter(1, 1).\n\
        move(L, _, _, _, _, _, 1, 0, _, _, -1, _) :- member(2, L), !.\n\
        move(_, _, _, _, _, _, _, _, Vx, Vy, Vx1, Vy1) :- Vx1 is Vx + 1, Vy1 is Vy + 1.\n";
    let agent = scratch.adopt("delirium", &[("ai-00.pl", growing), ("ai-00 - Copie.pl", growing)]);
    holds(&agent.said, "ai-00.pl is loaded; it could also be ai-00 - Copie.pl");
    std::fs::write(&level, "; need: 1\n#########\n#P...d.X#\n#########\n").unwrap();
    let (_, replay) = agent.run(&["--turns", "5", "--level", text(&level)]);
    assert_eq!(actions(&replay), ["stay", "stay", "stay", "right", "right"]);
    let eight = "setViewPerimeter(0, 0).\nmove(L, _, _, Pos, _, _, 1, 0) :- nth0(Pos, L, 10).\n";
    let agent = scratch.adopt("delirium", &[("agent.pl", eight)]);
    holds(&agent.check(), "3 decisions without a mistake");
}

/// Miners that give no answer, and what `check-agent` says about each.
#[test]
fn check_agent_says_why_a_miner_gives_no_answer() {
    let scratch = Scratch::new("no-answer");
    let arguments = "_,_,_,_,_,_,_,_,_,_,_";
    for (source, why) in [
        (format!("init(_).\nmove({arguments},_) :- fail.\n"), "move/12 failed"),
        (format!("init(_).\nmove({arguments},A) :- A is foo + 1.\n"), "foo/0"),
        (
            format!("init(_).\nmove({arguments},A) :- meilleure(A).\n"),
            "Unknown procedure meilleure/1, called in ia.pl:2",
        ),
        (format!("init(_).\nmove({arguments},17).\n"), "move/12 answered 17, which is no action"),
        (format!("init(_).\nmove({arguments},_).\n"), "move/12 answered A, which is no action"),
        (format!("init(_).\nmove({arguments},_) :- halt.\n"), "it called halt/0"),
        (format!("init(_).\nmove({arguments}).\n"), "Unknown procedure move/12; there is move/11"),
        (
            format!("init(_).\nmove({arguments},A) :- nb_getval(jamais, A).\n"),
            "variable `jamais' does not exist",
        ),
        (format!("init(_).\nmove({arguments},1) :- foo(.\n"), "ia.pl:2: Syntax error"),
        ("init(_).\n".into(), "Unknown procedure move/12"),
        (format!("init(_).\nmove({arguments},A) :- read(X), A = X.\n"), "move/12 answered end_of_file"),
    ] {
        let agent = scratch.adopt("delirium", &[("ia.pl", &source)]);
        let said = agent.check();
        holds(&said, "3 of 3 answers were not yours");
        holds(&said, why);
    }
}

/* ---- SIAM ---- */

/// A project in the hand-out's words: a menu at load time, tuples.
const TUPLES: &str = r"
:- initialization(menu).
menu :- repeat, write('1. jouer'), nl, read(X), X == 1, !, halt.
plateau_depart([[(0,0),(0,0),(0,0),(0,0),(0,0)],[(0,0),(0,0),(0,0),(0,0),(0,0)],[32,33,34],e]).
sens(n). sens(s). sens(e). sens(w).
meilleur_coup([E, R, [32,33,34], J], (0, Case, w)) :-
    memberchk(J, [e, r]), length(E, 5), length(R, 5), member(Case, [55, 45, 25, 15]),
    \+ memberchk((Case, w), E), \+ memberchk((Case, w), R), !.
";

/// Lists, several files, west is o, predicates of GNU Prolog.
const LISTS: [(&str, &str); 3] = [
    (
        "siam.pl",
        "% le jeu\n:- include('ia.pl').\n:- initialization(jouer).\njouer :- read(_).\n\
         depart([[[0,0],[0,0],[0,0],[0,0],[0,0]],[[0,0],[0,0],[0,0],[0,0],[0,0]],[32,33,34],e]).\n",
    ),
    (
        "ia.pl",
        "trouver_coup([E, R, M, _], [0, C, o], Valeur, 1) :-\n\
         \x20   bords(L), g_assign(compte, 0), for(I, 1, 4), nth(I, L, C), g_inc(compte), g_read(compte, Valeur),\n\
         \x20   \\+ member([C, o], E), \\+ member([C, o], R), \\+ member(C, M), !.\n",
    ),
    ("outils.pl", "bords([55,45,25,15]).\nsens(n). sens(o).\n"),
];

/// Capitals, west is O.
const CAPITALS: &str = r"
sens('N'). sens('S'). sens('E'). sens('O').
meilleur_coup([E, R, _, J], [0, Case, 'O']) :-
    memberchk(J, ['E', 'R']), member(Case, [55, 45, 25, 15]), \+ memberchk((Case, 'O'), E), \+ memberchk((Case, 'O'), R), !.
";

/// Another name and order of arguments, which the project's own call reveals.
const ALPHABETA: &str = r"
joueur_ia(P) :- alphabeta(2, P, Valeur, Coup), write(Valeur), jouer_coup(P, Coup, Q), joueur_ia(Q).
jouer_coup(P, _, P).
alphabeta(N, [E, R, _, _], 10, (0, Case, w)) :- N == 2, member(Case, [55, 45, 25, 15]), \+ memberchk((Case, _), E), \+ memberchk((Case, _), R), !.
";

/// Arguments that can only be found by trying.
const UNCLEAR: &str = r"
meilleur_coup(A, B, C) :- memberchk(B, [e, r]), A = [E, R|_], member(D, [55, 45, 25, 15]), \+ memberchk((D, _), E), \+ memberchk((D, _), R), !, C = [0, D, w].
";

/// No predicate for the best move; entering animals have no facing.
const FIRST: &str = r"
:- initialization(menu).
menu :- read(X), coups_possibles(X, [], [(D, A, 0)|_]), write(D-A).
coups_possibles([E, R, _, _], T, L) :- findall((0, C, 0), (member(C, [55, 45, 25, 15]), \+ member((C, _), E), \+ member((C, _), R)), M), append(T, M, L).
";

/// It is given the list of moves to choose from.
const CHOOSER: &str = r"
coups_possibles_joueur([E, R, _, _], L) :- findall((0, C, w), (member(C, [55, 45, 25, 15]), \+ member((C, _), E), \+ member((C, _), R)), L).
meilleur_coup(Plateau, Coups, Coup) :- length(Plateau, 4), Coups = [(0, _, w)|_], member(Coup, Coups), !.
";

/// It searches deeper than the time allows, lists the moves of the first animals regardless of the side to move, and leaves out the facing of an animal that leaves.
#[test]
fn siam_players_get_what_they_count_on() {
    let scratch = Scratch::new("siam-more");
    let deep = "tour(P) :- alphabeta(4, P, X, S), write(S), jouer_coup(P, X, Q), tour(Q).\njouer_coup(P, _, P).\n\
        alphabeta(D, _, (0, 55, w), D) :- N is 100 ** D, cherche(N).\n\
        cherche(0) :- !.\ncherche(N) :- N1 is N - 1, cherche(N1).\n";
    let agent = scratch.adopt("siam", &[("main.pl", deep)]);
    let (_, replay) = agent.run(&["--vs", "original", "--turns", "1"]);
    assert_eq!(actions(&replay)[0], "0-55w");
    holds(&replay, "a search of depth 4 takes longer than a turn: it is 3 from now on");
    let walker = "sens(o).\ncoups_possibles([[], _, _, _], L, L).\n\
        coups_possibles([[(C, _)|Q], R, M, J], L1, L) :- ( C = 0 -> N = [(0, 55, 0), (0, 51, 0)] ; N = [(C, C, o)] ), append(N, L1, L2), coups_possibles([Q, R, M, J], L2, L).\n";
    let agent = scratch.adopt("siam", &[("siam.pl", walker)]);
    let replays = scratch.0.join("rhinos");
    let seats = ["--agent", "original", "--vs", text(&agent.folder)];
    printed(&[&["run", "siam", "--turns", "4", "--replays", text(&replays)], &seats[..]].concat());
    let replay = the_replay(&replays);
    let rhinos: Vec<String> = actions(&replay).into_iter().skip(1).step_by(2).collect();
    assert_eq!(rhinos, ["0-55e", "0-51e"], "{replay}");
    let leaver = "meilleur_coup([E|_], C) :- ( member((55, _), E) -> C = (55, 0, _) ; C = (0, 55, n) ).\n";
    let agent = scratch.adopt("siam", &[("siam.pl", leaver)]);
    let (_, replay) = agent.run(&["--vs", "original", "--turns", "4"]);
    let elephants: Vec<String> = actions(&replay).into_iter().step_by(2).collect();
    assert_eq!(elephants, ["0-55n", "55-0"], "{replay}");
}

#[test]
fn siam_players_of_every_style_play_their_own_moves() {
    let scratch = Scratch::new("siam");
    for (files, found, first) in [
        (&[("siam.pl", TUPLES)][..], "animals are written tuple", "0-55w"),
        (&LISTS[..], "trouver_coup(Board,Move,_,1)", "0-55w"),
        (&[("siam.pl", CAPITALS)][..], "letters are in upper case, west is o", "0-55w"),
        (&[("siam.pl", ALPHABETA)][..], "alphabeta(Depth,Board,_,Move) (as the project calls it)", "0-55w"),
        (&[("siam.pl", UNCLEAR)][..], "the arguments of meilleur_coup/3 are not clear", "0-55w"),
        (&[("siam.pl", CHOOSER)][..], "the arguments of meilleur_coup/3 are not clear", "0-55w"),
        (&[("siam.pl", FIRST)][..], "the first legal move of coups_possibles/3 is played", "0-55e"),
    ] {
        let agent = scratch.adopt("siam", files);
        holds(&agent.said, found);
        holds(&agent.check(), "elephants: 3 decisions without a mistake");
        let (_, replay) = agent.run(&["--vs", "original", "--turns", "3"]);
        assert_eq!(actions(&replay)[0], first, "{found}");
    }
}

#[test]
fn agent_toml_names_the_call() {
    let scratch = Scratch::new("call");
    let player = "ma_fonction(J, P, Es, triplet(0, 55, 'O'), Ls) :- atom(J), P = [Es|_], Es = [[0,_]|_], memberchk([0,55,o], Ls).\n";
    let agent = scratch.adopt("siam", &[("p.pl", player)]);
    let said = agent.check();
    holds(&said, "3 of 3 answers were not yours: Unknown procedure meilleur_coup/2");
    let path = agent.folder.join("agent.toml");
    let base = "name = \"a\"\ngame = \"siam\"\ncommand = \"swipl door/door.pl --\"\nwire = \"term\"\n[door]\nfile = \"p.pl\"\n";
    let call =
        "call = \"ma_fonction(Player,Board,Elephants,Move,Legal)\"\nanimals = \"list\"\nwest = \"o\"\n";
    std::fs::write(&path, format!("{base}{call}")).unwrap();
    let (_, replay) = agent.run(&["--vs", "original", "--turns", "1"]);
    assert_eq!(actions(&replay)[0], "0-55w");
    std::fs::write(&path, format!("{base}call = \"autre(Board,Move)\"\n")).unwrap();
    holds(&agent.check(), "Unknown procedure autre/2");
    std::fs::write(&path, format!("{base}call = \"autre(Board\"\n")).unwrap();
    holds(&agent.check(), "is no Prolog goal");
}

#[test]
fn a_missing_predicate_is_told_with_what_there_is() {
    let scratch = Scratch::new("missing");
    let agent = scratch.adopt("siam", &[("p.pl", "jouer_un_coup(_, _, _, _, _, _).\n")]);
    let said = agent.check();
    holds(
        &said,
        "3 of 3 answers were not yours: Unknown procedure meilleur_coup/2; there is jouer_un_coup/6: name it in agent.toml",
    );
    let (games, _) = agent.run(&["--vs", "original", "--turns", "20"]);
    assert_ne!(games[0]["outcome"], "win");
    let answers = "meilleur_coup(_, (0, 11)).\n";
    holds(
        &scratch.adopt("siam", &[("p.pl", answers)]).check(),
        "meilleur_coup/2 answered 0,11, which is no move",
    );
}

/// Loading of files: file names are not mistaken for predicates, loops are stopped, declarations take effect.
#[test]
fn loading_a_project_survives_its_directives() {
    let scratch = Scratch::new("directives");
    let main = ":- include(menu).\n:- ensure_loaded(ia).\n:- dynamic ia/1.\n:- initialization(main, main).\n\
        :- initialization(prepare).\nmain :- menu.\nprepare :- assertz(etat(pret)).\n";
    let menu = "menu :- repeat, read(X), X == fin.\n:- dynamic etat/1.\n";
    let ia = "ia :- menu.\nboucle :- boucle.\n:- boucle.\n:- halt.\n:- initialization(halt(0)).\n:- menu.\n:- absent(1).\n\
        meilleur_coup(_, (0, 55, n)) :- etat(pret), outil(oui).\n";
    let files = [
        ("main.pl", main),
        ("menu.pl", menu),
        ("ia.pl", ia),
        ("outils.pl", "outil(oui).\n"),
        ("test.pl", ":- consult(main).\n"),
    ];
    let agent = scratch.adopt("siam", &files);
    holds(&agent.said, "main.pl:4 starts main, which reads from the keyboard: it is not run");
    let (_, replay) = agent.run(&["--vs", "original", "--turns", "1"]);
    assert_eq!(actions(&replay)[0], "0-55n");
    for part in [
        "ia.pl:3: directive: it did not end and was stopped",
        "outil/1 is called, so outils.pl is loaded too",
    ] {
        holds(&replay, part);
    }
}

/* ---- Rasende Roboter ---- */

/// A solver that searches breadth-first for the path of one robot on the board of case/6.
const SOLVER: &str = r"
:- use_module(case).
jeu_1robot(XB,YB,XV,YV,XR,YR,XJ,YJ,Nom,XC,YC,Chemin,N) :-
    Tous = [rbtBleu-[XB,YB], rbtVert-[XV,YV], rbtRouge-[XR,YR], rbtJaune-[XJ,YJ]],
    select(Nom-Depart, Tous, Autres),
    largeur([[Depart]], [Depart], Autres, [XC,YC], Inverse), !,
    reverse(Inverse, Cases), length(Cases, M), N is M - 1,
    findall(Texte, (member([X,Y], Cases), format(atom(Texte), '~w,~w', [X,Y])), Textes),
    atomic_list_concat(Textes, '|', Chemin).
largeur([[But|Reste]|_], _, _, But, [But|Reste]).
largeur([[Case|Reste]|File], Vus, Autres, But, Chemin) :-
    findall([C,Case|Reste], (sens(S), glisse(S, Case, Autres, C), \+ memberchk(C, Vus)), Suites),
    findall(C, member([C|_], Suites), Nouveaux),
    append(File, Suites, Queue), append(Nouveaux, Vus, Vus1),
    largeur(Queue, Vus1, Autres, But, Chemin).
sens(haut). sens(bas). sens(gauche). sens(droite).
glisse(S, Case, Autres, Fin) :- ( pas(S, Case, Suite), \+ memberchk(_-Suite, Autres) -> glisse(S, Suite, Autres, Fin) ; Fin = Case ).
pas(haut, [X,Y], [X,Z]) :- case(X, Y, 0, _, _, _), Z is Y + 1.
pas(bas, [X,Y], [X,Z]) :- case(X, Y, _, 0, _, _), Z is Y - 1.
pas(gauche, [X,Y], [Z,Y]) :- case(X, Y, _, _, 0, _), Z is X - 1.
pas(droite, [X,Y], [Z,Y]) :- case(X, Y, _, _, _, 0), Z is X + 1.
";

#[test]
fn the_mission_gives_the_board_that_solvers_know_as_case_6() {
    let scratch = Scratch::new("case");
    let own_board = ":- module(case, [case/6]).\ncase(1,1,0,0,0,0).\ncase(1,2,1,1,1,1).\n";
    for files in [&[("jeu_1robot.pl", SOLVER), ("case.pl", own_board)][..], &[("jeu_1robot.pl", SOLVER)][..]]
    {
        let agent = scratch.adopt("ricochet", files);
        holds(&agent.said, "jeu_1robot/13 is called, from jeu_1robot.pl");
        let (games, _) = agent.run(&["--level", "missions", "--turns", "30"]);
        let won = games.iter().filter(|game| game["outcome"] == "win").count();
        let given_up: Vec<&Value> = games.iter().filter(|game| game["outcome"] != "win").collect();
        assert!(won * 4 >= games.len(), "{won} of {}", games.len());
        for game in given_up {
            holds(game["reason"].as_str().unwrap(), "impossible");
        }
    }
}

/// The answer of the later course: blue right, then yellow up.
const LATER: &str = ":- module(decision, [init/1, move/2]).\ninit(_).\n\
    move([S1,S2,S3,S4,T|Coordinates], [0,1,2,2]) :- write(asked([S1,S2,S3,S4], T, Coordinates)), nl.\n";

#[test]
fn solvers_of_the_later_course_are_given_panels_target_and_coordinates() {
    let scratch = Scratch::new("move-2");
    let agent = scratch.adopt("ricochet", &[("decision.pl", LATER), ("decision_old.pl", LATER)]);
    holds(&agent.said, "move/2 is called, from decision.pl");
    let level = scratch.0.join("mission.json");
    let mut walls = vec![0u8; 256];
    for i in 0..16 {
        (walls[i], walls[240 + i]) = (walls[i] | 1, walls[240 + i] | 4);
        (walls[16 * i], walls[16 * i + 15]) = (walls[16 * i] | 8, walls[16 * i + 15] | 2);
    }
    let robots = r#"{"red":[1,2],"green":[3,4],"blue":[5,6],"yellow":[7,8]}"#;
    let mission = |more: &str| {
        format!(
            r#"{{"size":16,"walls":{walls:?},"robots":{robots},"target_robot":"yellow","target":[7,0]{more}}}"#
        )
    };
    std::fs::write(&level, mission(r#","sides":[0,1,0,0],"number":9"#)).unwrap();
    let (games, replay) = agent.run(&["--level", text(&level)]);
    holds(&replay, "asked([0,1,0,0],9,[5,6,3,4,7,8,1,2])");
    assert_eq!(
        (&games[0]["outcome"], actions(&replay)),
        (&"win".into(), vec!["blue east".into(), "yellow north".into()])
    );
    std::fs::write(&level, mission("")).unwrap();
    let (games, _) = agent.run(&["--level", text(&level), "--turns", "3"]);
    holds(games[0]["reason"].as_str().unwrap(), "move/2 knows only boards of the four panels");
    std::fs::write(&level, mission(r#","sides":[0,1,0,2],"number":9"#)).unwrap();
    let refused = damier(&["check", "ricochet", text(&level)]);
    holds(&String::from_utf8_lossy(&refused.stderr), "the side of a panel is 0 or 1");
    let (_, replay) =
        scratch.adopt("ricochet", &[("ia.pl", LATER)]).run(&["--level", "missions/01", "--turns", "3"]);
    holds(&replay, "this board has other walls than the course's panels");
    let nothing = "init(_).\nmove(_, []).\n";
    let (games, _) = scratch.adopt("ricochet", &[("ia.pl", nothing)]).run(&["--level", "missions/01"]);
    holds(games[0]["reason"].as_str().unwrap(), "impossible");
    let nonsense = "init(_).\nmove(_, [rouge, haut]).\n";
    let said = scratch.adopt("ricochet", &[("ia.pl", nonsense)]).check();
    holds(&said, "move/2 answered [rouge,haut], which is no list of robots and directions");
}

#[test]
fn case_pl_is_a_board() {
    let scratch = Scratch::new("case-pl");
    let path = scratch.0.join("case.pl");
    let mut facts = String::from("% plateau\n:- module(case,[case/6]).\n");
    for (x, y) in (1..=4).flat_map(|x| (1..=4).map(move |y| (x, y))) {
        let wall = |is: bool| u8::from(is);
        // Only one of the two cells has the wall between (2,2) and (2,3).
        let (above, below) = (wall(y == 4 || (x, y) == (2, 2)), wall(y == 1));
        let (left, right) = (wall(x == 1), wall(x == 4));
        writeln!(facts, "case({x},{y},{above},{below},{left},{right}).").unwrap();
    }
    std::fs::write(&path, &facts).unwrap();
    let said = printed(&["check", "ricochet", text(&path)]);
    holds(&said, "(2,2) has a wall towards (2,3), which has none: it is closed");
    holds(&said, "the file sets no mission");
    std::fs::write(&path, facts.clone() + "jeu_1robot(1,1,4,4,4,1,1,4,rbtBleu,3,1,Chemin,N).\n").unwrap();
    holds(&printed(&["solve", "ricochet", text(&path)]), "blue east");
    let drawn = printed(&["convert", "ricochet", "--to", "drawn", text(&path)]);
    assert_eq!(drawn.matches("---").count(), 4 + 1 + 4, "{drawn}");
    let again = printed(&["convert", "ricochet", "--to", "case", text(&path)]);
    holds(&again, "case(2,3,0,1,0,0).");
    std::fs::write(&path, facts.replace("case(3,3,0,0,0,0).\n", "")).unwrap();
    let refused = damier(&["check", "ricochet", text(&path)]);
    holds(&String::from_utf8_lossy(&refused.stderr), "there is no `case(3,3,…)`");
}

/* ---- Lode Runner ---- */

/// A player of the course: it uses the engine's constants and lists, keeps a static counter and prints to standard output.
const RUNNER: &str = r#"
#include <stdbool.h>
#include <stdio.h>
#include "lode_runner.h"
extern const char BOMB, BONUS, CABLE, ENEMY, EXIT, FLOOR, LADDER, PATH, RUNNER, WALL;
extern const int BOMB_TTL;
extern bool DEBUG;
const char *students = "Ada Lovelace";
void print_action(action a) { printf("%d", a); }
action lode_runner(levelinfo level, character_list characterl, bonus_list bonusl, bomb_list bombl)
{
    static int round = 0;
    printf("round %d: %c at %d,%d of %dx%d, exit %c, holes %d, bonuses", ++round, characterl->c.item, characterl->c.x,
           characterl->c.y, level.xsize, level.ysize, level.map[level.yexit][level.xexit], bombl != NULL);
    for (; bonusl; bonusl = bonusl->next) printf(" %d,%d", bonusl->b.x, bonusl->b.y);
    printf(".\n");
    return NONE;
}
"#;

#[test]
fn the_door_for_lode_runner_gives_bonuses_as_the_courses_engine_does() {
    let scratch = Scratch::new("loderunner");
    let engine = "#include \"lode_runner.h\"\naction lode_runner(levelinfo, character_list, bonus_list, bomb_list);\nint main(void) { return 0; }\n";
    let agent = scratch.adopt("loderunner", &[("player_final.c", RUNNER), ("engine.c", engine)]);
    holds(&agent.said, "lode_runner is called from player_final.c");
    let level = scratch.0.join("map.txt");
    std::fs::write(&level, "WWWWWWWWW\nWB.R.B.XW\nWFFFFFFFW\nW...B...W\nWWWWWWWWW\n").unwrap();
    let (games, replay) = agent.run(&["--turns", "3", "--level", text(&level)]);
    assert_eq!(games[0]["turns"], 3, "{games:?}");
    holds(&replay, "round 3: R at 3,1 of 9x5, exit X, holes 0, bonuses 4,3 5,1 1,1.");
}

/// Several C files in a folder whose name has a space, with the course's engine and its objects beside them.
#[test]
fn a_player_of_several_files_is_built_whole() {
    let scratch = Scratch::new("loderunner-files");
    let player = RUNNER
        .replace("\"lode_runner.h\"\n", "\"lode_runner.h\"\n#include \"ways.h\"\n")
        .replace("NONE;", "way();");
    let engine = "#include \"lode_runner.h\"\naction lode_runner(levelinfo, character_list, bonus_list, bomb_list);\nint main(void) { return 0; }\n";
    let files = [
        ("mon projet/player.c", &*player),
        ("mon projet/ways.h", "#include \"lode_runner.h\"\naction way(void);\n"),
        ("mon projet/ways.c", "#include \"ways.h\"\naction way(void) { return NONE; }\n"),
        ("mon projet/lode_runner.c", engine),
        ("mon projet/lode_runner.o", "not an object"),
    ];
    let agent = scratch.adopt("loderunner", &files);
    holds(&agent.said, "lode_runner is called from mon projet/player.c");
    holds(&agent.check(), "3 decisions without a mistake");
}

#[test]
fn players_that_crash_or_answer_nonsense_are_told_so() {
    let scratch = Scratch::new("loderunner-faults");
    let with = |answer: &str| scratch.adopt("loderunner", &[("player.c", &RUNNER.replace("NONE;", answer))]);
    let (games, _) = with("*(volatile action *)0;").run(&["--turns", "3"]);
    holds(games[0]["reason"].as_str().unwrap(), "segmentation fault");
    holds(
        &with("(action)17;").check(),
        "3 of 3 answers were not yours: lode_runner answered 17, which is no action",
    );
    let nothing = scratch.0.join("nothing");
    std::fs::create_dir_all(&nothing).unwrap();
    std::fs::write(nothing.join("a.c"), "int x;\n").unwrap();
    let refused =
        damier(&["new-agent", "loderunner", "door", text(&scratch.0.join("z")), "--from", text(&nothing)]);
    holds(&String::from_utf8_lossy(&refused.stderr), "no C file defines the function");
}
