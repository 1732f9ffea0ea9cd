/** <module> The door for SIAM players of the course: a predicate that gets a board and returns a move.

The board is [Elephants, Rhinoceroses, Mountains, Player] of the hand-out of 2012: five animals per side as (Square, Facing), (0,0) for those in
hand, squares as 10 * row + column with row 1 in the south, the player e or r. A move is (From, To, Facing); 0 is off the board. Projects differ
in the names of their predicates and in the form of animals, moves and letters. The door finds both in the sources; settings in the table [door]
of agent.toml take precedence (see there).
*/
:- module(damier_door, []).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(course).

:- initialization(door, main).

:- dynamic in_hand/1, guessed/1, slow/1, depth/1, turn_ms/1.

door_name('course player').

/* ---- Inspection of the sources ---- */

choose :- choose_form, choose_call.

%   The form of boards: taken from the first board in the sources, and from its letters.
choose_form :-
    (   once(( clause_of(_, _, Clause, _), sub_term(Animals, Clause), is_list(Animals), Animals = [First, Second, Third|_],
               First == Second, Second == Third, animal_form(First, Form) ))
    ->  choose_setting(animals, Form), assertz(in_hand(First)), found("animals are written ~w", [Form])
    ;   choose_setting(animals, tuple)
    ),
    (   uses('N'), uses('S'), \+ ( uses(n), uses(s) ) -> Case = upper ; Case = lower ),
    choose_setting(case, Case),
    ( setting(case, upper) -> Here = ['O', 'W'] ; Here = [o, w] ),
    Here = [Ouest, W],
    (   uses(Ouest), \+ uses(W) -> West = o ; West = w ),
    choose_setting(west, West),
    setting(case, CaseNow), setting(west, WestNow),
    found("letters are in ~w case, west is ~w", [CaseNow, WestNow]).

animal_form(Animal, tuple) :- nonvar(Animal), Animal = (Square, Facing), Square == 0, atomic(Facing).
animal_form(Animal, list) :- nonvar(Animal), Animal = [Square, Facing], Square == 0, atomic(Facing).

uses(Letter) :- clause_of(_, _, Clause, _), Clause \= (:- _), sub_term(Sub, Clause), Sub == Letter, !.

%   The call: set in agent.toml, or the first known name whose arguments are clear, or else the first of the possible moves.
choose_call :-
    setting(call, Call), !,
    catch(term_string(Goal, Call), _, Goal = none),
    functor(Goal, Name, Arity),
    ignore(choose_file(Name/Arity)).
choose_call :-
    candidate(Name/Arity), template(Name/Arity, Call, Why), !,
    choose_setting(call, Call),
    found("~w is called as ~w (~w)", [Name/Arity, Call, Why]),
    ignore(choose_file(Name/Arity)).
choose_call :-
    candidate(Name/Arity), findall(Call, guess(Name/Arity, Call), Calls), Calls = [_|_], !,
    maplist(remember_guess, Calls),
    found("the arguments of ~w are not clear: the usual ones are tried until a legal move comes; choose with [door] call = \"...\"", [Name/Arity]),
    ignore(choose_file(Name/Arity)).
choose_call :-
    lister(Name/Arity), !,
    ( walks_first_animals(Name/Arity) -> Board = 'Own' ; Board = 'Board' ),
    ( Arity =:= 3 -> Inner = '[],Moves' ; Inner = 'Moves' ),
    format(atom(Call), "~q(~w,~w)", [Name, Board, Inner]),
    choose_setting(call, Call),
    choose_setting(entry, e),
    found("there is no predicate for the best move: the first legal move of ~w is played, entering animals face east", [Name/Arity]),
    ignore(choose_file(Name/Arity)).
choose_call :- missing_why(Why), found("~w", [Why]), ignore(choose_file(_)).

%   lister(-Name/Arity): a predicate that lists the possible moves.
lister(Name/Arity) :-
    member(Name, [coups_possibles, coup_possibles, coupsPossibles, coups_possibles_joueur, coups_legaux]), member(Arity, [3, 2]), has(Name/Arity).

