const lines = require("readline").createInterface({ input: process.stdin });
const say = message => console.log(JSON.stringify(message));

// Your idea goes here: `legal` are the actions, `seen` is what you see (`damier schema GAME`).
const choose = (legal, seen) => legal[0];

lines.on("line", line => {
  const message = JSON.parse(line);
  if (message.t === "hello") say({ t: "hello", proto: 1, name: "my-agent" });
  if (message.t === "start") say({ t: "ready" });
  if (message.t === "turn") say({ t: "act", n: message.n, a: choose(message.legal, message.obs) });
  if (message.t === "quit") process.exit();
});
