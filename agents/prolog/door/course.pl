/** <module> The code that all Prolog doors share: it finds a student's code, loads it safely, calls it, and talks to the referee.

A door is a module `damier_door` with these predicates:

  - door_name(-Name): the agent's name.
  - choose: decides, without running the sources, what to load and call. It reports with found/2 and stores decisions with choose_setting/2.
  - prepare: loads the code.
  - begin(+Limits): called when a game begins.
  - decide(+Legal, +Seen, -Answer): the Answer is act(Action), fault(Why) or resign(Reason).
  - provides(+File): the door replaces this file of the course if a project lacks it.

The student's code is loaded into module `user`, which contains nothing of the door. Its standard input is empty, its output goes to the log, and
its files go to the scratch folder. A door never answers for the student: code that fails, throws or returns an invalid answer is a fault.
*/
:- module(damier_course,
          [ door/0, setting/2, choose_setting/2, found/2, log_line/2,
            has/1, defined_in/2, clause_of/4, calls/5, short_name/2, choose_file/1,
            load_project/0, predicate_home/2, attempt/2, attempt/3, start/1, missing/4, shown/2
          ]).
% The student's definitions in `user` are not visible here.
:- set_module(base(system)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(occurs)).
:- use_module(library(pairs)).
:- use_module(library(readutil)).
:- use_module(gnu).

:- dynamic setting_/2, found_/1, folder/1, stream/2.
:- dynamic source/2, clause_of/4, loads/2, defines/3, calls/5.
:- dynamic loading/0, unread_in/1, load_error/1, load_note/1.

/* ---- Settings ---- */

%   Plays a game, or with the argument `describe` only reports what it finds in the sources.
door :-
    current_prolog_flag(argv, Words),
    forall(member(Word, Words), read_setting(Word)),
    working_directory(Folder, Folder),
    assertz(folder(Folder)),
    (   memberchk(describe, Words) -> describe ; serve ).

read_setting(Word) :-
    (   sub_atom(Word, Before, 1, After, '=')
    ->  sub_atom(Word, 0, Before, _, Key), sub_atom(Word, _, After, 0, Value),
        assertz(setting_(Key, Value))
    ;   true
    ).

%   setting(+Key, -Value): a setting from the table [door] of agent.toml, or chosen by the door.
setting(Key, Value) :- setting_(Key, Value), !.

%   choose_setting(+Key, +Value): stores a decision of the door, unless agent.toml has the setting.
choose_setting(Key, Value) :- ( setting(Key, _) -> true ; assertz(setting_(Key, Value)) ).

%   found(+Format, +Arguments): reports what the door found.
found(Format, Arguments) :- format(atom(Text), Format, Arguments), assertz(found_(Text)).

describe :-
    scan,
    ignore(damier_door:choose),
    forall(found_(Text), format("~w~n", [Text])),
    forall(load_error(Error), format("~w~n", [Error])),
    forall(source(File, iso_latin_1), ( short_name(File, Name), format("~w is not UTF-8: it is read as Latin-1~n", [Name]) )),
    forall(( startup(File, Line, Goal), reads_keyboard(Goal) ),
           ( short_name(File, Name), shown(Goal, Shown),
             format("~w:~w starts ~w, which reads from the keyboard: it is not run~n", [Name, Line, Shown]) )),
    forall(setting_(Key, Value), format("[door] ~w=~w~n", [Key, Value])).

/* ---- The protocol ---- */

serve :-
    detach,
    scan,
    attempt(damier_door:choose, _),
    forall(found_(Text), log_line("~w", [Text])),
    retractall(found_(_)),
    attempt(damier_door:prepare, Prepared),
    ( Prepared = fault(Why) -> log_line("~w", [Why]) ; true ),
    stream(in, In),
    repeat,
    read_term(In, Message, []),
    answer(Message),
    flush_output(user_error),
    memberchk(Message, [quit, end_of_file]), !.

