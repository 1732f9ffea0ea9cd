/** <module> The door for miners of the course.

Three interfaces, the first that the project has:

  - `think`: think.pl, which the course's environment calls: startThinking/1, then think/2 with a list of vectors of numbers;
  - `2008`: setViewPerimeter/2 and move/8 or move/12 with the arguments and codes of the hand-out of 2008;
  - `move`: init/1 and move/12 of the later hand-outs.

`interface` in the table [door] of agent.toml chooses one. Cells have the codes of the course's engine. Global variables (nb_setval/2) live as
long as the game.
*/
:- module(damier_door, []).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(course).

:- initialization(door, main).

:- dynamic perimeter/2, variant/1, seen_map/2.

door_name('course miner').

choose :-
    (   setting(interface, Interface) -> true
    ;   has(think/2) -> Interface = think
    ;   ( has(setViewPerimeter/2) ; has(move/8), \+ has(move/12) ) -> Interface = '2008'
    ;   Interface = move
    ),
    choose_setting(interface, Interface),
    entry(Interface, Entry),
    (   choose_file(Entry)
    ->  setting(file, File), found("~w is called as the interface `~w` asks for, from ~w", [Entry, Interface, File])
    ;   missing(Entry, [move, think, coup, action], '', Why), found("~w", [Why])
    ).

entry(think, think/2) :- !.
entry('2008', move/8) :- \+ has(move/12), !.
entry(_, move/12).

provides(_) :- fail.

prepare :- setting(file, _), load_project.

begin(_) :-
    retractall(perimeter(_, _)), retractall(variant(_)), retractall(seen_map(_, _)),
    setting(interface, Interface),
    begin_as(Interface).

begin_as(think) :- !, start(startThinking(_)).
begin_as('2008') :- !,
    (   predicate_home(setViewPerimeter/2, Module)
    ->  attempt(Module:setViewPerimeter(Px, Py), Outcome),
        (   Outcome == yes, integer(Px), integer(Py) -> assertz(perimeter(Px, Py))
        ;   Outcome == yes -> log_line("setViewPerimeter/2 answered ~w, ~w, which are no numbers", [Px, Py])
        ;   Outcome = fault(Why), log_line("~w", [Why])
        )
    ;   true
    ),
    ( predicate_home(init/1, _) -> start(init(_)) ; true ).
begin_as(_) :- start(init(_)).

decide(_, Seen, Answer) :-
    setting(interface, Interface),
    entry(Interface, Entry),
    (   predicate_home(Entry, Module)
    ->  ask(Interface, Entry, Module, Seen, Answer)
    ;   missing(Entry, [move, think, coup, action], '', Why), Answer = fault(Why)
    ).

/* ---- think/2 ---- */

%   The environment sends a list of vectors of 64-bit floats, of which the first is what the miner perceives. A think.pl that was written anew may
%   take the vector alone, or integers, or work only with parts of the environment that are not here: until there is an answer, these are tried
%   too, and then move/12 called directly.
ask(think, _, Module, Seen, Answer) :- !,
    (   variant(Known) -> Variants = [Known]
    ;   takes_list -> Variants = [list-floats]
    ;   Variants = [list-floats, vector-floats, list-integers, vector-integers, move]
    ),
    new_map(Seen, New),
    stimulus(Seen, New, Integers),
    first_answer(Variants, Module, Integers, Seen, Answer).
ask('2008', Entry, Module, Seen, Answer) :- !, ask_2008(Entry, Module, Seen, Answer).
ask(_, _, Module, Seen, Answer) :- ask_move(Module, Seen, Answer).

ask_move(Module, Seen, Answer) :-
    maplist(seen(Seen), [cells, x, y, pos, size, energy, gathered_energy, view], [L, X, Y, Pos, Size, Energy, Gathered, [VPx, VPy]]),
    maplist(no_attribute, L, LP),
    exit_open(Seen, Exit),
    attempt(Module:move(L, LP, X, Y, Pos, Size, Exit, Energy, Gathered, VPx, VPy, Code), Outcome),
    ( Outcome == yes -> action(move/12, Code, Answer) ; Answer = Outcome ).

