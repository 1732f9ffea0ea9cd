/** <module> The list relation concat/3, in all eight modes.

concat(Prefix, Suffix, List) is true when List is Prefix followed by Suffix. What a call does depends on which
arguments are known (+) and which are not (-):

| Prefix | Suffix | List | the call                                             |
| ------ | ------ | ---- | ---------------------------------------------------- |
|   +    |   +    |  +   | checks, once                                         |
|   +    |   +    |  -   | joins, once                                          |
|   +    |   -    |  +   | finds the suffix, once                               |
|   -    |   +    |  +   | finds the prefix, once                               |
|   -    |   -    |  +   | finds every split, from the empty prefix to the full |
|   -    |   +    |  -   | Prefix = [] and List = Suffix, once                  |
|   +    |   -    |  -   | List is Prefix with the unknown Suffix as its rest, once |
|   -    |   -    |  -   | Prefix = [] and List = Suffix, once                  |

The last three have infinitely many answers. They give only the one with the shortest prefix, as the exercise requires.

Known means a proper list: `[a, b]` is known, even with unbound elements; `[a|_]` is not. Anything that is neither
a list nor a partial list is a type error.
*/
:- module(concat, [concat/3]).

concat(Prefix, Suffix, List) :-
    argument(Prefix, P),
    argument(Suffix, S),
    argument(List, L),
    concat(P, S, L, Prefix, Suffix, List).

%   concat(+PrefixKnown, +SuffixKnown, +ListKnown, ?Prefix, ?Suffix, ?List): one clause per mode.

concat(known, known, _, Prefix, Suffix, List) :- !,
    join(Prefix, Suffix, Joined),
    List = Joined.
concat(known, unknown, known, Prefix, Suffix, List) :- !,
    once(join(Prefix, Suffix, List)).
concat(unknown, known, known, Prefix, Suffix, List) :- !,
    % The length of the prefix is known, so there is at most one.
    length(List, Whole),
    length(Suffix, Back),
    Front is Whole - Back,
    Front >= 0,
    length(Prefix, Front),
    join(Prefix, Suffix, List).
concat(unknown, unknown, known, Prefix, Suffix, List) :- !,
    split(List, Prefix, Suffix).
concat(_, _, unknown, Prefix, Suffix, List) :-
    once(join(Prefix, Suffix, List)).

join([], Suffix, Suffix).
join([Element|Prefix], Suffix, [Element|List]) :-
    join(Prefix, Suffix, List).

%   split(+List, ?Prefix, ?Suffix): every split on backtracking; the last one leaves no choice point.
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

%   partial(@Term): a partial list: a variable, or elements followed by one.
partial(Term) :-
    var(Term), !.
partial([_|Rest]) :-
    partial(Rest).
