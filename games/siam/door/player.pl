/** <module> Example: a player with the course's interface, which enters from the south-west; put your own in its place. */

%   meilleur_coup(+Plateau, -Coup): Plateau is [Elephants, Rhinoceros, Montagnes, Joueur], a move is (From, To, Facing).
meilleur_coup([E, R, M, _], (0, Square, n)) :-
    member(Square, [11, 12, 14, 15, 21, 31, 41, 51, 55, 45]),
    \+ memberchk((Square, _), E), \+ memberchk((Square, _), R), \+ memberchk(Square, M), !.
