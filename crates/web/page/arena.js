// The arena: tournaments, installed agents, replays and grading reports.

import { button, fill, h } from './dom.js';
import { agentPanel } from './arena-agents.js';
import { tournamentForm } from './arena-form.js';
import { TournamentView } from './arena-view.js';
import { games, get } from './net.js';
import { acceptDrops, openReplay, panel, showError } from './common.js';

/** @typedef {import('./types').TournamentInfo} Entry */

/**
 * @param {HTMLElement} root
 * @param {import('./types').RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const [name] = params.path;
  if (name) {
    const view = new TournamentView(name);
    fill(root, view.element);
    await view.load();
    return () => view.close();
  }
  const [tournaments, agents, reports, all] = await Promise.all([
    get('/api/tournaments'),
    get('/api/agents'),
    get('/api/reports'),
    games(),
  ]);
  fill(
    root,
    h(
      'div',
      { class: 'page-head' },
      h('h1', null, 'Arena'),
      h('p', { class: 'soft' }, 'Agents compete on the same levels and seeds. Every game is kept as a replay.'),
    ),
    h(
      'div',
      { class: 'arena' },
      h('div', { class: 'stack' }, tournamentList(tournaments), tournamentForm(all, agents)),
      h('aside', { class: 'stack' }, replayDrop(), agentPanel(agents, all), reportList(reports)),
    ),
  );
  return () => {};
}

/** @param {Entry['state']} state */
export function stateBadge(state) {
  const kind = { running: 'info', stopped: 'warn', done: 'good', failed: 'bad' }[state] ?? '';
  return h('span', { class: `badge ${kind}` }, state);
}

/** @param {Entry[]} tournaments */
function tournamentList(tournaments) {
  const entry = (/** @type {Entry} */ { name, state, played, scheduled, agents, games: played_games, format }) =>
    h(
      'li',
      null,
      h(
        'a',
        { href: `#/arena/${encodeURIComponent(name)}` },
        h('span', { class: 'row' }, h('b', null, name), stateBadge(state)),
        h('small', null, `${played_games.join(', ')} · ${format} · ${agents.join(', ')}`),
        h('progress', { max: Math.max(1, scheduled), value: played, 'aria-label': `${played} of ${scheduled} games` }),
      ),
    );
  return panel(
    'Tournaments',
    tournaments.length > 0
      ? h('ul', { class: 'tournaments' }, tournaments.map(entry))
      : h('p', { class: 'soft' }, 'None yet. Start one below: two agents are enough.'),
  );
}

/** Opens a replay by drag and drop or from a file dialog. */
function replayDrop() {
  const input = h('input', {
    type: 'file',
    class: 'hidden-text',
    tabIndex: -1,
    'aria-label': 'Replay file',
    onchange: () => {
      if (input.files?.[0]) openReplay(input.files[0]).catch(showError);
    },
  });
  const zone = panel(
    'Replays',
    h('p', { class: 'soft' }, 'Drop a replay here to watch it with its agents’ logs.'),
    button('Choose a file…', () => input.click()),
    input,
  );
  zone.classList.add('drop-zone');
  acceptDrops(zone, openReplay);
  return zone;
}

/** @param {import('./types').GradingReport[]} reports */
function reportList(reports) {
  return panel(
    'Grading reports',
    reports.length > 0
      ? h(
          'ul',
          { class: 'plain' },
          reports.map(({ name, url }) => h('li', null, h('a', { href: url, target: '_blank', rel: 'noopener' }, name))),
        )
      : h(
          'p',
          { class: 'soft' },
          'None yet. Reports that ',
          h('code', null, 'damier grade'),
          ' writes to ',
          h('code', null, 'reports'),
          ' in the data folder are listed here.',
        ),
  );
}
