#include <stdio.h>
#include <string.h>

int main(void) {
    char kind[16], action[64];
    int n, bank, count;
    while (scanf("%15s", kind) == 1) {
        if (!strcmp(kind, "hello")) puts("hello 1 my-agent");
        if (!strcmp(kind, "start")) puts("ready");
        if (!strcmp(kind, "turn")) {
            /* Your code goes here. The line holds `count` legal actions, then the observation (see `damier schema GAME`).
               This agent plays the first action. */
            if (scanf("%d %d %d %63s", &n, &bank, &count, action) == 4) printf("act %d %s\n", n, action);
        }
        if (!strcmp(kind, "quit")) break;
        fflush(stdout);
        scanf("%*[^\n]"); /* the rest of the line */
    }
    return 0;
}
