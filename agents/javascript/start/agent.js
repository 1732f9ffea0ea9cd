const lines = require("readline").createInterface({ input: process.stdin });
const send = message => console.log(JSON.stringify(message));

// Your code goes here: `legal` is the list of legal actions, `obs` the observation (see `damier schema GAME`).
const choose = (legal, obs) => legal[0];

lines.on("line", line => {
  const message = JSON.parse(line);
  if (message.t === "hello") send({ t: "hello", proto: 1, name: "my-agent" });
  if (message.t === "start") send({ t: "ready" });
  if (message.t === "turn") send({ t: "act", n: message.n, a: choose(message.legal, message.obs) });
  if (message.t === "quit") process.exit();
});
