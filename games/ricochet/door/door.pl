/** <module> The door for solvers of the course: a file with jeu_1robot/13 plays Rasende Roboter unchanged.

Cells are (x, y) from (1, 1) at the bottom left. The answer is the way of the one robot, such as 14,10|4,10|4,1, in whatever term the solver
builds it: its numbers are taken in pairs. What the solver writes goes to the log. Without an answer the door plays the first legal move.
*/
:- initialization(main, main).
:- dynamic protocol/1, plan/1.

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

answer(hello(_, _, _, _)) :- !, say(hello(1, 'course solver')).
answer(start(_, _, _, _, _)) :- !, say(ready).
answer(turn(N, _, Legal, Seen)) :- !,
    (   plan(_) -> true ; solve(Seen, Plan), assertz(plan(Plan)) ),
    retract(plan(Rest)),
    (   Rest = [Action|Later], memberchk(Action, Legal)
    ->  assertz(plan(Later))
    ;   Legal = [Action|_], assertz(plan([]))
    ),
    say(act(N, Action)).
answer(_).

%   solve(+Seen, -Plan): the moves of the way that the solver finds; none if it finds none.
solve(Seen, Plan) :-
    memberchk(size=Size, Seen), ( integer(Size) -> Height = Size ; Size = [_, Height] ),
    memberchk(robots=Robots, Seen), memberchk(target_robot=Robot, Seen), memberchk(target=Target, Seen),
    maplist(place(Robots, Height), [blue, green, red, yellow], [XB-YB, XV-YV, XR-YR, XJ-YJ]),
    course_cell(Height, Target, XC-YC),
    (   robot(Robot, Name),
        catch(user:jeu_1robot(XB, YB, XV, YV, XR, YR, XJ, YJ, Name, XC, YC, Way, _), Error, (print_message(error, Error), fail))
    ->  numbers(Way, Numbers),
        pairs(Numbers, Cells),
        place(Robots, Height, Robot, Start),
        ( Cells = [Start|Stops] -> true ; Stops = Cells ),
        moves(Robot, Start, Stops, Plan)
    ;   format(user_error, "jeu_1robot/13 gave no answer~n", []), Plan = []
    ).

place(Robots, Height, Robot, Cell) :- memberchk(Robot=At, Robots), course_cell(Height, At, Cell).

course_cell(Height, [X0, Y0], X-Y) :- X is X0 + 1, Y is Height - Y0.

robot(blue, rbtBleu).
robot(green, rbtVert).
robot(red, rbtRouge).
robot(yellow, rbtJaune).

%   numbers(+Term, -Numbers): all numbers of what it looks like, in order.
numbers(Term, Numbers) :-
    format(string(Text), "~w", [Term]),
    split_string(Text, "|,()[]'- ", "|,()[]'- ", Words),
    findall(Number, (member(Word, Words), Word \== "", number_string(Number, Word)), Numbers).

pairs([X, Y|Rest], [X-Y|Cells]) :- !, pairs(Rest, Cells).
pairs(_, []).

moves(_, _, [], []).
moves(Robot, Cell, [Cell|Stops], Moves) :- !, moves(Robot, Cell, Stops, Moves).
moves(Robot, X0-Y0, [X-Y|Stops], [Move|Moves]) :-
    (   X > X0 -> Way = east ; X < X0 -> Way = west ; Y > Y0 -> Way = north ; Way = south ),
    atomic_list_concat([Robot, Way], ' ', Move),
    moves(Robot, X-Y, Stops, Moves).