%   Some list the moves of the animals that come first on the board, regardless of the side to move.
walks_first_animals(PI) :- heads_of(PI, [Board|_], _), nonvar(Board), Board = [Animals|_], nonvar(Animals), Animals = [_|_], !.

missing_why(Why) :- missing_why(meilleur_coup/2, Why).

missing_why(PI, Why) :- missing(PI, [coup, move, alpha, minmax, minimax, jouer], ': name it in agent.toml, [door] call = "..."', Why).

%   Names of predicates that choose a move, the surest first.
known(exactly(meilleur_coup)).
known(exactly(trouver_coup)).
known(holds([meilleur, coup])).
known(holds([best, move])).
known(holds([trouver, coup])).
known(holds([choisir, coup])).
known(words([coup, ia])).
known(holds([alpha, beta])).
known(holds([negamax])).
known(holds([minimax])).
known(holds([minmax])).
known(holds([min_max])).

%   candidate(-Name/Arity): a predicate that may choose a move, in the order of the names; not one that another of them calls.
candidate(Name/Arity) :-
    known(Pattern), defined_in(Name/Arity, _), Arity >= 2, matches(Pattern, Name),
    \+ ( calls(Other, _, Name, Arity, _), Other \== Name, known(One), matches(One, Other) ).

matches(exactly(Name), Name).
matches(words(Words), Name) :- downcase_atom(Name, Lower), atomic_list_concat(Parts, '_', Lower), \+ shows(Lower), subset(Words, Parts).
matches(holds(Words), Name) :- downcase_atom(Name, Lower), \+ shows(Lower), forall(member(Word, Words), sub_atom(Lower, _, _, _, Word)).

%   These predicates play or show a move, but do not choose it.
shows(Name) :- member(Word, [jouer, play, affich, ecri, print, test]), sub_atom(Name, 0, _, _, Word), !.

%   template(+Name/Arity, -Call, -Why): the call with Board and Move in their positions, as the project itself calls it.
template(Name/2, Call, 'board and move, as in the hand-out') :- Name == meilleur_coup, !, Call = 'meilleur_coup(Board,Move)'.
template(Name/4, Call, 'board, move, value and depth') :- Name == trouver_coup, !, Call = 'trouver_coup(Board,Move,_,1)'.
template(Name/Arity, Call, 'as the project calls it') :- calls_of(Name/Arity, Arguments, Names, Body), written(Name, Arguments, Names, Body, Call), !.

written(Name, Arguments, Names, Body, Call) :-
    maplist(part(Names, Body), Arguments, Parts),
    once_in('Board', Parts), once_in('Move', Parts),
    atomic_list_concat(Parts, ',', Inner),
    format(atom(Call), "~q(~w)", [Name, Inner]).

once_in(Part, Parts) :- selectchk(Part, Parts, Others), \+ memberchk(Part, Others).

%   guess(+Name/Arity, -Call): a guess of the arguments if no call shows them: by their names, or in a common order.
guess(Name/Arity, Call) :-
    heads_of(Name/Arity, Arguments, Names), once(written(Name, Arguments, Names, true, Written)),
    (   sub_atom(Written, _, _, _, 'Legal'), lister(Lister/2), format(atom(Call), "~q(Board,Legal),~w", [Lister, Written]) ; Call = Written ).
guess(Name/Arity, Call) :-
    member(Arity-Inner, [2-'Board,Move', 3-'Board,Move,_', 3-'Board,Player,Move', 3-'Board,Depth,Move', 4-'Board,Depth,Move,_',
                         4-'Board,Move,_,Depth', 4-'Board,Player,Depth,Move', 4-'Board,Player,Move,_', 4-'Board,Depth,_,Move', 5-'Board,-10000,10000,Move,_',
                         5-'Board,Depth,Player,Move,_']),
    format(atom(Call), "~q(~w)", [Name, Inner]).

remember_guess(Call) :- ( guessed(Call) -> true ; assertz(guessed(Call)) ).