answer(hello(_, _, _, _)) :- !, damier_door:door_name(Name), send(hello(1, Name)).
answer(start(_, _, _, Limits, _)) :- !, limit_stack(Limits), damier_door:begin(Limits), reset_streams, send(ready).
answer(turn(N, _, Legal, Seen)) :- !,
    attempt(damier_door:decide(Legal, Seen, Answer), Outcome),
    reset_streams,
    ( Outcome == yes -> reply(Answer, N) ; reply(Outcome, N) ).
answer(_).

reply(act(Action), N) :- send(act(N, Action)).
reply(resign(Reason), N) :- send(resign(N, Reason)).
reply(fault(Why), N) :- one_line(Why, Line), log_line("no answer: ~w", [Line]), send(fault(N, Line)).

%   Ignores the operators that the student declares.
send(Term) :-
    stream(out, Out),
    write_term(Out, Term, [quoted(true), ignore_ops(true)]),
    write(Out, '.\n'),
    flush_output(Out).

log_line(Format, Arguments) :- format(user_error, Format, Arguments), nl(user_error).

%   Reserves the protocol's streams for the door and gives the student's code others. A second read at the end of the empty input is an error, so
%   that a menu does not loop for ever.
detach :-
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    set_stream(In, encoding(utf8)),
    set_stream(Out, encoding(utf8)),
    open_string("", Empty),
    set_stream(Empty, eof_action(error)),
    set_stream(Empty, alias(user_input)),
    set_stream(user_error, alias(user_output)),
    set_stream(user_error, buffer(line)),
    maplist(assertz, [stream(in, In), stream(out, Out), stream(empty, Empty)]),
    reset_streams,
    (   getenv('TMPDIR', Scratch), exists_directory(Scratch) -> working_directory(_, Scratch) ; true ).

%   Resets the current streams after see/1 and tell/1.
reset_streams :- stream(empty, Empty), set_input(Empty), set_output(user_error).

%   Keeps the stack below the memory limit: Prolog reports a stack overflow as an error, but the referee would kill the process.
limit_stack(Limits) :-
    (   memberchk(mem_mb=Megabytes, Limits), integer(Megabytes), Megabytes > 0
    ->  Bytes is Megabytes * 1048576 * 3 // 5, set_prolog_flag(stack_limit, Bytes)
    ;   true
    ).

/* ---- Calling the student's code ---- */

%   attempt(:Goal, -Outcome): calls a goal once. Outcome is yes, or fault(Why) if it fails or throws.
:- meta_predicate attempt(0, -).
attempt(Goal, Outcome) :-
    catch(( call(Goal) -> Result = yes ; Result = failed ), Error, Result = thrown(Error)),
    outcome(Result, Goal, Outcome).

%   attempt(:Goal, +Inferences, -Outcome): the same, but Outcome is `exceeded` if it takes more inferences.
:- meta_predicate attempt(0, +, -).
attempt(Goal, Inferences, Outcome) :-
    catch(( call_with_inference_limit(Goal, Inferences, Limit) -> Result = Limit ; Result = failed ), Error, Result = thrown(Error)),
    (   Result == inference_limit_exceeded -> Outcome = exceeded
    ;   Result == failed -> outcome(failed, Goal, Outcome)
    ;   Result = thrown(_) -> outcome(Result, Goal, Outcome)
    ;   Outcome = yes
    ).

%   start(+Goal): calls an optional goal at the start of a game. If it fails, throws or does not end, that is logged only.
start(Goal) :-
    functor(Goal, Name, Arity),
    (   predicate_home(Name/Arity, Module)
    ->  attempt(Module:Goal, 30000000, Outcome),
        (   Outcome == exceeded -> log_line("~w/~w did not end and was stopped", [Name, Arity])
        ;   Outcome = fault(Why) -> log_line("~w", [Why])
        ;   true
        )
    ;   log_line("there is no ~w/~w", [Name, Arity])
    ).

