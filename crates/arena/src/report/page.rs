//! HTML frame, style and text formatting of the report's pages.

use damier_host::ENGINE;
use damier_kit::printable::printable_char;

/// Escapes text for HTML.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(printable_char(c)),
        }
    }
    safe
}

/// A whole page.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         <footer>{ENGINE}</footer>\n</body>\n</html>\n",
        escape(title)
    )
}

/// Points without trailing zeros: `7`, `7.5`, `3.33`.
pub fn points(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One of five shades for a share of points; only a full share gets the last.
pub fn shade(share: f64) -> usize {
    if share >= 1.0 { 4 } else { (share.max(0.0) * 4.0) as usize }
}

const STYLE: &str = "
:root { color-scheme: light dark; --back: #f7f7f4; --card: #ffffff; --ink: #1d2329; --soft: #6a737d; --line: #e0e1dc;
  --link: #0b5cad; --good: #2c8a57; --fair: #b7791f; --bad: #c0392b;
  --s0: #f6d5d0; --s1: #f9e3c6; --s2: #f7f0c3; --s3: #dcefcb; --s4: #bfe5c9; --board: #14181d; }
@media (prefers-color-scheme: dark) { :root { --back: #14171b; --card: #1d2227; --ink: #e8eaed; --soft: #98a2ad;
  --line: #31383f; --link: #79b8ff; --good: #57c785; --fair: #e0b050; --bad: #f0776a;
  --s0: #5a2a26; --s1: #5a4326; --s2: #565022; --s3: #37502d; --s4: #235c3b; --board: #0c0f12; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 1rem; }
footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem 2rem; color: var(--soft); font-size: .85rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
p { margin: .25rem 0 .75rem; } .soft { color: var(--soft); } a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem 1rem; min-width: 7.5rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .85rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; margin: 1rem 0;
  overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: .82rem; }
tr:last-child td { border-bottom: 0; } th.number, td.number { text-align: right; padding-right: 1.4rem; }
td.cell { text-align: center; padding: .35rem .5rem; border: 2px solid var(--card); border-radius: .4rem; }
.s0 { background: var(--s0); } .s1 { background: var(--s1); } .s2 { background: var(--s2); }
.s3 { background: var(--s3); } .s4 { background: var(--s4); }
.win { color: var(--good); font-weight: 600; } .loss { color: var(--bad); font-weight: 600; }
.draw, .limit { color: var(--fair); font-weight: 600; }
.passed { color: var(--good); } .failed { color: var(--bad); }
.head { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.track { height: .5rem; border-radius: .25rem; background: var(--line); overflow: hidden; margin: .25rem 0 .75rem; }
.track i { display: block; height: 100%; background: var(--good); } .track i.part { background: var(--fair); }
pre { background: var(--board); color: #d7dde3; border-radius: .4rem; padding: .6rem .8rem; overflow-x: auto; font-size: .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
code { font-size: .85em; } details summary { cursor: pointer; color: var(--link); }
svg { display: block; max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { stroke: var(--line); } svg .soft { fill: var(--soft); }
.boards { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: .75rem; } figure { margin: 0; }
figcaption { color: var(--soft); font-size: .82rem; margin-top: .3rem; max-width: 22rem; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(
            escape("<b a='1' c=\"2\">&\u{1b}\u{FFFE}"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\u{FFFD}\u{FFFD}"
        );
    }

    #[test]
    fn points_are_short() {
        assert_eq!([10.0, 7.5, 3.33, 0.0].map(points), ["10", "7.5", "3.33", "0"]);
    }

    #[test]
    fn only_all_is_the_last_shade() {
        assert_eq!([0.0, 0.1, 0.3, 0.6, 0.99, 1.0].map(shade), [0, 0, 1, 2, 3, 4]);
    }
}
