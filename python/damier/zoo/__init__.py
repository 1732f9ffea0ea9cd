"""PettingZoo environments: ``siam_v0`` (turn by turn) and ``pacman_v0`` (turn by turn, or all agents at once)."""
