/** <module> The door for SIAM players of the course: a predicate of a board and a move plays unchanged.

The board is [Elephants, Rhinoceroses, Mountains, Player]: five animals a side as (Square, Facing), (0,0) for those in hand, squares as
10 * row + column with row 1 in the south; the player is e or r. A move is a triple (From, To, Facing), [From, To, Facing] or
coup(From, To, Facing); 0 is off the board. What the player writes goes to the log. Without a legal answer the door plays the first legal move.
*/
:- initialization(main, main).
:- dynamic protocol/1, setting/2.

main :-
    current_prolog_flag(argv, [File, Predicate, West|_]),
    assertz(setting(Predicate, West)),
    current_output(Protocol),
    assertz(protocol(Protocol)),
    set_output(user_error),
    load_files(user:File, []),
    repeat,
    read(user_input, Message),
    answer(Message),
    flush_output(Protocol),
    memberchk(Message, [quit, end_of_file]), !.

say(Term) :- protocol(Protocol), format(Protocol, "~q.~n", [Term]).

answer(hello(_, _, _, _)) :- !, say(hello(1, 'course player')).
answer(start(_, _, _, _, _)) :- !, say(ready).
answer(turn(N, _, Legal, Seen)) :- !,
    memberchk(position=Position, Seen),
    board(Position, Board),
    setting(Predicate, _),
    (   catch(call(user:Predicate, Board, Triple), Error, (print_message(error, Error), fail)),
        action(Triple, Legal, Chosen)
    ->  Action = Chosen
    ;   format(user_error, "no legal answer: the first legal move is played~n", []), Legal = [Action|_]
    ),
    say(act(N, Action)).
answer(_).

%   board(+Position, -Board): what ...../...../.MMM./...../..... E 0 says.
board(Position, [E, R, M, Player]) :-
    split_string(Position, " ", "", [Rows, Side|_]),
    split_string(Rows, "/", "", Lines),
    findall(Square-Letter, (nth0(Index, Lines, Line), sub_string(Line, Column, 1, _, Letter), Letter \== ".",
                            Square is 10 * (5 - Index) + Column + 1), Pieces),
    findall(Square, member(Square-"M", Pieces), M),
    animals(Pieces, ["N", "E", "S", "W"], E),
    animals(Pieces, ["n", "e", "s", "w"], R),
    (   Side == "E" -> Player = e ; Player = r ).

animals(Pieces, Letters, Animals) :-
    findall((Square, Facing), (member(Square-Letter, Pieces), memberchk(Letter, Letters), string_lower(Letter, Lower), facing(Lower, Facing)), On),
    length(On, Count), InHand is 5 - Count,
    length(Off, InHand), maplist(=((0, 0)), Off),
    append(On, Off, Animals).

facing("w", West) :- !, setting(_, West).
facing(Lower, Facing) :- atom_string(Facing, Lower).

%   action(+Triple, +Legal, -Action): the legal action that the triple means.
action((From, To, Facing), Legal, Action) :- !, spelled(From, To, Facing, Legal, Action).
action([From, To, Facing], Legal, Action) :- !, spelled(From, To, Facing, Legal, Action).
action(coup(From, To, Facing), Legal, Action) :- spelled(From, To, Facing, Legal, Action).

spelled(From, 0, _, Legal, Action) :- !, format(atom(Action), "~w-0", [From]), memberchk(Action, Legal).
spelled(From, To, Facing, Legal, Action) :-
    ( setting(_, Facing) -> Letter = w ; Letter = Facing ),
    format(atom(Action), "~w-~w~w", [From, To, Letter]),
    memberchk(Action, Legal).
