:- initialization(main, main).

%   choose(+Legal, +Obs, -Action): your code goes here. Legal is the list of legal actions, Obs the observation,
%   a list of Key=Value (see `damier schema GAME`).
choose([Action|_], _Obs, Action).

main :- repeat, read(Message), answer(Message), flush_output, memberchk(Message, [quit, end_of_file]), !.

answer(hello(_, _, _, _)) :- !, format("hello(1,'my-agent').~n").
answer(start(_, _, _, _, _)) :- !, format("ready.~n").
answer(turn(N, _Bank, Legal, Obs)) :- !, choose(Legal, Obs, Action), format("~q.~n", [act(N, Action)]).
answer(_).
