//! The pages of the atlas.

use std::fmt::Write;

use super::{count, curve};
use crate::certs::{Certificate, Entry, Finding};
use crate::report::page::{escape, page};
use crate::report::plot::histogram;

/// Filters and order of the cards; the page works without it, with all of them in their order.
const SCRIPT: &str = "
const cards = [...document.querySelectorAll('.level')];
const grid = document.querySelector('.levels');
const [text, finding, from, to, order] = ['text', 'finding', 'from', 'to', 'order'].map((id) => document.getElementById(id));
function show() {
  const wanted = text.value.toLowerCase();
  let shown = 0;
  for (const card of cards) {
    const { name, finding: own, difficulty, needs } = card.dataset;
    const hard = difficulty === '' ? null : Number(difficulty);
    const inRange = hard === null ? from.value === '0' && to.value === '10' : hard >= from.value && hard <= to.value;
    const fits = `${name} ${needs}`.toLowerCase().includes(wanted) && (finding.value === '' || finding.value === own) && inRange;
    card.hidden = !fits;
    shown += fits;
  }
  document.getElementById('shown').textContent = `${shown} of ${cards.length} levels`;
}
function sort() {
  const by = { number: (card) => Number(card.dataset.number), name: (card) => card.dataset.name,
    difficulty: (card) => Number(card.dataset.difficulty || 11), turns: (card) => Number(card.dataset.turns || 1e9) }[order.value];
  const sorted = [...cards].sort((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : a.dataset.number - b.dataset.number));
  grid.append(...sorted);
}
for (const control of [text, finding, from, to]) control.addEventListener('input', show);
order.addEventListener('input', sort);
show();
";

const STYLE: &str = "<style>
.levels { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem; }
.level { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem; color: var(--ink); }
.level[hidden] { display: none; } .level img { width: 100%; border-radius: .3rem; display: block; background: var(--board); }
.level b { display: block; margin-top: .4rem; overflow-wrap: anywhere; } .level span { font-size: .85rem; }
.solved { color: var(--good); } .impossible { color: var(--bad); } .open { color: var(--fair); } .pending { color: var(--soft); }
.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; } .filters label { font-size: .85rem; color: var(--soft); }
.filters input, .filters select { display: block; font: inherit; padding: .25rem .4rem; color: var(--ink); background: var(--back);
  border: 1px solid var(--line); border-radius: .3rem; } .large { width: 100%; max-width: 60rem; border-radius: .4rem; }
</style>";

/// All levels.
pub fn of_all(entries: &[Entry]) -> String {
    let [solved, impossible, open] = Finding::ALL.map(|finding| count(entries, finding));
    let certified = solved + impossible;
    let share = 100.0 * certified as f64 / entries.len() as f64;
    let mut body =
        format!("{STYLE}<h1>Atlas</h1>\n<p class=\"soft\">{}</p>\n<div class=\"tiles\">", about(entries));
    for (value, name) in [
        (entries.len().to_string(), "levels"),
        (solved.to_string(), "solved"),
        (impossible.to_string(), "impossible"),
        (open.to_string(), "open"),
        (format!("{share:.1} %"), "certified"),
    ] {
        let _ = write!(body, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    }
    body += "</div>\n";
    let difficulties: Vec<f64> =
        entries.iter().filter_map(|entry| entry.certificate.as_ref()?.difficulty).collect();
    if !difficulties.is_empty() {
        let _ = writeln!(
            body,
            "<div class=\"card\"><h2>Difficulty, level by level</h2>{}<p class=\"soft\">Solved levels by their difficulty, \
             with the mean of the {} around; open ones above, impossible ones below.</p></div>\n\
             <div class=\"card\"><h2>How difficulty is spread</h2>{}</div>",
            curve::svg(entries),
            curve::WINDOW,
            histogram(&difficulties, 10.0)
        );
    }
    body += &filters();
    body += "<div class=\"levels\">\n";
    for (index, entry) in entries.iter().enumerate() {
        body += &card(index + 1, entry);
    }
    let _ = write!(
        body,
        "</div>\n<p class=\"soft\">The same as data: <a href=\"certificates.csv\">certificates.csv</a>.</p>\n\
         <script>{SCRIPT}</script>\n"
    );
    page("Atlas", &body)
}

/// The games and rule sets of the levels.
fn about(entries: &[Entry]) -> String {
    let mut kinds: Vec<String> =
        entries.iter().map(|entry| format!("{} ({})", escape(&entry.game), escape(&entry.rules))).collect();
    kinds.dedup();
    kinds.sort();
    kinds.dedup();
    kinds.join(", ")
}

fn filters() -> String {
    let mut options = String::from("<option value=\"\">all</option>");
    for name in Finding::ALL.map(Finding::name).into_iter().chain(["pending"]) {
        let _ = write!(options, "<option>{name}</option>");
    }
    format!(
        "<div class=\"card filters\"><label>Name or note<input id=\"text\" type=\"search\"></label>\
         <label>Finding<select id=\"finding\">{options}</select></label>\
         <label>Difficulty from<input id=\"from\" type=\"number\" min=\"0\" max=\"10\" step=\"0.5\" value=\"0\"></label>\
         <label>to<input id=\"to\" type=\"number\" min=\"0\" max=\"10\" step=\"0.5\" value=\"10\"></label>\
         <label>Order<select id=\"order\"><option>number</option><option>name</option><option>difficulty</option>\
         <option>turns</option></select></label><span id=\"shown\" class=\"soft\"></span></div>\n"
    )
}

/// The finding's name; `pending` before the level's turn.
fn finding_name(entry: &Entry) -> &'static str {
    entry.certificate.as_ref().map_or("pending", |it| it.finding.name())
}

