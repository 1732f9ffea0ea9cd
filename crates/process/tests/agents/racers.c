/* Many threads that all start processes at the same moment, in the hope that somebody loses count. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *race(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        if (fork() == 0) {
            close(0);
            close(1);
            sleep(20);
            _exit(0);
        }
    }
    return NULL;
}

int main(void) {
    static char line[1 << 16];
    pthread_t threads[30];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello", 5))
            puts("hello 1 racers");
        else if (!strncmp(line, "start", 5))
            puts("ready");
        else if (!strncmp(line, "turn", 4)) {
            for (int i = 0; i < 30; i++)
                pthread_create(&threads[i], NULL, race, NULL);
            for (int i = 0; i < 30; i++)
                pthread_join(threads[i], NULL);
        }
        fflush(stdout);
    }
}
