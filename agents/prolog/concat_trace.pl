/** <module> The trace of a call of concat/3: every Call, Exit, Redo and Fail port, with an explanation.

It traces the two clauses of the exercise:

    concat([], L, L).
    concat([X|Rest], Y, [X|G]) :- nonvar(X), concat(Rest, Y, G).

    ?- trace_concat(X, Y, [a, b]).      % type ; for the next answer
    ?- trace_concat_all(X, Y, [a, b]).  % all answers, as if ; were typed after each
*/
:- module(concat_trace, [trace_concat/3, trace_concat_all/3]).

%!  trace_concat(?Prefix, ?Suffix, ?List) is nondet.
%   Calls concat/3 as defined by the two clauses, and prints the trace.
trace_concat(Prefix, Suffix, List) :-
    Goal = concat(Prefix, Suffix, List),
    (   port('Call', Goal, 'is there a clause for it?')
    ;   port('Fail', Goal, 'no clause is left'), fail
    ),
    clause_of(Prefix, Suffix, List, Why),
    (   port('Exit', Goal, Why)
    ;   port('Redo', Goal, 'another answer is wanted: backtrack'), fail
    ).

%!  trace_concat_all(?Prefix, ?Suffix, ?List) is det.
%   Prints the trace of a call that finds all answers.
trace_concat_all(Prefix, Suffix, List) :-
    forall(trace_concat(Prefix, Suffix, List), format("X = ~p, Y = ~p, Z = ~p ;~n", [Prefix, Suffix, List])),
    format("no~n").

clause_of([], List, List, 'by concat([], L, L)').
clause_of([X|Rest], Suffix, [X|List], 'by concat([X|Rest], Y, [X|G])') :-
    traced_nonvar(X),
    trace_concat(Rest, Suffix, List).

traced_nonvar(X) :-
    (   port('Call', nonvar(X), 'is the head known?')
    ;   port('Fail', nonvar(X), 'nothing else to try'), fail
    ),
    nonvar(X),
    port('Exit', nonvar(X), 'it is').

port(Port, Goal, Comment) :-
    format(string(Line), "~w: ~p", [Port, Goal]),
    format("~w~t~48|% ~w~n", [Line, Comment]).
