/** <module> A player as the course asks for it: it enters its animals from the south-west. Put your own in its place. */

%   meilleur_coup(+Plateau, -Coup): Plateau is [Elephants, Rhinoceros, Montagnes, Joueur], a move is (From, To, Facing).
meilleur_coup([E, R, M, _], (0, Square, n)) :-
    between(1, 5, Column), Square is 10 + Column, \+ memberchk((Square, _), E), \+ memberchk((Square, _), R), \+ memberchk(Square, M), !.