calls_of(Name/Arity, Arguments, Names, Body) :-
    clause_of(_, _, (Head :- Body), Names),
    \+ functor(Head, Name, _),
    functor(Goal, Name, Arity),
    sub_term(Sub, Body), nonvar(Sub), Sub = Goal,
    Goal =.. [_|Arguments].

heads_of(Name/Arity, Arguments, Names) :-
    functor(Head, Name, Arity),
    ( clause_of(_, _, (Head :- _), Names) ; clause_of(_, _, Head, Names) ),
    Head =.. [_|Arguments].

%   part(+Names, +Body, +Argument, -Part): the part of the call for this argument.
part(_, _, Argument, Part) :- atomic(Argument), !,
    (   memberchk(Argument, [e, r, 'E', 'R']) -> Part = 'Player'
    ;   integer(Argument), between(1, 9, Argument) -> Part = 'Depth', choose_setting(depth, Argument)
    ;   format(atom(Part), "~q", [Argument])
    ).
part(Names, Body, Argument, Part) :-
    (   played(Body, Argument, Part0) -> Part = Part0
    ;   compound(Argument) -> ( is_list(Argument), length(Argument, 4) -> Part = 'Board' ; is_list(Argument), length(Argument, 3) -> Part = 'Move' ; Argument = (_, _, _) -> Part = 'Move' ; Part = '_' )
    ;   member(Name=Variable, Names), Variable == Argument -> downcase_atom(Name, Lower), meaning(Lower, Part)
    ;   Part = '_'
    ).

%   A call that plays the move shows which arguments are the board and the move.
played(Body, Argument, Part) :-
    sub_term(Goal, Body), nonvar(Goal), callable(Goal), functor(Goal, Name, Arity), Arity >= 2,
    memberchk(Name, [jouer_coup, coup_possible, jouerCoup, jouer, play_move, appliquer_coup]),
    arg(1, Goal, Board), arg(2, Goal, Move),
    ( Argument == Board -> Part = 'Board' ; Argument == Move -> Part = 'Move' ).

meaning(Name, Part) :- means(Name, Part), !.
meaning(_, '_').

means(Name, 'Legal') :- member(Word, [coups, moves]), sub_atom(Name, _, _, _, Word), \+ value(Name).
means(Name, 'Move') :- member(Word, [coup, move, meilleur, bestm, action]), sub_atom(Name, _, _, _, Word), \+ value(Name).
means(Name, 'Board') :- member(Word, [plateau, board, etat, state, plat, damier, jeu]), sub_atom(Name, 0, _, _, Word), \+ new(Name).
means(Name, 'Depth') :- member(Word, [prof, depth, niveau, level]), sub_atom(Name, 0, _, _, Word).
means(Name, 'Player') :- member(Word, [joueur, player, camp, couleur, tour]), sub_atom(Name, 0, _, _, Word).
means(Name, '-10000') :- sub_atom(Name, 0, _, _, alpha).
means(Name, '10000') :- sub_atom(Name, 0, _, _, beta).
means(p, 'Board').
means(pl, 'Board').
means(c, 'Move').
means(j, 'Player').
means(n, 'Depth').
means(d, 'Depth').

value(Name) :- member(Word, [val, score, eval]), sub_atom(Name, _, _, _, Word), !.
new(Name) :- member(Word, [new, nouv, suiv, final, out]), sub_atom(Name, _, _, _, Word), !.

/* ---- Playing ---- */

provides(_) :- fail.

prepare :- setting(file, _), load_project.

begin(Limits) :- retractall(turn_ms(_)), ( memberchk(turn_ms=Limit, Limits), integer(Limit) -> assertz(turn_ms(Limit)) ; true ).

decide(Legal, Seen, Answer) :-
    (   setting(call, Call) -> ask(Call, Legal, Seen, Answer)
    ;   guessed(_) -> try_guesses(Legal, Seen, Answer)
    ;   missing_why(Why), Answer = fault(Why)
    ).