first_answer([Variant|Others], Module, Stimulus, Seen, Answer) :-
    variant_answer(Variant, Module, Stimulus, Seen, First),
    (   First = act(_)
    ->  ( variant(_) -> true ; assertz(variant(Variant)), told_variant(Variant) ),
        Answer = First
    ;   Others = [_|_], first_answer(Others, Module, Stimulus, Seen, act(Action))
    ->  Answer = act(Action)
    ;   Answer = First
    ).

told_variant(list-floats) :- !.
told_variant(move) :- !, log_line("think/2 gives no answer: move/12 is called in its place", []).
told_variant(Form-Numbers) :- log_line("think/2 is given a ~w of ~w", [Form, Numbers]).

variant_answer(move, _, _, Seen, Answer) :- !,
    ( predicate_home(move/12, Module) -> ask_move(Module, Seen, Answer) ; Answer = fault('there is no move/12') ).
variant_answer(Form-Numbers, Module, Integers, _, Answer) :-
    ( Numbers == floats -> maplist(as_float, Integers, Vector) ; Vector = Integers ),
    ( Form == list -> Stimulus = [Vector] ; Stimulus = Vector ),
    attempt(Module:think(Stimulus, Code), Outcome),
    ( Outcome == yes -> action(think/2, Code, Answer) ; Answer = Outcome ).

as_float(Integer, Float) :- Float is float(Integer).

no_attribute(_, 0).

seen(Seen, Key, Value) :- memberchk(Key=Value, Seen).

%   seen_or(+Seen, +Key, +Default, -Value).
seen_or(Seen, Key, Default, Value) :- ( memberchk(Key=Known, Seen), number(Known) -> Value = Known ; Value = Default ).

exit_open(Seen, Exit) :- ( memberchk(can_goto_exit=true, Seen) -> Exit = 1 ; Exit = 0 ).

%   The header, the items, their attributes. The header's first number is its size.
stimulus(Seen, New, Stimulus) :-
    maplist(seen(Seen), [cells, x, y, pos, size, missing, energy, gathered_energy, view], [L, X, Y, Pos, Size, Missing, Energy, Gathered, [VPx, VPy]]),
    length(L, Count),
    seen_or(Seen, time_left, 0, Left),
    seen_or(Seen, max_energy, Energy, Most),
    maplist(no_attribute, L, LP),
    ( diamonds_at(9) -> Time = [], Header = 13 ; Time = [Left], Header = 14 ),
    append([[Header, X, Y, VPx, VPy, Count, Pos, Size, New], Time, [Missing, Energy, Most, Gathered], L, LP], Stimulus).

%   think.pl takes the stimulus apart as the course's own does.
takes_list :-
    clause_of(_, _, (think(Stimulus, _) :- Body), _), sub_term(Part, Body), nonvar(Part), Part = (Whole = List),
    Whole == Stimulus, nonvar(List), List = [_|_], !.

%   diamonds_at(?Index): where think.pl reads how many diamonds are missing. The course's comment says 10, after the time that is left; the code
%   below that comment, which the environment must have suited, reads 9 and knows no time.
diamonds_at(Index) :-
    clause_of(_, _, (think(_, _) :- Body), Names),
    sub_term(List, Body), nonvar(List), List = [_|_],
    member(Name=Variable, Names),
    downcase_atom(Name, Lower), sub_atom(Lower, _, _, _, diam),
    place(List, 0, Variable, At), At >= 9, !,
    Index = At.

%   place(+List, +From, +Variable, -Index): of a list with or without an end.
place(List, From, Variable, Index) :-
    nonvar(List), List = [First|Rest],
    ( First == Variable -> Index = From ; Next is From + 1, place(Rest, Next, Variable, Index) ).

