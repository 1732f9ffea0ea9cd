/** <module> The door for solvers of the course.

Two interfaces:

  - `jeu_1robot`: jeu_1robot/13. Cells are (x, y) from (1, 1) at the bottom left. The answer is the path of the robot, such as 14,10|4,10|4,1,
    in any term: its numbers are taken in pairs. Failure means that the solver found no path. The mission's board is given as case/6, in
    place of the project's own facts.
  - `move`: init/1, and move/2 of the later course with a list of 13 numbers: the upper side of each panel (0 or 1; north-west, north-east,
    south-west, south-east), the number of the target (0 for any robot, then four each of blue, green, yellow and red), and column and row of
    the robots in that order, from 0 at the top left. The answer is a list of a robot (0 to 3) and a direction (1 right, 2 up, 3 left, 4 down)
    for every move; an empty list means that there is no path. These projects contain the walls of the course's panels: they can solve those
    boards, which a level in the JSON format names with `sides` and `number`. They are called on other boards too.

The moves of an answer are played one after the other.
*/
:- module(damier_door, []).
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(course).

:- initialization(door, main).

:- dynamic plan/1, way/1.

door_name('course solver').

provides(case).

choose :-
    (   has(move/2), \+ has(jeu_1robot/13) -> Interface = move ; Interface = jeu_1robot ),
    choose_setting(interface, Interface),
    entry(Entry),
    (   choose_file(Entry)
    ->  setting(file, File), found("~w is called, from ~w", [Entry, File])
    ;   missing_why(Why), found("~w", [Why])
    ),
    ( setting(interface, jeu_1robot), has(case/6) -> found("the facts case/6 of the project give way to the board of each mission", []) ; true ).

entry(Entry) :- ( setting(interface, move) -> Entry = move/2 ; Entry = jeu_1robot/13 ).

missing_why(Why) :- entry(Entry), missing(Entry, [jeu, move, robot, resoud, solve], '', Why).

prepare :- setting(file, _), load_project.

begin(_) :-
    retractall(plan(_)), retractall(way(_)),
    ( setting(interface, move) -> start(init(_)) ; true ).

decide(_, Seen, Answer) :-
    (   plan([Action|Later])
    ->  retractall(plan(_)), assertz(plan(Later)), Answer = act(Action)
    ;   plan([])
    ->  way(Way), shown(Way, Shown), other_walls(Seen, Note),
        format(atom(Why), "its way ~w is played and does not reach the target~w", [Shown, Note]), Answer = fault(Why)
    ;   entry(Entry),
        (   predicate_home(Entry, Module)
        ->  solve(Entry, Module, Seen, Solved), first(Solved, Answer)
        ;   missing_why(Why), Answer = fault(Why)
        )
    ).

%   Other boards have other walls than those in a project with move/2.
other_walls(Seen, Note) :- ( setting(interface, move), \+ memberchk(sides=_, Seen) -> Note = ': this board has other walls than the course\'s panels' ; Note = '' ).

first(plan([Action|Later], Way), act(Action)) :- !, assertz(plan(Later)), assertz(way(Way)).
first(plan([], _), resign(impossible)) :- !.
first(Answer, Answer).

/* ---- jeu_1robot/13 ---- */

solve(jeu_1robot/13, Module, Seen, Solved) :-
    install_board(Seen),
    maplist(seen(Seen), [robots, target_robot, target], [Robots, Robot, Target]),
    height(Seen, Height),
    (   \+ ( member(Colour, [blue, green, red, yellow]), \+ memberchk(Colour=_, Robots) ), robot(Robot, Name)
    ->  maplist(place(Robots, Height), [blue, green, red, yellow], [XB-YB, XV-YV, XR-YR, XJ-YJ]),
        course_cell(Height, Target, XC-YC),
        attempt(Module:jeu_1robot(XB, YB, XV, YV, XR, YR, XJ, YJ, Name, XC, YC, Way, _), Outcome),
        (   Outcome == yes -> place(Robots, Height, Robot, Start), walked(Robot, Start, Way, Solved)
        ;   Outcome = fault('jeu_1robot/13 failed') -> Solved = resign(impossible)
        ;   Solved = Outcome
        )
    ;   Solved = fault('this mission is not one of the course: it is for any robot, or lacks one of the four')
    ).
solve(move/2, Module, Seen, Solved) :-
    (   percept(Seen, Percept)
    ->  attempt(Module:move(Percept, Actions), Outcome),
        ( Outcome == yes -> listed(Actions, Solved) ; Solved = Outcome )
    ;   Solved = fault('move/2 knows only boards of the four panels, with one of their targets: a level in the JSON format names them with `sides` and `number`')
    ).

walked(Robot, Start, Way, Solved) :-
    numbers(Way, Numbers),
    (   ground(Way), pairs(Numbers, Cells), Cells = [_|_]
    ->  ( Cells = [Start|Stops] -> true ; Stops = Cells ),
        (   moves(Robot, Start, Stops, Plan), Plan = [_|_] -> Solved = plan(Plan, Way)
        ;   shown(Way, Shown), format(atom(Why), "jeu_1robot/13 answered ~w, which is not straight", [Shown]), Solved = fault(Why)
        )
    ;   shown(Way, Shown), format(atom(Why), "jeu_1robot/13 answered ~w, which is no way", [Shown]), Solved = fault(Why)
    ).

