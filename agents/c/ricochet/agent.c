/* Rasende Roboter in C: iterative deepening with a lower bound on the moves of the robot that has to reach the target. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 1024, MAX_ROBOTS = 5, MAX_DEPTH = 9, FAR = 99 };

static const char *NAMES[MAX_ROBOTS] = {"red", "green", "blue", "yellow", "silver"};
static const char *DIRECTIONS[4] = {"north", "east", "south", "west"};

static int width, height, target, active; /* active is -1 if any robot may reach the target */
static int walls[MAX_CELLS], at[MAX_ROBOTS], bound[MAX_CELLS];
static bool present[MAX_ROBOTS];
static long nodes;

static int step_of(int direction) {
    const int steps[4] = {-width, 1, width, -1};
    return steps[direction];
}

static bool occupied(int cell) {
    for (int robot = 0; robot < MAX_ROBOTS; robot++)
        if (present[robot] && at[robot] == cell) return true;
    return false;
}

static int slide(int cell, int direction, bool among_robots) {
    while (!(walls[cell] & (1 << direction)) && !(among_robots && occupied(cell + step_of(direction)))) cell += step_of(direction);
    return cell;
}

/* For every cell, the minimum number of moves to the target if a robot could stop anywhere: a lower bound. */
static void find_bounds(void) {
    int queue[MAX_CELLS], head = 0, tail = 0;
    for (int cell = 0; cell < width * height; cell++) bound[cell] = FAR;
    bound[target] = 0;
    queue[tail++] = target;
    while (head < tail) {
        int cell = queue[head++];
        for (int direction = 0; direction < 4; direction++) {
            int there = cell;
            while (!(walls[there] & (1 << direction))) {
                there += step_of(direction);
                if (bound[there] == FAR) {
                    bound[there] = bound[cell] + 1;
                    queue[tail++] = there;
                }
            }
        }
    }
}

/* A lower bound on the number of moves that are left. */
static int lower_bound(void) {
    int moves = FAR;
    for (int robot = 0; robot < MAX_ROBOTS; robot++)
        if (present[robot] && (active < 0 || robot == active) && bound[at[robot]] < moves) moves = bound[at[robot]];
    return moves;
}

static bool search(int depth, int *first) {
    if (lower_bound() == 0) return true;
    if (lower_bound() > depth || ++nodes > 3000000) return false;
    for (int robot = 0; robot < MAX_ROBOTS; robot++) {
        if (!present[robot]) continue;
        for (int direction = 0; direction < 4; direction++) {
            int from = at[robot], to = slide(from, direction, true), ignored;
            if (to == from) continue;
            at[robot] = to;
            bool found = search(depth - 1, &ignored);
            at[robot] = from;
            if (found) {
                *first = robot * 4 + direction;
                return true;
            }
        }
    }
    return false;
}

static int number(void) {
    int value = 0;
    if (scanf("%d", &value) != 1) exit(1);
    return value;
}

static int robot_named(const char *name) {
    for (int robot = 0; robot < MAX_ROBOTS; robot++)
        if (!strcmp(name, NAMES[robot])) return robot;
    return -1;
}

static int read_cell(void) {
    number(); /* the length of the list, 2 */
    int x = number();
    return number() * width + x;
}

/* Reads the observation: keys and values; a list begins with its length. */
static void read_position(void) {
    char word[256];
    int keys = number();
    memset(present, 0, sizeof present);
    for (int key = 0; key < keys; key++) {
        if (scanf("%255s", word) != 1) exit(1);
        if (!strcmp(word, "size")) {
            width = height = number();
            if (width == 2) width = number(), height = number();
            if (width * height > MAX_CELLS) exit(1);
        } else if (!strcmp(word, "walls")) {
            for (int cell = 0, count = number(); cell < count; cell++) walls[cell] = number();
        } else if (!strcmp(word, "robots")) {
            for (int count = number(); count > 0; count--) {
                if (scanf("%255s", word) != 1) exit(1);
                int robot = robot_named(word), cell = read_cell();
                if (robot >= 0) present[robot] = true, at[robot] = cell;
            }
        } else if (!strcmp(word, "target_robot")) {
            if (scanf("%255s", word) != 1) exit(1);
            active = robot_named(word);
        } else if (!strcmp(word, "target")) {
            target = read_cell();
        } else if (!strcmp(word, "diagonals")) {
            return; /* not supported; the caller skips the rest of the line */
        } else if (scanf("%255s", word) != 1) {
            exit(1);
        }
    }
}

static void play(void) {
    int n = number(), legal;
    char action[64] = "", word[64];
    number(); /* the time bank */
    for (legal = number(); legal > 0; legal--)
        if (scanf("%63s", word) == 1 && !*action) strcpy(action, word);
    read_position();
    find_bounds();
    int first = -1, depth = 1;
    for (nodes = 0; depth <= MAX_DEPTH && nodes <= 3000000 && !search(depth, &first); depth++) {}
    if (first >= 0) {
        snprintf(action, sizeof action, "%s~%s", NAMES[first / 4], DIRECTIONS[first % 4]);
        printf("info %d moves, after %ld positions\n", depth, nodes);
    }
    printf("act %d %s\n", n, action);
}

int main(void) {
    char kind[16];
    while (scanf("%15s", kind) == 1) {
        if (!strcmp(kind, "hello")) puts("hello 1 c-ricochet");
        if (!strcmp(kind, "start")) puts("ready");
        if (!strcmp(kind, "turn")) play();
        if (!strcmp(kind, "quit")) break;
        fflush(stdout);
        if (scanf("%*[^\n]") == EOF) break;
    }
    return 0;
}
