/** <module> Built-in predicates of GNU Prolog that SWI-Prolog lacks, for courses that used it.

Module `user` imports this module last, so a program's own definitions take precedence.
*/
:- module(damier_gnu,
          [ nth/3, for/3, sublist/2, g_assign/2, g_assignb/2, g_read/2, g_inc/1, g_inc/2, g_dec/1, g_dec/2, lower_upper/2, number_atom/2,
            randomize/0, set_seed/1, get_seed/1, cpu_time/1, user_time/1, system_time/1, real_time/1, read_number/1, read_integer/1,
            read_atom/1, read_token/1, get_key/1, sort0/2, cls/0
          ]).
:- set_module(base(system)).
:- use_module(library(lists)).

:- add_import_module(user, damier_gnu, end).

%   nth(?N, ?List, ?Element): counts from 1.
nth(N, List, Element) :- nth1(N, List, Element).

%   for(?Counter, +Low, +High): enumerates the integers from Low to High.
for(Counter, Low, High) :- L is Low, H is High, between(L, H, Counter).

%   sublist(?Part, ?List): Part is List without some of its elements.
sublist([], []).
sublist(Part, [_|Rest]) :- sublist(Part, Rest).
sublist([First|Part], [First|Rest]) :- sublist(Part, Rest).

%   Global variables. An unassigned one is 0.
g_assign(Name, Value) :- key(Name, Key), nb_setval(Key, Value).
g_assignb(Name, Value) :- key(Name, Key), b_setval(Key, Value).
g_read(Name, Value) :- key(Name, Key), ( nb_current(Key, Known) -> Value = Known ; Value = 0 ).
g_inc(Name) :- g_inc(Name, _).
g_inc(Name, Value) :- g_read(Name, Old), Value is Old + 1, g_assign(Name, Value).
g_dec(Name) :- g_dec(Name, _).
g_dec(Name, Value) :- g_read(Name, Old), Value is Old - 1, g_assign(Name, Value).

key(Name, Key) :- format(atom(Key), "gnu ~w", [Name]).

lower_upper(Lower, Upper) :- ( nonvar(Lower) -> upcase_atom(Lower, Upper) ; downcase_atom(Upper, Lower) ).
number_atom(Number, Atom) :- atom_number(Atom, Number).

randomize :- set_random(seed(random)).
set_seed(Seed) :- set_random(seed(Seed)).
get_seed(0).

cpu_time(Milliseconds) :- statistics(runtime, [Milliseconds|_]).
user_time(Milliseconds) :- statistics(runtime, [Milliseconds|_]).
system_time(Milliseconds) :- statistics(system_time, [Milliseconds|_]).
real_time(Milliseconds) :- statistics(real_time, [Seconds|_]), Milliseconds is Seconds * 1000.

%   The standard input of a student's program is empty.
read_number(Number) :- read(Number).
read_integer(Number) :- read(Number).
read_atom(Atom) :- read(Atom).
read_token(Token) :- read(Token).
get_key(Code) :- get_code(Code).

sort0(List, Sorted) :- msort(List, Sorted).
cls.
