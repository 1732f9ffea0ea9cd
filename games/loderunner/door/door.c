/* The door for players of the course: a shared library with the function lode_runner plays Lode Runner unchanged.
 *
 * It speaks the text wire. What the player prints goes to the log. A crash of the player ends this process alone. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lode_runner.h"

/* What players declare as the engine's own. */
const char BOMB = 'H', BONUS = 'B', CABLE = 'C', ENEMY = 'E', EXIT = 'X', FLOOR = 'F', LADDER = 'L', PATH = '.', RUNNER = 'R', WALL = 'W';
const int BOMB_TTL = 10;
bool DEBUG = false;

static const char *ACTIONS[] = {"none", "up", "down", "left", "right", "bomb_left", "bomb_right"};

typedef action player(levelinfo, character_list, bonus_list, bomb_list);

static void *room(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) exit(1);
    return memory;
}

static int number(void) {
    int value = 0;
    if (scanf("%d", &value) != 1) exit(1);
    return value;
}

static char *word(char *buffer) {
    if (scanf("%255s", buffer) != 1) exit(1);
    return buffer;
}

/* Reads the keys and values of one thing: item, x, y, d, delay. */
static void read_thing(char *item, int *x, int *y, int *d, int *delay) {
    char key[256], value[256];
    for (int keys = number(); keys > 0; keys--) {
        word(key);
        word(value);
        if (!strcmp(key, "item") && item) *item = value[0];
        if (!strcmp(key, "x")) *x = atoi(value);
        if (!strcmp(key, "y")) *y = atoi(value);
        if (!strcmp(key, "d") && d) *d = atoi(value);
        if (!strcmp(key, "delay") && delay) *delay = atoi(value);
    }
}

static void read_map(levelinfo *level) {
    level->ysize = number();
    level->map = room(level->ysize * sizeof(char *));
    for (int y = 0; y < level->ysize; y++) {
        level->map[y] = room(256);
        level->xsize = (int)strlen(word(level->map[y]));
    }
}

static character_list read_characters(void) {
    character_list first = NULL, *last = &first;
    for (int count = number(); count > 0; count--) {
        character_list link = room(sizeof *link);
        int d = -1;
        read_thing(&link->c.item, &link->c.x, &link->c.y, &d, NULL);
        link->c.d = d;
        *last = link;
        last = &link->next;
    }
    return first;
}

/* The course's engine gives the bonuses in the reverse of reading order. */
static bonus_list read_bonuses(void) {
    bonus_list first = NULL;
    for (int count = number(); count > 0; count--) {
        bonus_list link = room(sizeof *link);
        number(); /* two coordinates */
        link->b.x = number();
        link->b.y = number();
        link->next = first;
        first = link;
    }
    return first;
}

static bomb_list read_bombs(void) {
    bomb_list first = NULL, *last = &first;
    for (int count = number(); count > 0; count--) {
        bomb_list link = room(sizeof *link);
        read_thing(NULL, &link->x, &link->y, NULL, &link->delay);
        *last = link;
        last = &link->next;
    }
    return first;
}

/* Memory is not given back: a player may keep what it was given, and a game has few rounds. */
static void play(player *lode_runner, FILE *protocol) {
    char buffer[256];
    levelinfo level = {0};
    character_list characters = NULL;
    bonus_list bonuses = NULL;
    bomb_list bombs = NULL;
    int n = number();
    number(); /* the bank */
    for (int legal = number(); legal > 0; legal--) word(buffer);
    for (int keys = number(); keys > 0; keys--) {
        word(buffer);
        if (!strcmp(buffer, "map")) read_map(&level);
        else if (!strcmp(buffer, "exit")) number(), level.xexit = number(), level.yexit = number();
        else if (!strcmp(buffer, "characters")) characters = read_characters();
        else if (!strcmp(buffer, "bonuses")) bonuses = read_bonuses();
        else if (!strcmp(buffer, "bombs")) bombs = read_bombs();
        else fprintf(stderr, "this door knows the rules `course` only\n"), exit(1);
    }
    int chosen = (int)lode_runner(level, characters, bonuses, bombs);
    fflush(stdout);
    if (chosen >= NONE && chosen <= BOMB_RIGHT) fprintf(protocol, "act %d %s\n", n, ACTIONS[chosen]);
    else fprintf(protocol, "fault %d lode_runner~answered~%d,~which~is~no~action\n", n, chosen);
}

int main(int count, char **arguments) {
    FILE *protocol = fdopen(dup(STDOUT_FILENO), "w");
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    if (!protocol || !library) return fprintf(stderr, "no player: %s\n", dlerror()), 1;
    player *lode_runner = (player *)dlsym(library, "lode_runner");
    if (!lode_runner) return fprintf(stderr, "%s has no function lode_runner\n", arguments[1]), 1;
    const char **students = dlsym(library, "students");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    char kind[16];
    while (scanf("%15s", kind) == 1 && strcmp(kind, "quit")) {
        if (!strcmp(kind, "hello")) {
            char name[64] = "course~player";
            if (students && *students && **students) snprintf(name, sizeof name, "%s", *students);
            for (char *letter = name; *letter; letter++)
                if (*letter == ' ' || *letter == '~' || *letter == '%') *letter = '~';
            fprintf(protocol, "hello 1 %s\n", name);
        }
        if (!strcmp(kind, "start")) fprintf(protocol, "ready\n");
        if (!strcmp(kind, "turn")) play(lode_runner, protocol);
        fflush(protocol);
        if (scanf("%*[^\n]") == EOF) break;
    }
    return 0;
}
