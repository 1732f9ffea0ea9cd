// One tournament: its progress, its standings and all of its games.

import { button, fill, h, select, table, tabs } from './dom.js';
import { stateBadge } from './arena.js';
import { COLOURS, ratingPlot, whisker } from './arena-plot.js';
import { del, get, post, socket } from './net.js';
import { showError, panel } from './common.js';

/** @typedef {import('./types').Tournament} Tournament */
/** @typedef {import('./types').EventStandings} EventTable */
/** @typedef {import('./types').OverallRow} OverallRow */
/** @typedef {import('./types').GameRow} Game */

/** @type {Record<import('./types').Outcome, string>} */
const OUTCOME_KINDS = { win: 'good', loss: 'bad', draw: '', limit: '' };
const PAGE = 20;
/** The delay before reconnecting. */
const RETRY_MS = 2_000;

export class TournamentView {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.path = `/api/tournaments/${encodeURIComponent(name)}`;
    /** @type {Tournament | null} */
    this.tournament = null;
    this.event = 0;
    this.from = 0;
    this.agent = '';
    this.head = h('section', { class: 'panel tournament-head' });
    this.tables = h('div', { class: 'stack', 'aria-live': 'off' });
    this.gamePanel = h('section', { class: 'panel', 'aria-label': 'Games' });
    this.element = h('div', { class: 'stack' }, this.head, this.tables, this.gamePanel);
    this.closed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  async load() {
    this.show(await get(this.path));
    await this.loadGames();
    this.follow();
  }

  reload() {
    if (!this.closed) this.load().catch(showError);
  }

  /** Subscribes to updates while the tournament runs. */
  follow() {
    const before = this.socket;
    this.socket = null;
    before?.close();
    if (this.closed || this.tournament?.state !== 'running') return;
    this.socket = socket(`${this.path}/live`);
    this.socket.onmessage = (event) => {
      for (const line of String(event.data).split('\n')) if (line) this.progress(JSON.parse(line));
    };
    const lost = this.socket;
    lost.onclose = () => {
      if (lost === this.socket && this.tournament?.state === 'running') setTimeout(() => this.reload(), RETRY_MS);
    };
  }

  /** @param {Tournament} tournament */
  progress(tournament) {
    const more = tournament.standings.played !== this.tournament?.standings.played;
    this.show(tournament);
    if (more) this.loadGames();
  }

  /** @param {Tournament} tournament */
  show(tournament) {
    this.tournament = tournament;
    this.showHead(tournament);
    const { standings, cross, history } = tournament;
    const event = standings.events[this.event] ?? standings.events[0];
    if (!event) return fill(this.tables);
    const names = tournament.plan.agents.map((agent) => agent.name);
    const several = standings.events.length > 1;
    const plot = ratingPlot(history[this.event] ?? [], names);
    fill(
      this.tables,
      several ? this.overall(standings.overall ?? [], standings.events) : null,
      several
        ? tabs(
            standings.events.map((one, index) => ({ name: String(index), text: one.name })),
            String(this.event),
            (index) => {
              this.event = Number(index);
              this.show(tournament);
            },
            'Games',
          )
        : null,
      h(
        'div',
        { class: 'standings' },
        panel('Standings', this.standings(event, names)),
        panel('Ratings', plot ?? h('p', { class: 'soft' }, 'The chart starts after the first games.')),
        crossTable(cross[this.event]),
        event.meetings?.length ? meetings(event.meetings) : null,
      ),
    );
  }

  /** @param {Tournament} tournament */
  showHead({ state, error, plan, standings: { played, scheduled } }) {
    fill(
      this.head,
      h(
        'div',
        { class: 'row' },
        h('a', { href: '#/arena', class: 'soft' }, 'Arena'),
        h('span', { class: 'soft' }, '›'),
        h('h1', null, this.name),
        stateBadge(state),
        h(
          'span',
          { class: 'row spread' },
          state === 'running' ? button('Stop', () => this.ask(() => del(this.path))) : null,
          state === 'stopped' || state === 'failed'
            ? button('Resume', () => this.ask(() => post(`${this.path}/resume`, {})), { class: 'primary' })
            : null,
        ),
      ),
      h(
        'p',
        { class: 'soft' },
        `${plan.events.map((event) => `${event.game} (${event.rules})`).join(', ')} · ${plan.format} · ${plan.agents.length} agents`,
      ),
      h('progress', { max: Math.max(1, scheduled), value: played, 'aria-label': 'Games played' }),
      h('small', null, `${played} of ${scheduled} games`),
      error ? h('p', { class: 'note bad' }, error) : null,
    );
  }

  /** @param {() => Promise<unknown>} what */
  async ask(what) {
    await what()
      .then(() => this.load())
      .catch(showError);
  }

