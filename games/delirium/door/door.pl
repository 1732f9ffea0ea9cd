/** <module> The door for miners of the course: a file with init/1 and move/12 plays Delirium unchanged.

What the miner writes goes to the log. Global variables (nb_setval/2) live as long as the game. A miner that fails or throws stays where it
is, as in the course's environment; the log says so.
*/
:- initialization(main, main).
:- dynamic protocol/1.

main :-
    current_prolog_flag(argv, [File|_]),
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

answer(hello(_, _, _, _)) :- !, say(hello(1, 'course miner')).
answer(start(_, _, _, _, _)) :- !, ignore(attempt(user:init(_))), say(ready).
answer(turn(N, _, Legal, Seen)) :- !,
    findall(Value, (member(Key, [cells, x, y, pos, size, can_goto_exit, energy, gathered_energy, view]), memberchk(Key=Value, Seen)),
            [Codes, X, Y, Pos, Size, Open, Energy, Gathered, [VPx, VPy]]),
    maplist(as_in_the_handout, Codes, L),
    maplist([_, 0]>>true, L, LP),
    (   Open == true -> Exit = 1 ; Exit = 0 ),
    (   attempt(user:move(L, LP, X, Y, Pos, Size, Exit, Energy, Gathered, VPx, VPy, Code)), action(Code, Name), memberchk(Name, Legal)
    ->  Action = Name
    ;   Action = stay
    ),
    say(act(N, Action)).
answer(_).

%   Once; a failure or an exception is told to the log.
attempt(Goal) :-
    (   catch(Goal, Error, (print_message(error, Error), fail))
    ->  true
    ;   Goal = _:Plain, functor(Plain, Name, Arity), format(user_error, "~w/~w gave no answer~n", [Name, Arity]), fail
    ).

%   The hand-out numbers the monsters one lower than the game does.
as_in_the_handout(Code, Told) :- between(24, 29, Code), !, Told is Code - 1.
as_in_the_handout(Code, Code).

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
