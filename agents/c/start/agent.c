#include <stdio.h>
#include <string.h>

int main(void) {
    char kind[16], action[64];
    int n, bank, count;
    while (scanf("%15s", kind) == 1) {
        if (!strcmp(kind, "hello")) puts("hello 1 my-agent");
        if (!strcmp(kind, "start")) puts("ready");
        if (!strcmp(kind, "turn")) {
            /* Your idea goes here: `count` legal actions, then what you see (`damier schema GAME`). This takes the first. */
            if (scanf("%d %d %d %63s", &n, &bank, &count, action) == 4) printf("act %d %s\n", n, action);
        }
        if (!strcmp(kind, "quit")) break;
        fflush(stdout);
        scanf("%*[^\n]"); /* the rest of the line */
    }
    return 0;
}