%   The first guess that returns a legal move is kept. A wrong one may never end, so it gets the time of one turn, once.
try_guesses(Legal, Seen, Answer) :-
    (   guessed(Call), \+ slow(Call),
        inferences(Half), Most is 2 * Half,
        attempt(ask(Call, Legal, Seen, Tried), Most, Outcome),
        ( Outcome == exceeded -> assertz(slow(Call)), log_line("~w did not end in the time of a turn", [Call]), fail ; true ),
        Tried = act(Action), memberchk(Action, Legal)
    ->  choose_setting(call, Call), log_line("it is called as ~w", [Call]), Answer = act(Action)
    ;   findall(Call, guessed(Call), Calls), atomic_list_concat(Calls, ', ', Text),
        format(atom(Why), "name the call in agent.toml, [door] call = \"...\": there was no legal move from ~w", [Text]), Answer = fault(Why)
    ).

ask(Call, Legal, Seen, Answer) :-
    (   catch(term_string(Goal, Call, [variable_names(Names)]), _, fail), callable(Goal)
    ->  functor(Goal, Name, Arity), ask(Name/Arity, Goal, Names, Legal, Seen, Answer)
    ;   format(atom(Why), "agent.toml: `~w` is no Prolog goal", [Call]), Answer = fault(Why)
    ).

ask(PI, Goal, Names, Legal, Seen, Answer) :-
    home(PI, Goal, Module), !,
    memberchk(position=Position, Seen),
    board(Position, Board), Board = [E, R, M, Player],
    ( memberchk(Player, [e, 'E']) -> Own = Board ; Own = [R, E, M, Player] ),
    maplist(triple, Legal, Triples),
    maplist(bind(Names), ['Board'=Board, 'Own'=Own, 'Player'=Player, 'Elephants'=E, 'Rhinos'=R, 'Mountains'=M]),
    ( lists_moves(Goal) -> true ; bind(Names, 'Legal'=Triples) ),
    ignore(memberchk('Move'=Move, Names)), ignore(memberchk('Moves'=Moves, Names)),
    (   memberchk('Depth'=Depth, Names) -> search(Module:Goal, Depth, Outcome) ; attempt(Module:Goal, Outcome) ),
    (   Outcome \== yes -> Answer = Outcome
    ;   memberchk('Moves'=_, Names) -> first_legal(PI, Moves, Legal, Answer)
    ;   answer(PI, Move, Answer)
    ).
ask(PI, _, _, _, _, fault(Why)) :- missing_why(PI, Why).

%   A call that lists the moves itself does not get them.
lists_moves((First, _)) :- functor(First, Name, Arity), lister(Lister), Lister == Name/Arity, !.

%   search(:Goal, ?Depth, -Outcome): searches to the project's depth. If that takes longer than a turn, the depth is reduced from then on.
:- meta_predicate search(0, ?, -).
search(Goal, Depth, Outcome) :-
    ( depth(Now) -> true ; setting(depth, Text), term_to_atom(Now, Text), integer(Now) -> true ; Now = 2 ),
    (   Now =< 1
    ->  Depth = Now, attempt(Goal, Outcome)
    ;   inferences(Most),
        copy_term(Goal-Depth, Copy-Now),
        attempt(Copy, Most, Tried),
        (   Tried == exceeded
        ->  Less is Now - 1,
            retractall(depth(_)), assertz(depth(Less)),
            log_line("a search of depth ~w takes longer than a turn: it is ~w from now on", [Now, Less]),
            search(Goal, Depth, Outcome)
        ;   Goal-Depth = Copy-Now, Outcome = Tried
        )
    ).

%   Half a turn, at about ten million inferences per second.
inferences(Most) :- ( turn_ms(Limit) -> true ; Limit = 1000 ), Most is Limit * 5000.

%   first_legal(+PI, +Moves, +Legal, -Answer): the first legal move of a list.
first_legal(PI, Moves, Legal, Answer) :-
    (   is_list(Moves), member(Move, Moves), answer(PI, Move, act(Action)), memberchk(Action, Legal) -> Answer = act(Action)
    ;   shown(Moves, Shown), format(atom(Why), "~w answered ~w, of which no move is legal", [PI, Shown]), Answer = fault(Why)
    ).