outcome(yes, _, yes).
outcome(failed, Goal, fault(Why)) :-
    strip_module(Goal, _, Plain),
    ( Plain = (_, Last) -> functor(Last, Name, Arity) ; functor(Plain, Name, Arity) ),
    format(atom(Why), "~w/~w failed", [Name, Arity]).
outcome(thrown(Error), _, fault(Line)) :- error_line(Error, Line).

%   error_line(+Error, -Line): a Prolog error in one line.
error_line(damier_halt(Name/Arity), Line) :- !, format(atom(Line), "it called ~w/~w", [Name, Arity]).
error_line(error(permission_error(input, past_end_of_stream, _), _), 'it reads from the keyboard, but there is no input') :- !.
error_line(error(existence_error(procedure, Missing), _), Line) :- !,
    strip_module(Missing, _, Name/Arity),
    (   clause_of(File, At, (_ :- Body), _), sub_term(Goal, Body), nonvar(Goal), functor(Goal, Name, Arity)
    ->  short_name(File, Short), format(atom(Line), "Unknown procedure ~w/~w, called in ~w:~w", [Name, Arity, Short, At])
    ;   format(atom(Line), "Unknown procedure ~w/~w", [Name, Arity])
    ).
error_line(Error, Line) :-
    message_text(Error, Text),
    one_line(Text, Line).

message_text(Message, Text) :-
    (   catch(phrase('$messages':translate_message(Message), Lines), _, fail)
    ->  with_output_to(string(Text), print_message_lines(current_output, '', Lines))
    ;   format(string(Text), "~p", [Message])
    ).

one_line(Text, Line) :-
    split_string(Text, "\n\t\r ", "\n\t\r ", Words),
    exclude(==(""), Words, Some),
    atomic_list_concat(Some, ' ', Whole),
    (   sub_atom(Whole, 0, 297, After, Head), After > 3 -> atom_concat(Head, '...', Line) ; Line = Whole ).

%   shown(+Term, -Text): a term as readable text, shortened.
shown(Term, Text) :-
    copy_term(Term, Copy, _),
    numbervars(Copy, 0, _),
    format(atom(Whole), "~W", [Copy, [quoted(true), numbervars(true), max_depth(12), portray(false)]]),
    (   sub_atom(Whole, 0, 77, After, Head), After > 3 -> atom_concat(Head, '...', Text) ; Text = Whole ).

%   missing(+Wanted, +Words, +Advice, -Why): the fault for a missing predicate. It names predicates of the project whose names contain one of these
%   words, followed by the advice.
missing(Wanted, Words, Advice, Why) :-
    findall(Text,
            ( defines(Name, Arity, _), Arity >= 2, member(Word, Words), sub_atom(Name, _, _, _, Word), format(atom(Text), "~w/~w", [Name, Arity]) ),
            All),
    sort(All, Similar),
    (   load_error(Error) -> format(atom(Cause), " (~w)", [Error]) ; Cause = '' ),
    (   \+ source(_, _)
    ->  Why = 'there is no Prolog file in the folder of the door'
    ;   Similar == []
    ->  format(atom(Why), "Unknown procedure ~w~w", [Wanted, Cause])
    ;   length(Similar, Count), Most is min(Count, 4), length(Few, Most), append(Few, _, Similar),
        atomic_list_concat(Few, ', ', Names),
        format(atom(Why), "Unknown procedure ~w; there is ~w~w~w", [Wanted, Names, Advice, Cause])
    ).

/* ---- Reading the sources, without running them ---- */

%   Scans all Prolog files of the project. The example of a new door counts only if it is the only file.
scan :-
    folder(Folder),
    findall(File, prolog_file(Folder, 0, File), All),
    exclude(is_example, All, Own),
    ( Own == [] -> Files = All ; Files = Own ),
    ( member(File, Files), mentions_constraints(File) -> declare_constraints ; true ),
    forall(member(Each, Files), scan_file(Each)),
    findall(calls(Name, Arity, Called, Count, File), call_of(Name/Arity, Called/Count, File), Calls),
    sort(Calls, Different),
    maplist(assertz, Different).