fn card(number: usize, entry: &Entry) -> String {
    let known = entry.certificate.as_ref();
    let number_text = |value: Option<String>| value.unwrap_or_default();
    let (name, finding) = (escape(&entry.level.name), finding_name(entry));
    let needs = known.map(|it| escape(&it.needs.join(" "))).unwrap_or_default();
    format!(
        "<a class=\"level\" href=\"levels/{number}.html\" data-number=\"{number}\" data-name=\"{name}\" \
         data-finding=\"{finding}\" data-difficulty=\"{}\" data-turns=\"{}\" data-needs=\"{needs}\">\
         <img src=\"levels/{number}.svg\" loading=\"lazy\" alt=\"\"><b>{name}</b>\
         <span class=\"{finding}\">{finding}</span> <span class=\"soft\">{}</span></a>\n",
        number_text(known.and_then(|it| it.difficulty).map(|it| format!("{it:.1}"))),
        number_text(known.and_then(|it| it.par).map(|it| it.to_string())),
        known.map(summary).unwrap_or_default()
    )
}

/// A certificate in a few words.
fn summary(certificate: &Certificate) -> String {
    match certificate.finding {
        Finding::Solved => {
            let turns = certificate.par.map(|par| format!("in {par} turns")).unwrap_or_default();
            let difficulty = certificate.difficulty.map(|it| format!(", difficulty {it:.1}"));
            turns + &difficulty.unwrap_or_default()
        }
        Finding::Impossible | Finding::Open => escape(&certificate.reason),
    }
}

/// One level.
pub fn of_level(number: usize, entry: &Entry) -> String {
    let (name, finding) = (escape(&entry.level.name), finding_name(entry));
    let mut body = format!(
        "{STYLE}<p><a href=\"../index.html\">Atlas</a></p>\n<h1>{name}</h1>\n<p class=\"{finding}\">{finding}</p>\n\
         <img class=\"large\" src=\"{number}.svg\" alt=\"\">\n"
    );
    if let Some(known) = &entry.certificate {
        body += &facts(entry, known);
    }
    page(&entry.level.name, &body)
}

fn facts(entry: &Entry, known: &Certificate) -> String {
    let mut rows: Vec<(&str, String)> = vec![
        ("game", format!("{}, rules {}, seed {}", escape(&entry.game), escape(&entry.rules), entry.seed)),
        (
            "search",
            format!(
                "{} states, {:.2} s of processor time, limit {} s",
                known.states,
                known.cpu_ms / 1000.0,
                known.limit_ms as f64 / 1000.0
            ),
        ),
    ];
    let mut add = |name, value: Option<String>| rows.extend(value.map(|value| (name, value)));
    add("turns", known.par.map(|par| par.to_string()));
    add("difficulty", known.difficulty.map(|difficulty| format!("{difficulty:.1} of 10")));
    add("needs", (!known.needs.is_empty()).then(|| escape(&known.needs.join("; "))));
    let label = if known.finding == Finding::Open { "best attempt" } else { "reason" };
    add(label, (!known.reason.is_empty()).then(|| escape(&known.reason)));
    add(
        "with other chance",
        known.luck.map(|luck| {
            let (low, high) = luck.interval();
            format!(
                "the plan as it is wins {} of {} games ({:.0} to {:.0} %)",
                luck.won,
                luck.games,
                100.0 * low,
                100.0 * high
            )
        }),
    );
    let mut text = String::from("<div class=\"card\"><table>\n");
    for (name, value) in rows {
        let _ = writeln!(text, "<tr><th>{name}</th><td>{value}</td></tr>");
    }
    text += "</table></div>\n";
    if !known.plan.is_empty() {
        let _ = writeln!(
            text,
            "<div class=\"card\"><h2>Plan</h2><p class=\"soft\">For <code>damier trace {} --rules {} --seed {} --level FILE \
             --actions …</code></p><pre>{}</pre></div>",
            escape(&entry.game),
            escape(&entry.rules),
            entry.seed,
            escape(&known.plan.join(","))
        );
    }
    let _ = writeln!(
        text,
        "<div class=\"card\"><details><summary>The level as text</summary><pre>{}</pre></details></div>",
        escape(&entry.level.text)
    );
    text
}