%   A call may be several goals; the module is that of the last one.
home((',')/2, (_, Last), Module) :- !, functor(Last, Name, Arity), home(Name/Arity, Last, Module).
home(PI, _, Module) :- predicate_home(PI, Module).

bind(Names, Name=Value) :- ( memberchk(Name=Variable, Names) -> Variable = Value ; true ).

%   board(+Position, -Board): the board of a position such as ...../...../.MMM./...../..... E 0.
board(Position, [E, R, M, Player]) :-
    split_string(Position, " ", "", [Rows, Side|_]),
    split_string(Rows, "/", "", Lines),
    findall(Square-Letter, ( nth0(Index, Lines, Line), sub_string(Line, Column, 1, _, Letter), Letter \== ".",
                             Square is 10 * (5 - Index) + Column + 1 ), Unsorted),
    keysort(Unsorted, Pieces),
    findall(Square, member(Square-"M", Pieces), M),
    animals(Pieces, ["N", "E", "S", "W"], E),
    animals(Pieces, ["n", "e", "s", "w"], R),
    ( Side == "E" -> Lower = e ; Lower = r ),
    cased(Lower, Player).

animals(Pieces, Letters, Animals) :-
    findall(Animal, ( member(Square-Letter, Pieces), memberchk(Letter, Letters), string_lower(Letter, Text), atom_string(Lower, Text),
                      facing(Lower, Facing), animal(Square, Facing, Animal) ), On),
    length(On, Count), InHand is 5 - Count,
    length(Off, InHand),
    ( in_hand(Hand), setting(animals, Form), animal_form(Hand, Form) -> true ; animal(0, 0, Hand) ),
    maplist(=(Hand), Off),
    append(On, Off, Animals).

animal(Square, Facing, Animal) :- ( setting(animals, list) -> Animal = [Square, Facing] ; Animal = (Square, Facing) ).

facing(w, Facing) :- !, setting(west, West), cased(West, Facing).
facing(Lower, Facing) :- cased(Lower, Facing).

cased(Lower, Letter) :- ( setting(case, upper) -> upcase_atom(Lower, Letter) ; Letter = Lower ).

%   triple(+Action, -Triple): a legal action in the project's form of moves.
triple(Action, Triple) :-
    atomic_list_concat([Left, Right], '-', Action), atom_number(Left, From),
    (   Right == '0' -> To = 0, Facing = 0
    ;   sub_atom(Right, 0, 2, 1, Square), atom_number(Square, To), sub_atom(Right, 2, 1, 0, Lower), facing(Lower, Facing)
    ),
    ( setting(animals, list) -> Triple = [From, To, Facing] ; Triple = (From, To, Facing) ).

%   answer(+PI, +Move, -Answer): a move is a triple in any brackets; anything after it, such as its value, is ignored, and so is the facing of an
%   animal that leaves the board.
answer(PI, Move, Answer) :-
    (   nonvar(Move), leaves(Move, [From, To, Facing|_]), square(From, F), square(To, T), spelled(F, T, Facing, Action)
    ->  Answer = act(Action)
    ;   shown(Move, Shown), format(atom(Why), "~w answered ~w, which is no move", [PI, Shown]), Answer = fault(Why)
    ).

leaves(Term, [Term]) :- ( var(Term) ; atomic(Term), Term \== [] ), !.
leaves([], []) :- !.
leaves(Term, Leaves) :- Term =.. [_|Arguments], maplist(leaves, Arguments, Lists), append(Lists, Leaves).

square(Leaf, Square) :- ( integer(Leaf) -> Square = Leaf ; atom(Leaf), atom_number(Leaf, Square), integer(Square) ).

spelled(From, 0, _, Action) :- !, format(atom(Action), "~w-0", [From]).
spelled(From, To, Facing, Action) :-
    (   From =:= 0, Facing == 0, setting(entry, Letter) -> true
    ;   atom(Facing), downcase_atom(Facing, Lower), memberchk(Lower-Letter, [n-n, nord-n, e-e, est-e, s-s, sud-s, w-w, o-w, ouest-w])
    ),
    format(atom(Action), "~w-~w~w", [From, To, Letter]).
