# Builds the player as a shared library, and the door that loads it.
#
# The player is the C file that defines lode_runner; `file=NAME` names it where several do. With the word `describe` it only says what it found.
set -e
# Names of files may have spaces.
IFS='
'
for word in "$@"; do
    case $word in
        file=*) file=${word#file=} ;;
        describe) describe=yes ;;
    esac
done

definition='action[[:space:]]+lode_runner[[:space:]]*\([^)]*\)[[:space:]]*\{'
if [ -z "$file" ]; then
    # A player named player.c comes first, the course's default player late, and the example only when it is alone.
    for candidate in $(grep -rlzE --include='*.c' --exclude-dir=door "$definition" . | sort); do
        candidate=${candidate#./}
        case $candidate in
            player.c) if grep -q 'put your own in its place' player.c; then example=player.c; else first=player.c; fi ;;
            *default*) default=${default:-$candidate} ;;
            *) others="${others:+$others, }$candidate" other=${other:-$candidate} ;;
        esac
    done
    file=${first:-${other:-${default:-$example}}}
fi
if [ -z "$file" ]; then
    echo 'no C file defines the function `action lode_runner(levelinfo, character_list, bonus_list, bomb_list)`' >&2
    exit 1
fi
if [ -n "$describe" ]; then
    echo "lode_runner is called from $file"
    [ -z "$others" ] || [ "$others" = "$file" ] || echo "it is also in $others: choose with [door] file = \"...\""
    echo "[door] file=$file"
    exit 0
fi
# A player that includes headers of its own also needs the files beside it that belong to them: those without a main and without a player.
case $file in
    */*) folder=${file%/*} ;;
    *) folder=. ;;
esac
helpers=
if grep -qE '#include[[:space:]]*"([^l]|l[^o]|lo[^d])' "$file"; then
    for helper in "$folder"/*.c; do
        grep -qzE "main[[:space:]]*\(|$definition" "$helper" || helpers="$helpers
$helper"
    done
fi
gcc -O2 -shared -fPIC -Idoor -o door/player.so "$file" $helpers -lm
gcc -O2 -rdynamic -o door/door door/door.c -ldl