seen(Seen, Key, Value) :- memberchk(Key=Value, Seen).

height(Seen, Height) :- seen(Seen, size, Size), ( integer(Size) -> Height = Size ; Size = [_, Height] ).
width(Seen, Width) :- seen(Seen, size, Size), ( integer(Size) -> Width = Size ; Size = [Width, _] ).

place(Robots, Height, Robot, Cell) :- memberchk(Robot=At, Robots), course_cell(Height, At, Cell).

course_cell(Height, [X0, Y0], X-Y) :- X is X0 + 1, Y is Height - Y0.

robot(blue, rbtBleu).
robot(green, rbtVert).
robot(red, rbtRouge).
robot(yellow, rbtJaune).

%   numbers(+Term, -Numbers): all numbers in the term, from left to right.
numbers(Term, Numbers) :-
    format(string(Text), "~w", [Term]),
    string_codes(Text, Codes),
    maplist(digit_or_space, Codes, Spaced),
    split_string(Spaced, " ", " ", Words),
    findall(Number, ( member(Word, Words), Word \== "", number_string(Number, Word) ), Numbers).

digit_or_space(Code, Kept) :- ( code_type(Code, digit) -> Kept = Code ; Kept = 0'\s ).

pairs([], []).
pairs([X, Y|Rest], [X-Y|Cells]) :- pairs(Rest, Cells).

moves(_, _, [], []).
moves(Robot, Cell, [Cell|Stops], Moves) :- !, moves(Robot, Cell, Stops, Moves).
moves(Robot, X0-Y0, [X-Y|Stops], [Move|Moves]) :-
    (   X =:= X0 -> ( Y > Y0 -> Way = north ; Way = south )
    ;   Y =:= Y0, ( X > X0 -> Way = east ; Way = west )
    ),
    atomic_list_concat([Robot, Way], ' ', Move),
    moves(Robot, X-Y, Stops, Moves).

%   Installs the mission's walls where the solver expects them: in the module that defines case/6, else in `user`.
install_board(Seen) :-
    findall(Module, has_cells(Module), Modules),
    ( Modules == [] -> replace_cells(user, Seen) ; forall(member(Module, Modules), replace_cells(Module, Seen)) ).

has_cells(Module) :-
    current_module(Module), Module \== system,
    current_predicate(Module:case/6),
    Head = case(_, _, _, _, _, _),
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, imported_from(_)).

replace_cells(Module, Seen) :-
    maplist(seen(Seen), [walls], [Walls]), width(Seen, Width), height(Seen, Height),
    ( predicate_property(Module:case(_, _, _, _, _, _), dynamic) -> retractall(Module:case(_, _, _, _, _, _)) ; abolish(Module:case/6) ),
    dynamic(Module:case/6),
    forall(nth0(Index, Walls, Mask),
           ( X is Index mod Width + 1, Y is Height - Index // Width,
             maplist(wall(Mask), [1, 4, 8, 2], [Above, Below, Left, Right]),
             assertz(Module:case(X, Y, Above, Below, Left, Right)) )).

wall(Mask, Bit, Wall) :- ( Mask /\ Bit =\= 0 -> Wall = 1 ; Wall = 0 ).

/* ---- move/2 ---- */

robots([blue, green, yellow, red]).

percept(Seen, Percept) :-
    seen(Seen, robots, Robots), robots(Order),
    panels(Seen, Panels, Number),
    findall(Coordinate, ( member(Name, Order), memberchk(Name=At, Robots), member(Coordinate, At) ), Coordinates),
    length(Coordinates, 8),
    append([Panels, [Number], Coordinates], Percept).

%   panels(+Seen, -Sides, -Number): the panels and target named by the level, or those of our own board.
panels(Seen, Sides, Number) :- memberchk(sides=Sides, Seen), is_list(Sides), memberchk(number=Number, Seen), integer(Number), !.
panels(Seen, [NorthWest, NorthEast, SouthWest, SouthEast], Number) :-
    seen(Seen, panels, Panels), is_list(Panels), maplist(side, Panels, [NorthWest, NorthEast, SouthEast, SouthWest]),
    seen(Seen, symbol, Symbol), integer(Symbol),
    seen(Seen, target_robot, Robot),
    ( robots(Order), nth0(Colour, Order, Robot) -> Number is 1 + 4 * Colour + Symbol ; Number = 0 ).

side(Panel, Side) :- Side is Panel // 4.

listed(Actions, Solved) :-
    (   ground(Actions), flat(Actions, Numbers), pairs(Numbers, Pairs), maplist(named, Pairs, Plan)
    ->  Solved = plan(Plan, Actions)
    ;   shown(Actions, Shown), format(atom(Why), "move/2 answered ~w, which is no list of robots and directions", [Shown]), Solved = fault(Why)
    ).

flat([], []) :- !.
flat(Number, [Whole]) :- number(Number), !, Whole is integer(Number).
flat(Term, Numbers) :- compound(Term), Term =.. [_|Arguments], maplist(flat, Arguments, Lists), append(Lists, Numbers).

named(Robot-Direction, Move) :-
    robots(Order), nth0(Robot, Order, Name),
    nth1(Direction, [east, north, west, south], Way),
    atomic_list_concat([Name, Way], ' ', Move).