%   Programs that use library(clpfd) cannot be read without its operators.
mentions_constraints(File) :- read_file_to_string(File, Text, [encoding(octet)]), sub_string(Text, _, _, _, "library(clpfd)").

declare_constraints :-
    forall(member(op(Priority, Type, Names),
                  [ op(760, yfx, [#<==>]), op(750, xfy, [#==>]), op(750, yfx, [#<==]), op(740, yfx, [#\/]), op(730, yfx, [#\]), op(720, yfx, [#/\]),
                    op(710, fy, [#\]), op(700, xfx, [#>, #<, #>=, #=<, #=, #\=, in, ins]), op(450, xfx, [..]) ]),
           op(Priority, Type, damier_scan:Names)).

%   call_of(-Caller, -Called, -File): a possible call of a predicate of the project, or of one that reads from the keyboard.
call_of(Name/Arity, Called/Count, File) :-
    clause_of(File, _, (Head :- Body), _),
    strip_module(Head, _, Plain), functor(Plain, Name, Arity),
    mentions(Body, Called/Count).

mentions(Term, Name/Arity) :-
    sub_term(Sub, Term), callable(Sub), functor(Sub, Name, Arity),
    ( reader(Name/Arity) -> true ; has(Name/Arity) ).

prolog_file(Folder, Depth, File) :-
    catch(directory_files(Folder, Unsorted), _, fail),
    msort(Unsorted, Names),
    member(Name, Names),
    \+ sub_atom(Name, 0, _, _, '.'),
    \+ ( Depth =:= 0, Name == door ),
    directory_file_path(Folder, Name, Path),
    (   exists_directory(Path)
    ->  Depth < 4, Deeper is Depth + 1, prolog_file(Path, Deeper, File)
    ;   file_name_extension(_, Extension, Name), memberchk(Extension, [pl, pro, prolog]),
        size_file(Path, Size), Size < 4000000,
        File = Path
    ).

directory_file_path(Folder, Name, Path) :-
    ( sub_atom(Folder, _, 1, 0, '/') -> atom_concat(Folder, Name, Path) ; atomic_list_concat([Folder, Name], '/', Path) ).

is_example(File) :-
    setup_call_cleanup(open(File, read, Stream, [encoding(octet)]), read_line_to_string(Stream, Line), close(Stream)),
    string(Line), sub_string(Line, _, _, _, "put your own in its place").

short_name(File, Name) :- folder(Folder), ( atom_concat(Folder, Name, File) -> true ; Name = File ).

scan_file(File) :-
    read_file_to_codes(File, Codes, [encoding(octet)]),
    ( utf8(Codes) -> Encoding = utf8 ; Encoding = iso_latin_1 ),
    assertz(source(File, Encoding)),
    setup_call_cleanup(open(File, read, Stream, [encoding(Encoding)]), scan_stream(Stream, File), close(Stream)).

utf8([]).
utf8([Byte|Rest]) :- Byte < 0x80, !, utf8(Rest).
utf8([Byte|Rest]) :- Byte >= 0xC2, Byte < 0xE0, !, continued(1, Rest, After), utf8(After).
utf8([Byte|Rest]) :- Byte >= 0xE0, Byte < 0xF0, !, continued(2, Rest, After), utf8(After).
utf8([Byte|Rest]) :- Byte >= 0xF0, Byte < 0xF5, continued(3, Rest, After), utf8(After).

continued(0, Rest, Rest) :- !.
continued(N, [Byte|Rest], After) :- Byte >= 0x80, Byte < 0xC0, N1 is N - 1, continued(N1, Rest, After).

scan_stream(Stream, File) :-
    repeat,
    catch(read_term(Stream, Term, [variable_names(Names), term_position(Position), module(damier_scan)]), error(What, Where),
          ( Term = damier_unread, unread(File, What, Where) )),
    (   Term == end_of_file
    ->  !
    ;   Term \== damier_unread,
        stream_position_data(line_count, Position, Line),
        ignore(scan_term(Term, Names, File, Line)),
        fail
    ).

%   Stores a syntax error, as it may be why a predicate is missing. One per file is enough.
unread(File, What, Where) :-
    (   nonvar(Where), Where =.. [_, _, Line, _, _], \+ unread_in(File)
    ->  short_name(File, Name), message_text(error(What, _), Text), one_line(Text, Message),
        format(atom(Error), "~w:~w: ~w", [Name, Line, Message]),
        assertz(unread_in(File)), assertz(load_error(Error))
    ;   true
    ).

scan_term((:- Directive), Names, File, Line) :- !,
    ( Directive = op(Priority, Type, Operators) -> catch(op(Priority, Type, damier_scan:Operators), _, true) ; true ),
    forall(loaded_by(Directive, Spec), assertz(loads(File, Spec))),
    assertz(clause_of(File, Line, (:- Directive), Names)).
scan_term((?- Directive), Names, File, Line) :- !, scan_term((:- Directive), Names, File, Line).
scan_term(Clause, Names, File, Line) :-
    ( Clause = (Head :- _) -> true ; Clause = (Head --> _) -> true ; Head = Clause ),
    strip_module(Head, _, Plain),
    callable(Plain),
    functor(Plain, Name, Arity0),
    ( Clause = (_ --> _) -> Arity is Arity0 + 2 ; Arity = Arity0 ),
    ( defines(Name, Arity, File) -> true ; assertz(defines(Name, Arity, File)) ),
    assertz(clause_of(File, Line, Clause, Names)).

%   loaded_by(+Directive, -Spec): a file of the project that the directive loads.
loaded_by((A, B), Spec) :- !, ( loaded_by(A, Spec) ; loaded_by(B, Spec) ).
loaded_by(Directive, Spec) :-
    (   is_list(Directive)
    ->  Specs = Directive
    ;   Directive =.. [Loader, Specs|_],
        memberchk(Loader, [consult, ensure_loaded, use_module, reexport, include, load_files, compile, (initialization)])
    ),
    ( Loader == (initialization) -> loaded_by(Specs, Spec) ; is_list(Specs) -> member(Spec, Specs) ; Spec = Specs ),
    atomic(Spec).

%   has(?Name/Arity): a file of the project defines this predicate.
has(Name/Arity) :- defines(Name, Arity, _), !.

%   defined_in(?Name/Arity, -File).
defined_in(Name/Arity, File) :- defines(Name, Arity, File).

%   project_file(+Spec, +Folder, -File): the file of the project that a program in this folder refers to, even by a path on its author's machine.
project_file(Spec, Folder, File) :-
    atomic(Spec),
    atomic_list_concat(Parts, '\\', Spec), atomic_list_concat(Parts, '/', Slashed),
    file_base_name(Slashed, Base), downcase_atom(Base, Wanted),
    findall(Path, ( source(Path, _), file_base_name(Path, Name), downcase_atom(Name, Lower),
                    ( Lower == Wanted -> true ; file_name_extension(Wanted, _, Lower) ) ),
            Paths),
    (   member(File, Paths), file_directory_name(File, Folder)
    ->  true
    ;   member(File, Paths), file_name_extension(Stem, _, File),
        ( sub_atom(File, _, _, 0, Slashed) -> true ; sub_atom(Stem, _, _, 0, Slashed) )
    ->  true
    ;   Paths = [File|_]
    ).

%   reached(+File, -Files): the file and all files that it loads, directly or indirectly.
reached(File, Files) :- reached([File], [], Files).

reached([], Files, Files).
reached([File|Rest], Seen, Files) :-
    (   memberchk(File, Seen) -> reached(Rest, Seen, Files)
    ;   file_directory_name(File, Folder),
        findall(Next, ( loads(File, Spec), project_file(Spec, Folder, Next) ), More),
        append(More, Rest, All),
        reached(All, [File|Seen], Files)
    ).

%   choose_file(+Name/Arity): sets `file` to the file that loads this predicate and the most files of the project.
choose_file(PI) :-
    (   setting(file, _)
    ->  true
    ;   findall(Count-File,
                ( source(File, _), \+ is_test(File), reached(File, Files),
                  once(( member(Home, Files), defined_in(PI, Home) )), length(Files, Count) ),
                Counted),
        Counted = [_|_],
        keysort(Counted, Ascending),
        last(Ascending, Most-_),
        findall(Rank-File, ( member(Most-File, Counted), rank(File, Rank) ), Unsorted),
        keysort(Unsorted, Ranked), pairs_values(Ranked, [Best|Others]),
        short_name(Best, Name),
        (   Others == [] -> true
        ;   maplist(short_name, Others, Names), atomic_list_concat(Names, ', ', Text),
            found("~w is loaded; it could also be ~w: choose with [door] file = \"...\"", [Name, Text])
        ),
        choose_setting(file, Name)
    ).

is_test(File) :- file_base_name(File, Base), downcase_atom(Base, Name), sub_atom(Name, 0, _, _, test).

%   rank(+File, -Rank): copies and old versions rank last, then files in deeper folders.
rank(File, Old-Depth) :-
    file_base_name(File, Base), downcase_atom(Base, Name),
    ( member(Word, [copie, copy, old, ori, sav, bak, backup, exemple, example]), sub_atom(Name, _, _, _, Word) -> Old = 1 ; Old = 0 ),
    atomic_list_concat(Parts, '/', File), length(Parts, Depth).

/* ---- Directives ---- */

startup(File, Line, Goal) :-
    clause_of(File, Line, (:- Directive), _),
    ( Directive = initialization(Goal) -> true ; Directive = initialization(Goal, _) -> true ; Goal = Directive ).

%   reads_keyboard(+Goal): whether the goal may read from standard input, by the project's clauses.
reads_keyboard(Goal) :- findall(PI, runs(Goal, PI), PIs), reads_keyboard(PIs, []).

%   runs(+Goal, -PI): a directive mentions the predicate, other than as a file name or in a declaration.
runs(Goal, PI) :- nonvar(Goal), Goal =.. [Control, A, B], memberchk(Control, [',', ';', '->']), !, ( runs(A, PI) ; runs(B, PI) ).
runs(Goal, _) :- ( is_list(Goal) ; functor(Goal, Name, _), declares(Name) ), !, fail.
runs(Goal, PI) :- mentions(Goal, PI).

declares(Name) :-
    memberchk(Name, [module, use_module, ensure_loaded, consult, include, load_files, reexport, compile, (dynamic), (discontiguous), (multifile),
                     op, set_prolog_flag, style_check, encoding, (table)]).

reads_keyboard([PI|Rest], Seen) :-
    (   reader(PI) -> true
    ;   memberchk(PI, Seen) -> reads_keyboard(Rest, Seen)
    ;   PI = Name/Arity,
        findall(Called/Count, calls(Name, Arity, Called, Count, _), Next),
        append(Next, Rest, All),
        reads_keyboard(All, [PI|Seen])
    ).

reader(read/1).
reader(read/2).
reader(read_term/2).
reader(get_char/1).
reader(get_char/2).
reader(get_code/1).
reader(get_byte/1).
reader(get/1).
reader(get0/1).
reader(get_single_char/1).
reader(get_key/1).
reader(read_integer/1).
reader(read_number/1).
reader(read_atom/1).
reader(read_line_to_string/2).
reader(read_line_to_codes/2).

/* ---- Loading the sources ---- */

%   Loads the file of the setting `file`, and the files that define further predicates called there.
load_project :-
    folder(Folder),
    setting(file, Name),
    (   is_absolute_file_name(Name) -> File = Name ; atom_concat(Folder, Name, File) ),
    (   exists_file(File)
    ->  setup_call_cleanup(assertz(loading), ( load_student(File), load_called ), retractall(loading))
    ;   assertz(load_error('there is no such file')), log_line("there is no ~w", [Name])
    ),
    forall(load_note(Note), log_line("~w", [Note])).

load_student(File) :-
    % Programs of the courses cause many of these warnings, which would hide the errors.
    style_check(-singleton), style_check(-discontiguous), style_check(-no_effect), style_check(-var_branches),
    ( source(_, iso_latin_1) -> set_prolog_flag(encoding, iso_latin_1) ; true ),
    catch(load_files(user:File, []), Error, print_message(error, Error)).

%   Loads further files as long as a predicate is called that only they define.
load_called :-
    (   loaded(Loaded),
        calls(_, _, Name, Arity, Loaded),
        defines(Name, Arity, Other), \+ loaded(Other),
        \+ predicate_home(Name/Arity, _)
    ->  short_name(Other, Short),
        log_line("~w/~w is called, so ~w is loaded too", [Name, Arity, Short]),
        load_student(Other),
        ( loaded(Other) -> load_called ; true )
    ;   true
    ).

loaded(File) :- source(File, _), ( source_file(File) -> true ; source_file_property(Parent, includes(File, _)), source(Parent, _) -> true ).

%   predicate_home(+Name/Arity, -Module): the module of the student's code that defines it: `user`, or one that does not export it.
predicate_home(Name/Arity, user) :-
    functor(Head, Name, Arity),
    predicate_property(user:Head, defined),
    \+ predicate_property(user:Head, imported_from(system)), !.
predicate_home(Name/Arity, Module) :-
    functor(Head, Name, Arity),
    source(File, _),
    module_property(Module, file(File)),
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, imported_from(_)), !.

%   Loads every file of the project in its own encoding, whatever path the program uses for it.
:- multifile user:prolog_load_file/2.
:- dynamic user:prolog_load_file/2.
user:prolog_load_file(Spec, Options) :- damier_course:load_known(Spec, Options).

load_known(Spec, Options) :-
    \+ memberchk(encoding(_), Options),
    strip_module(Spec, Module, Plain),
    (   is_list(Plain)
    ->  forall(member(One, Plain), load_files(Module:One, Options))
    ;   atomic(Plain),
        ( prolog_load_context(directory, Here) -> true ; folder(Here) ),
        (   absolute_file_name(Plain, File, [relative_to(Here), file_type(prolog), access(read), file_errors(fail)]), source(File, Encoding)
        ->  true
        ;   project_file(Plain, Here, File), source(File, Encoding)
        )
    ->  load_files(Module:File, [encoding(Encoding)|Options])
    ;   atomic(Plain), file_base_name(Plain, Base), file_name_extension(Stem, _, Base), damier_door:provides(Stem)
    ).

%   Directives that would start a game at the keyboard are skipped. Others that call the student's own predicates run with an inference limit.
:- multifile system:term_expansion/2.
:- dynamic system:term_expansion/2.
system:term_expansion((:- Directive), Expansion) :-
    damier_course:loading,
    prolog_load_context(source, File),
    damier_course:source(File, _),
    damier_course:tamed(Directive, Expansion).

tamed(initialization(Goal, main), []) :- !, leave_out(Goal).
tamed(initialization(Goal), Expansion) :- !, tamed(Goal, Run, (:- initialization(Run)), Expansion).
tamed(initialization(Goal, _), Expansion) :- !, tamed(Goal, Run, (:- initialization(Run)), Expansion).
tamed(Goal, Expansion) :- ( calls_own(Goal) -> true ; halts(Goal) ), tamed(Goal, Run, (:- Run), Expansion).

tamed(Goal, _, _, []) :- reads_keyboard(Goal), !, leave_out(Goal).
tamed(Goal, damier_course:run_directive(Module:Goal), Directive, Directive) :- prolog_load_context(module, Module).

calls_own(Goal) :- runs(Goal, PI), has(PI), !.

halts(Goal) :- sub_term(Sub, Goal), nonvar(Sub), ( Sub == halt -> true ; Sub = halt(_) ), !.

leave_out(Goal) :-
    prolog_load_context(source, File), short_name(File, Name),
    shown(Goal, Shown),
    format(atom(Note), "~w starts ~w at load time: not run", [Name, Shown]),
    assertz(load_note(Note)).

:- meta_predicate run_directive(0).
run_directive(Goal) :-
    catch(( call_with_inference_limit(Goal, 20000000, Result) -> true ; Result = failed ), Error, Result = thrown(Error)),
    (   Result == inference_limit_exceeded -> directive_error('it did not end and was stopped')
    ;   Result \== failed, Result \= thrown(_) -> true
    ;   outcome(Result, Goal, fault(Why)), directive_error(Why)
    ).

directive_error(Why) :- print_message(error, format("directive: ~w", [Why])).

%   While loading, errors are logged at once and stored for faults; warnings are logged afterwards.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
user:message_hook(Message, Kind, Lines) :- damier_course:loading, damier_course:load_message(Kind, Message, Lines).

load_message(warning, _, Lines) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    one_line(Text, Line),
    assertz(load_note(Line)).
load_message(error, Message, Lines) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    one_line(Text, Line),
    (   error_place(Message, Path, At), source(Path, _)
    ->  short_name(Path, Name),
        % Syntax errors name the whole path already.
        ( sub_atom(Line, Before, _, _, 'Syntax error'), Before > 0 -> sub_atom(Line, Before, _, 0, What) ; What = Line ),
        atomic_list_concat([Name, ':', At, ': ', What], Error)
    ;   Error = Line
    ),
    assertz(load_error(Error)),
    log_line("ERROR: ~w", [Error]).

%   error_place(+Message, -Path, -Line).
error_place(error(_, Context), Path, At) :- nonvar(Context), Context = file(Path, At, _, _), !.
error_place(_, Path, At) :- source_location(Path, At).

/* ---- Goals of the student's code that are replaced ---- */

:- multifile system:goal_expansion/2.
:- dynamic system:goal_expansion/2.
system:goal_expansion(Goal, Expansion) :-
    damier_course:loading,
    damier_course:replacement(Goal, Expansion),
    prolog_load_context(source, File),
    damier_course:source(File, _).

%   halt ends the student's turn, not the door. Files are also looked up in the folder of the code.
replacement(halt, throw(damier_halt(halt/0))).
replacement(halt(_), throw(damier_halt(halt/1))).
replacement(open(Path, Mode, Stream), damier_course:open_beside(Path, Mode, Stream, [])).
replacement(open(Path, Mode, Stream, Options), damier_course:open_beside(Path, Mode, Stream, Options)).
replacement(see(Path), damier_course:see_beside(Path)).
replacement(exists_file(Path), damier_course:exists_beside(Path)).

open_beside(Path, Mode, Stream, Options) :- beside(Mode, Path, Found), open(Found, Mode, Stream, Options).
see_beside(Path) :- beside(read, Path, Found), see(Found).
exists_beside(Path) :- beside(read, Path, Found), exists_file(Found).

beside(Mode, Path, Found) :-
    (   Mode == read, atomic(Path), \+ is_stream(Path), \+ is_absolute_file_name(Path), \+ exists_file(Path),
        folder(Folder), atom_concat(Folder, Path, There), exists_file(There)
    ->  Found = There
    ;   Found = Path
    ).
