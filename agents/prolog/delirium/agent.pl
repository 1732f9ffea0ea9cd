/** <module> Delirium in Prolog: breadth-first search for the nearest diamond, or for the exit once it is open, avoiding danger. */

:- initialization(main, main).

main :- repeat, read(Message), answer(Message), flush_output, memberchk(Message, [quit, end_of_file]), !.

answer(hello(_, _, _, _)) :- !, format("hello(1,'prolog-delirium').~n").
answer(start(_, _, _, _, _)) :- !, format("ready.~n").
answer(turn(N, _Bank, Legal, Seen)) :- !, choose(Legal, Seen, Action, Why), format("~q.~n~q.~n", [info(Why), act(N, Action)]).
answer(_).

%   choose(+Legal, +Seen, -Action, -Why)
choose(Legal, Seen, Action, Why) :-
    memberchk(cells=List, Seen), memberchk(pos=Position, Seen), memberchk(size=Width, Seen),
    memberchk(can_goto_exit=Open, Seen),
    Cells =.. [cells|List],
    Map = map(Cells, Width, Open),
    (   search(Map, Position, First), memberchk(First, Legal)
    ->  Action = First, Why = 'on the way'
    ;   flee(Map, Position, Legal, Action)
    ->  Why = 'nothing within reach'
    ;   Legal = [Action|_], Why = 'no way out'
    ).

%   search(+Map, +Start, -First): the first action of a shortest path to a goal.
search(Map, Start, First) :-
    findall(There-Action, next(Map, Start, Action, There), Firsts),
    empty_assoc(None),
    put_assoc(Start, None, true, Known),
    walk(Map, Firsts, [], Known, First).

%   The queue is two lists: cells are taken from the front and added to the back.
walk(Map, [Cell-First|_], _, _, First) :- goal(Map, Cell), !.
walk(Map, [Cell-First|Front], Back, Known, Found) :- !,
    findall(There-First, (next(Map, Cell, _, There), \+ get_assoc(There, Known, _)), New0),
    sort(New0, New),
    foldl([There-_, Old, Put]>>put_assoc(There, Old, true, Put), New, Known, More),
    append(New, Back, Later),
    walk(Map, Front, Later, More, Found).
walk(Map, [], Back, Known, Found) :- Back = [_|_], reverse(Back, Front), walk(Map, Front, [], Known, Found).

goal(map(Cells, Width, Open), Cell) :-
    code(map(Cells, Width, Open), Cell, Code),
    (   Open == true -> Code =:= 21 ; Code =:= 2 ).

%   flee(+Map, +Position, +Legal, -Action): any safe step, or staying where it is safe.
flee(Map, Position, Legal, stay) :- memberchk(stay, Legal), \+ dangerous(Map, Position), !.
flee(Map, Position, Legal, Action) :- next(Map, Position, Action, _), memberchk(Action, Legal), !.

step(right, _, 1).
step(left, _, -1).
step(down, Width, Width).
step(up, Width, Up) :- Up is -Width.

next(Map, Cell, Action, There) :-
    Map = map(_, Width, Open),
    step(Action, Width, Step),
    There is Cell + Step,
    code(Map, There, Code),
    ( memberchk(Code, [0, 1, 2]) ; Code =:= 21, Open == true ),
    \+ dangerous(Map, There).

code(map(Cells, _, _), Cell, Code) :- Index is Cell + 1, arg(Index, Cells, Code).

%   dangerous(+Map, +Cell): within two steps of a monster, or two cells below a stone over an empty cell.
dangerous(Map, Cell) :- near(Map, Cell, Neighbour), ( monster(Map, Neighbour) ; near(Map, Neighbour, Next), monster(Map, Next) ), !.
dangerous(Map, Cell) :-
    Map = map(_, Width, _),
    Above is Cell - Width, code(Map, Above, 0),
    Higher is Above - Width, code(Map, Higher, Stone), memberchk(Stone, [2, 3]).

near(Map, Cell, There) :- Map = map(_, Width, _), step(_, Width, Step), There is Cell + Step, code(Map, There, Code), \+ memberchk(Code, [3, 4, 5, 6]).

monster(Map, Cell) :- code(Map, Cell, Code), between(24, 29, Code).
