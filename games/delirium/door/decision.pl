/** <module> Example: a miner as the course asks for it, which walks at random; put your own in its place. */
:- module(decision, [init/1, move/12]).

init(_).

%   move(+L, +LP, +X, +Y, +Pos, +Size, +CanGotoExit, +Energy, +GEnergy, +VPx, +VPy, -Action)
move(_, _, _, _, _, _, _, _, _, _, _, Action) :- Action is random(5).
