:- use_module('../concat').
:- use_module(library(plunit)).

:- begin_tests(concat).

% + + +
test(checks_what_fits) :- concat([a, b], [c], [a, b, c]).
test(checks_empty_lists) :- concat([], [], []).
test(refuses_what_does_not_fit, [fail]) :- concat([a], [b], [b, a]).
test(refuses_a_list_too_long, [fail]) :- concat([a], [b], [a, b, c]).

% + + -
test(joins, [true(L == [a, b, c])]) :- concat([a], [b, c], L).
test(joins_nothing_in_front, [true(L == [c])]) :- concat([], [c], L).
test(joins_into_a_partial_list, [true(T == [b])]) :- concat([a], [b], [_|T]).

% + - +
test(finds_the_suffix, [true(S == [c])]) :- concat([a, b], S, [a, b, c]).
test(finds_the_empty_suffix, [true(S == [])]) :- concat([a], S, [a]).
test(has_no_suffix, [fail]) :- concat([b], _, [a, b]).

% - + +
test(finds_the_prefix, [true(P == [a, b])]) :- concat(P, [c], [a, b, c]).
test(finds_the_empty_prefix, [true(P == [])]) :- concat(P, [a], [a]).
test(has_no_prefix, [fail]) :- concat(_, [a], [a, b]).
test(suffix_longer_than_the_list, [fail]) :- concat(_, [a, b, c], [b, c]).

% - - +
test(finds_every_split, [all(P-S == [[]-[a, b], [a]-[b], [a, b]-[]])]) :- concat(P, S, [a, b]).
test(splits_nothing_once, [all(P-S == [[]-[]])]) :- concat(P, S, []).
test(splits_with_a_partial_prefix, [all(P-S == [[a]-[b], [a, b]-[]])]) :- P = [a|_], concat(P, S, [a, b]).

% The three calls with infinitely many answers give one.
test(only_the_suffix_known, [all(P-L == [[]-[c]])]) :- concat(P, [c], L).
test(only_the_prefix_known, [true(L == [a, b|S])]) :- findall(S0-L0, concat([a, b], S0, L0), [S-L]).
test(nothing_known, [true((P == [], S == L))]) :- findall(P0-S0-L0, concat(P0, S0, L0), [P-S-L]).
test(a_prefix_that_begins, [all(P-L == [[a]-[a, c]])]) :- P = [a|_], concat(P, [c], L).
test(a_list_that_begins, [all(P-L == [[a]-[a, c]])]) :- L = [a|_], concat(P, [c], L).

% Terms that are no lists.
test(a_prefix_that_is_no_list, [error(type_error(list, a))]) :- concat(a, [], _).
test(a_suffix_that_is_no_list, [error(type_error(list, 7))]) :- concat([], 7, _).
test(a_list_that_ends_in_no_list, [error(type_error(list, [a|b]))]) :- concat(_, _, [a|b]).

:- end_tests(concat).
