:- initialization(main, main).

%   Your idea goes here: Legal are the actions, Seen is what you see, a list of Key=Value (`damier schema GAME`).
choose([Action|_], _Seen, Action).

main :- repeat, read(Message), answer(Message), flush_output, memberchk(Message, [quit, end_of_file]), !.

answer(hello(_, _, _, _)) :- !, format("hello(1,'my-agent').~n").
answer(start(_, _, _, _, _)) :- !, format("ready.~n").
answer(turn(N, _Bank, Legal, Seen)) :- !, choose(Legal, Seen, Action), format("~q.~n", [act(N, Action)]).
answer(_).
