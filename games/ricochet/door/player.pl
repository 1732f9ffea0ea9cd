/** <module> Example: a solver with the course's interface, which only finds paths of one move; put your own in its place. */

%   jeu_1robot(+XBleu, +YBleu, +XVert, +YVert, +XRouge, +YRouge, +XJaune, +YJaune, +Robot, +XCible, +YCible, -Chemin, -NbCoups)
%   The board is in case(X, Y, MurHaut, MurBas, MurGauche, MurDroit).
jeu_1robot(XB, YB, XV, YV, XR, YR, XJ, YJ, Robot, XC, YC, way(X,Y,XC,YC), 1) :-
    Robots = [rbtBleu-(XB,YB), rbtVert-(XV,YV), rbtRouge-(XR,YR), rbtJaune-(XJ,YJ)],
    memberchk(Robot-(X,Y), Robots),
    member(DX-DY, [0-1, 0-(-1), 1-0, (-1)-0]),
    glisse(Robots, X, Y, DX, DY, XC, YC), !.

glisse(Robots, X, Y, DX, DY, XF, YF) :-
    X1 is X + DX, Y1 is Y + DY,
    (   mur(X, Y, DX, DY) -> XF = X, YF = Y
    ;   memberchk(_-(X1,Y1), Robots) -> XF = X, YF = Y
    ;   glisse(Robots, X1, Y1, DX, DY, XF, YF)
    ).

mur(X, Y, 0, 1) :- case(X, Y, 1, _, _, _).
mur(X, Y, 0, -1) :- case(X, Y, _, 1, _, _).
mur(X, Y, -1, 0) :- case(X, Y, _, _, 1, _).
mur(X, Y, 1, 0) :- case(X, Y, _, _, _, 1).
