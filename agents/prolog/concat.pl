/** <module> The list relation concat/3, in all eight ways of calling it.

concat(Prefix, Suffix, List) is true when List is Prefix followed by Suffix. What a call does depends on which
arguments are known (+) and which are not (-):

| Prefix | Suffix | List | the call                                             |
| ------ | ------ | ---- | ---------------------------------------------------- |
|   +    |   +    |  +   | checks, once                                         |
|   +    |   +    |  -   | joins, once                                          |
|   +    |   -    |  +   | finds the suffix, once                               |
|   -    |   +    |  +   | finds the prefix, once                               |
|   -    |   -    |  +   | finds every split, from the empty prefix to the full |
|   +    |   -    |  -   | instantiation error: there are infinitely many lists |
|   -    |   +    |  -   | instantiation error                                  |
|   -    |   -    |  -   | instantiation error                                  |

Known means a proper list: `[a, b]` is known, also with unbound elements; `[a|_]` is not. Anything that is neither
a list nor the beginning of one is a type error.
*/
:- module(concat, [concat/3]).

concat(Prefix, Suffix, List) :-
    argument(Prefix, P),
    argument(Suffix, S),
    argument(List, L),
    concat(P, S, L, Prefix, Suffix, List).

%   concat(+PrefixKnown, +SuffixKnown, +ListKnown, ?Prefix, ?Suffix, ?List): one clause a way of calling.

concat(known, known, _, Prefix, Suffix, List) :- !,
    join(Prefix, Suffix, Joined),
    List = Joined.
concat(known, unknown, known, Prefix, Suffix, List) :- !,
    once(join(Prefix, Suffix, List)).
concat(unknown, known, known, Prefix, Suffix, List) :- !,
    % The prefix is what remains in front: its length is known, so there is at most one.
    length(List, Whole),
    length(Suffix, Back),
    Front is Whole - Back,
    Front >= 0,
    length(Prefix, Front),
    join(Prefix, Suffix, List).
concat(unknown, unknown, known, Prefix, Suffix, List) :- !,
    split(List, Prefix, Suffix).
concat(_, _, unknown, _, _, _) :-
    throw(error(instantiation_error, context(concat/3, _))).

join([], Suffix, Suffix).
join([Element|Prefix], Suffix, [Element|List]) :-
    join(Prefix, Suffix, List).

%   split(+List, ?Prefix, ?Suffix): on backtracking, every split; deterministic on the last one.
split([], Prefix, Suffix) :- !,
    Prefix = [],
    Suffix = [].
split(List, [], List).
split([Element|List], [Element|Prefix], Suffix) :-
    split(List, Prefix, Suffix).

argument(Argument, known) :-
    is_list(Argument), !.
argument(Argument, unknown) :-
    partial(Argument), !.
argument(Argument, _) :-
    throw(error(type_error(list, Argument), context(concat/3, _))).

%   partial(@Term): a variable, or elements that end in one.
partial(Term) :-
    var(Term), !.
partial([_|Rest]) :-
    partial(Rest).
