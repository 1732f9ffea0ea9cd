:- use_module('../concat').
:- use_module('../concat_trace').
:- use_module(library(plunit)).

%   ports(:Goal, -Lines): what a goal prints without its comments, every variable written as `_`.
ports(Goal, Lines) :-
    with_output_to(string(Output), Goal),
    split_string(Output, "\n", "", Parts),
    findall(Line, (member(Part, Parts), Part \== "", plain(Part, Line)), Lines).

plain(Part, Line) :-
    split_string(Part, "%", "", [Uncommented|_]),
    split_string(Uncommented, "", " ", [Trimmed]),
    string_chars(Trimmed, Chars),
    nameless(Chars, Nameless),
    string_chars(Line, Nameless).

nameless([], []).
nameless(['_', Char|Rest], Nameless) :- (char_type(Char, digit(_)) ; Char == 'G'), !, nameless(['_'|Rest], Nameless).
nameless([Char|Rest], [Char|Nameless]) :- nameless(Rest, Nameless).

:- begin_tests(concat_trace).

test(the_trace_of_the_report, [true(Lines == [
    "Call: concat(_,_,[a,b])",
    "Exit: concat([],[a,b],[a,b])",
    "X = [], Y = [a,b], Z = [a,b] ;",
    "Redo: concat([],[a,b],[a,b])",
    "Call: nonvar(a)",
    "Exit: nonvar(a)",
    "Call: concat(_,_,[b])",
    "Exit: concat([],[b],[b])",
    "Exit: concat([a],[b],[a,b])",
    "X = [a], Y = [b], Z = [a,b] ;",
    "Redo: concat([a],[b],[a,b])",
    "Redo: concat([],[b],[b])",
    "Call: nonvar(b)",
    "Exit: nonvar(b)",
    "Call: concat(_,_,[])",
    "Exit: concat([],[],[])",
    "Exit: concat([b],[],[b])",
    "Exit: concat([a,b],[],[a,b])",
    "X = [a,b], Y = [], Z = [a,b] ;",
    "Redo: concat([a,b],[],[a,b])",
    "Redo: concat([b],[],[b])",
    "Redo: concat([],[],[])",
    "Fail: concat(_,_,[])",
    "Fail: nonvar(b)",
    "Fail: concat(_,_,[b])",
    "Fail: nonvar(a)",
    "Fail: concat(_,_,[a,b])",
    "no"])]) :-
    ports(trace_concat_all(_, _, [a, b]), Lines).

test(every_line_of_a_port_has_a_comment) :-
    with_output_to(string(Output), trace_concat_all(_, [c], _)),
    split_string(Output, "\n", "", Lines),
    forall((member(Line, Lines), sub_string(Line, 4, 1, _, ":")), sub_string(Line, _, _, _, " % ")).

test(it_answers_as_concat_does, [true(Traced == Plain)]) :-
    with_output_to(string(_), findall(P-S, trace_concat(P, S, [a, b, c]), Traced)),
    findall(P-S, concat(P, S, [a, b, c]), Plain).

:- end_tests(concat_trace).
