// Runs the host with all games as WebAssembly, as a browser would: node run.mjs MODULE.wasm
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {
  damier: { now_ms: () => performance.now() },
});
const { game_count, solve, watch, refuses_compression } = instance.exports;

assert.equal(solve(0), 212, "the course's maze of Pacman is won in 212 turns");
for (let game = 0; game < game_count(); game += 1) {
  assert.equal(watch(game, 2), 2, `game ${game}: two decisions are played and replayed`);
}
assert.ok(refuses_compression());
console.log(`${game_count()} games run as WebAssembly`);
