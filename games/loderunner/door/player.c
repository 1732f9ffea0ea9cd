/* Example: a player as the course asks for it, which walks left and right; put your own in its place. */
#include "lode_runner.h"

extern const char WALL, FLOOR;

const char *students = "nobody";

action lode_runner(levelinfo level, character_list characters, bonus_list bonuses, bomb_list bombs) {
    int x = characters->c.x, y = characters->c.y;
    char left = level.map[y][x - 1], right = level.map[y][x + 1];
    (void)bonuses, (void)bombs;
    if (characters->c.d != RIGHT && left != WALL && left != FLOOR) return LEFT;
    return right != WALL && right != FLOOR ? RIGHT : NONE;
}
