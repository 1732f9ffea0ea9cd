/* The types of the course's Lode Runner: what a player is given each round, and what it answers. */
#ifndef LODE_RUNNER_H
#define LODE_RUNNER_H

/* What the runner can do. */
enum action_list { NONE, UP, DOWN, LEFT, RIGHT, BOMB_LEFT, BOMB_RIGHT };
typedef enum action_list action;

/* The map without anybody on it, map[y][x], its size and its exit. */
typedef struct {
    char **map;
    int xsize;
    int ysize;
    int xexit;
    int yexit;
} levelinfo;

/* The runner or an enemy, its place and its last action, -1 at the start. */
typedef struct {
    char item;
    int x;
    int y;
    action d;
} character;

struct character_link {
    character c;
    struct character_link *next;
};
typedef struct character_link *character_list;

/* The place of a bonus that is left. */
typedef struct {
    int x;
    int y;
} bonus;

struct bonus_link {
    bonus b;
    struct bonus_link *next;
};
typedef struct bonus_link *bonus_list;

/* The place of a hole, and the rounds until it closes. */
struct bomb_link {
    int x;
    int y;
    int delay;
    struct bomb_link *next;
};
typedef struct bomb_link *bomb_list;

action lode_runner(levelinfo, character_list, bonus_list, bomb_list);

#endif
