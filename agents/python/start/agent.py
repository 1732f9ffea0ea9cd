import json, sys

def choose(legal, obs):
    """Your code goes here: `legal` is the list of legal actions, `obs` the observation (see `damier schema GAME`)."""
    return legal[0]

for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print('{"t":"hello","proto":1,"name":"my-agent"}', flush=True)
    elif message["t"] == "start":
        print('{"t":"ready"}', flush=True)
    elif message["t"] == "turn":
        action = choose(message["legal"], message["obs"])
        print(json.dumps({"t": "act", "n": message["n"], "a": action}), flush=True)
    elif message["t"] == "quit":
        break
