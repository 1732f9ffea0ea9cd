/** <module> A solver as the course asks for it. It knows no walls and gives up; put your own in its place. */

%   jeu_1robot(+XBleu, +YBleu, +XVert, +YVert, +XRouge, +YRouge, +XJaune, +YJaune, +Robot, +XCible, +YCible, -Chemin, -NbCoups)
jeu_1robot(_, _, _, _, _, _, _, _, _, _, _, _, _) :- fail.