  /** @param {EventTable} event @param {string[]} names */
  standings({ rows, repeated, seats }, names) {
    const rated = rows.flatMap(({ rating }) => (rating ? [rating] : []));
    const scale = /** @type {[number, number]} */ ([
      Math.min(0, ...rated.map(({ elo, margin }) => elo - margin)),
      Math.max(0, ...rated.map(({ elo, margin }) => elo + margin)),
    ]);
    const list = rows.map((row) => {
      const colour = COLOURS[names.indexOf(row.agent) % COLOURS.length];
      return [
        String(row.place),
        h('span', { class: 'agent' }, h('i', { style: { background: colour } }), row.agent),
        row.rating
          ? h('span', { class: 'number' }, `${signed(row.rating.elo)} ± ${Math.round(row.rating.margin)}`)
          : '–',
        row.rating ? whisker(row.rating.elo, row.rating.margin, scale, colour) : '',
        String(row.games),
        `${row.better}–${row.equal}–${row.worse}`,
        `${row.percent.toFixed(0)} %`,
        seats === 1 ? `${row.won} of ${row.games}` : String(row.won),
        row.faults > 0 ? h('span', { class: 'badge bad' }, String(row.faults)) : '0',
      ];
    });
    const substituted = rows.filter((row) => row.substituted);
    return [
      table(['', 'Agent', 'Rating', '', 'Games', 'Better–equal–worse', 'Points', 'Won', 'Faults'], list),
      ...substituted.map((row) => h('p', { class: 'note warn' }, `${row.agent}: ${row.substituted}`)),
      repeated > 0
        ? h(
            'p',
            { class: 'soft' },
            `${repeated} games repeated an earlier seed move by move; ratings count those once.`,
          )
        : null,
    ].filter((part) => part !== null);
  }

  /** @param {OverallRow[]} rows @param {EventTable[]} events */
  overall(rows, events) {
    const list = rows.map((row) => [
      String(row.place),
      row.agent,
      ...row.percents.map((percent) => (percent === null ? '–' : `${percent.toFixed(0)} %`)),
      h('b', null, `${row.mean.toFixed(1)} %`),
    ]);
    return panel('Overall', table(['', 'Agent', ...events.map((event) => event.name), 'Mean'], list));
  }

  // Games

  async loadGames() {
    const query = new URLSearchParams({ from: String(this.from), count: String(PAGE) });
    if (this.agent) query.set('agent', this.agent);
    const { games } = await get(`${this.path}?${query}`);
    if (!this.closed) this.showGames(games);
  }

  /** @param {Tournament['games']} games */
  showGames({ total, from, rows }) {
    const names = this.tournament?.plan.agents.map((agent) => agent.name) ?? [];
    const filter = select(
      [['', 'all agents'], ...names],
      this.agent,
      (agent) => {
        this.agent = agent;
        this.from = 0;
        this.loadGames();
      },
      { 'aria-label': 'Games of' },
    );
    const go = (/** @type {number} */ to) => {
      this.from = to;
      this.loadGames();
    };
    fill(
      this.gamePanel,
      h(
        'div',
        { class: 'row' },
        h('h2', null, 'Games'),
        filter,
        h('span', { class: 'soft' }, total > 0 ? `${from + 1} to ${from + rows.length} of ${total}` : 'none yet'),
        button('‹', () => go(Math.max(0, from - PAGE)), {
          class: 'icon',
          disabled: from === 0,
          'aria-label': 'Earlier games',
        }),
        button('›', () => go(from + PAGE), {
          class: 'icon',
          disabled: from + rows.length >= total,
          'aria-label': 'Later games',
        }),
      ),
      table(
        ['#', 'Level', 'Seed', 'Agents', 'Turns', 'Score', 'End', ''],
        rows.map((game) => this.gameRow(game)),
      ),
    );
  }

  /** @param {Game} game */
  gameRow({ number, level, seed, seats, outcomes, reason, turns, scores, fault, substituted }) {
    const players = seats.map((agent, seat) =>
      h('span', { class: `badge ${OUTCOME_KINDS[outcomes[seat]]}`, title: outcomes[seat] }, agent),
    );
    const end = fault
      ? h(
          'span',
          { class: 'fault', title: fault.text },
          h('span', { class: 'badge bad' }, 'fault'),
          ` ${seats[fault.seat]}: ${fault.text}`,
        )
      : reason;
    return [
      String(number),
      level,
      String(seed),
      h('span', { class: 'row players' }, players),
      String(turns),
      scores.join(' : '),
      [end, ...(substituted ?? []).map((sentence) => h('div', { class: 'note warn' }, sentence))],
      button('Replay', () => this.replay(number), { 'aria-label': `Replay of game ${number}` }),
    ];
  }

  /** @param {number} number */
  async replay(number) {
    await get(`${this.path}/games/${number}/replay`).then(({ id }) => {
      location.hash = `#/replay/${id}`;
    }, showError);
  }

  close() {
    this.closed = true;
    this.follow();
  }
}

/** @param {number} value */
function signed(value) {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : String(rounded).replace('-', '−');
}

/** The points of each agent against each other one. @param {import('./types').CrossTable | undefined} cross */
function crossTable(cross) {
  if (!cross || cross.agents.length < 2) return null;
  const cell = (/** @type {import('./types').CrossCell | null} */ result) => {
    if (!result || result.games === 0) return h('span', { class: 'soft' }, '·');
    const share = result.points / result.games;
    return h(
      'span',
      { class: 'duel', style: { '--share': `${Math.round(share * 100)}%` }, title: `${Math.round(share * 100)} %` },
      `${result.points} / ${result.games}`,
    );
  };
  const rows = cross.agents.map((agent, row) => [
    h('b', null, agent),
    ...cross.agents.map((_, column) =>
      row === column ? h('span', { class: 'self' }) : cell(cross.cells[row][column]),
    ),
  ]);
  return panel('Against each other', table(['', ...cross.agents], rows));
}

/** @param {import('./types').MeetingRow[]} list */
function meetings(list) {
  const rows = list.map(({ round, agents, points, winner }) => [
    String(round),
    `${agents[0]} – ${agents[1]}`,
    `${points[0]} : ${points[1]}`,
    winner ?? '',
  ]);
  return panel('Meetings', table(['Round', 'Agents', 'Points', 'Winner'], rows));
}
