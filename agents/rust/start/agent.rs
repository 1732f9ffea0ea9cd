use std::io;

/// Your code goes here: `legal` are the legal actions, `obs` the words of the observation (see `damier schema GAME`).
fn choose<'a>(legal: &[&'a str], _obs: &[&str]) -> &'a str {
    legal[0]
}

fn main() {
    for line in io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "hello" => println!("hello 1 my-agent"),
            "start" => println!("ready"),
            "turn" => {
                let (legal, obs) = words[4..].split_at(words[3].parse().expect("a count"));
                println!("act {} {}", words[1], choose(legal, obs));
            }
            "quit" => break,
            _ => {}
        }
    }
}