%   A map is new at the first turn, and when the count of its ticks or its shape begins anew.
new_map(Seen, New) :-
    seen(Seen, tick, Tick), seen(Seen, gathered, Gathered),
    ( retract(seen_map(Before, Had)), Tick >= Before, Gathered >= Had -> New = 0 ; New = 1 ),
    assertz(seen_map(Tick, Gathered)).

/* ---- The hand-out of 2008 ---- */

ask_2008(Entry, Module, Seen, Answer) :-
    crop(Seen, L, Pos, Size, VPx, VPy),
    maplist(seen(Seen), [x, y], [X, Y]),
    exit_open(Seen, Exit),
    (   Entry == move/8
    ->  Goal = move(L, X, Y, Pos, Size, Exit, Dx, Dy)
    ;   Goal = move(L, X, Y, Pos, Size, Exit, Dx, Dy, VPx, VPy, NVPx, NVPy)
    ),
    attempt(Module:Goal, Outcome),
    (   Outcome == yes
    ->  ( new_view(NVPx, NVPy) -> View = new ; View = old ),
        step(Entry, View, Dx, Dy, Answer)
    ;   Answer = Outcome
    ).

%   -1 keeps the view as it is.
new_view(NVPx, NVPy) :-
    integer(NVPx), integer(NVPy), NVPx >= 0, NVPy >= 0,
    retractall(perimeter(_, _)), assertz(perimeter(NVPx, NVPy)).

%   A miner that asks for a new view need not name a step: it stays.
step(_, new, Dx, Dy, act(stay)) :- var(Dx), var(Dy), !.
step(Entry, _, Dx, Dy, Answer) :-
    (   number(Dx), number(Dy), X is integer(Dx), Y is integer(Dy), memberchk((X, Y)-Action, [(0, 0)-stay, (1, 0)-right, (0, -1)-up, (-1, 0)-left, (0, 1)-down])
    ->  Answer = act(Action)
    ;   shown((Dx, Dy), Shown), format(atom(Why), "~w answered the step ~w, which is no action", [Entry, Shown]), Answer = fault(Why)
    ).

%   The miner asks for a view of its own size, which is cut out of what it sees; 0 is all of it.
crop(Seen, L, Pos, Size, VPx, VPy) :-
    maplist(seen(Seen), [cells, pos, size], [Cells, Pos0, Size0]),
    maplist(code_2008, Cells, Codes),
    ( perimeter(VPx, VPy) -> true ; VPx = 0, VPy = 0 ),
    length(Codes, Count), Rows is Count // Size0,
    Column is Pos0 mod Size0, Row is Pos0 // Size0,
    span(Column, VPx, Size0, Left, Right),
    span(Row, VPy, Rows, Top, Bottom),
    findall(Code, ( between(Top, Bottom, Y), between(Left, Right, X), Index is Y * Size0 + X, nth0(Index, Codes, Code) ), L),
    Size is Right - Left + 1,
    Pos is (Row - Top) * Size + Column - Left.

span(_, 0, Side, 0, Last) :- !, Last is Side - 1.
span(At, Half, Side, First, Last) :- First is max(0, At - Half), Last is min(Side - 1, At + Half).

code_2008(22, 10) :- !.
code_2008(21, 17) :- !.
code_2008(25, 11) :- !.
code_2008(24, 12) :- !.
code_2008(Code, Code).

/* ---- Actions ---- */

action(PI, Code, Answer) :-
    (   nonvar(Code), Code = [One] -> true ; One = Code ),
    (   number(One), Number is integer(One), Number =:= One, action(Number, Name)
    ->  Answer = act(Name)
    ;   shown(Code, Shown), format(atom(Why), "~w answered ~w, which is no action", [PI, Shown]), Answer = fault(Why)
    ).

action(0, stay).
action(1, right).
action(2, up).
action(3, left).
action(4, down).
action(5, 'dig-right').
action(6, 'dig-up').
action(7, 'dig-left').
action(8, 'dig-down').
action(100000, look).
