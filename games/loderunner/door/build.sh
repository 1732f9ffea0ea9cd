# Builds the player as a shared library, and the door that loads it.
set -e
gcc -O2 -shared -fPIC -o player.so player.c -lm
gcc -O2 -rdynamic -o door door.c -ldl
