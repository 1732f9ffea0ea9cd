// The form that starts a tournament.

import { button, checkbox, field, fill, h, select } from './dom.js';
import { get, post } from './net.js';
import { keepingFocus } from './common.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./arena-agents.js').Agents} Agents */

/** One game of the new tournament. @typedef {{ game: GameInfo, rules: string, levels: string[] }} Event */

const FORMATS = /** @type {[string, string][]} */ ([
  ['round-robin', 'round robin: all against all'],
  ['gauntlet', 'gauntlet: the first against all others'],
  ['knockout', 'knockout'],
]);
const THINKING = /** @type {[string, string][]} */ ([
  ['', 'no limit'],
  ['20', '20 ms per turn'],
  ['100', '100 ms per turn'],
  ['1000', '1 s per turn'],
]);

/**
 * @param {GameInfo[]} games
 * @param {Agents} agents
 */
export function tournamentForm(games, agents) {
  return new TournamentForm(games, agents).element;
}

class TournamentForm {
  /**
   * @param {GameInfo[]} games
   * @param {Agents} agents
   */
  constructor(games, agents) {
    this.games = games;
    this.installed = agents.installed;
    /** @type {Event[]} */
    this.events = [this.newEvent(games.find((game) => game.players[game.rules[0].name] > 1) ?? games[0])];
    this.chosen = new Set(['best', 'original']);
    this.rounds = h('input', {
      type: 'number',
      min: 1,
      max: 100,
      value: '2',
      name: 'rounds',
      oninput: () => this.showSize(),
    });
    this.name = h('input', {
      required: true,
      pattern: '[A-Za-z0-9_\\-]{1,60}',
      value: `cup-${new Date().toISOString().slice(5, 16).replace(/[T:]/g, '-')}`,
      name: 'name',
      title: 'Letters, digits, - and _',
    });
    this.format = select(FORMATS, 'round-robin', () => this.showSize());
    this.think = select(THINKING, '', () => {});
    this.eventList = h('div', { class: 'stack' });
    this.agentList = h('div', { class: 'agent-choice', role: 'group', 'aria-label': 'Agents' });
    this.size = h('p', { class: 'soft', role: 'status' });
    this.problem = h('div', { role: 'alert' });
    this.element = h(
      'form',
      {
        class: 'panel tournament-form',
        'aria-label': 'New tournament',
        onsubmit: (/** @type {globalThis.Event} */ event) => this.start(event),
      },
      h('h2', null, 'New tournament'),
      field('Name', this.name),
      h('h3', null, 'Games'),
      this.eventList,
      h(
        'div',
        { class: 'row' },
        button('Add a game', () => {
          this.events.push(this.newEvent(this.games[0]));
          this.show();
        }),
      ),
      h('h3', null, 'Agents'),
      this.agentList,
      h(
        'div',
        { class: 'three' },
        field('Format', this.format),
        field('Seeds per level', this.rounds),
        field('Thinking', this.think),
      ),
      this.size,
      this.problem,
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Start')),
    );
    const reload = async () => {
      if (!this.element.isConnected) return removeEventListener('agentschange', reload);
      this.installed = (await get('/api/agents')).installed;
      this.showAgents();
    };
    addEventListener('agentschange', reload);
    this.show();
  }

  /** @param {GameInfo} game @returns {Event} */
  newEvent(game) {
    const rules = game.rules[0].name;
    return { game, rules, levels: [game.default_level[rules] ?? ''] };
  }

  show() {
    keepingFocus(this.eventList, () =>
      fill(
        this.eventList,
        this.events.map((event, index) => this.eventFields(event, index)),
      ),
    );
    this.showAgents();
  }

  /** @param {Event} event @param {number} index */
  eventFields(event, index) {
    const change = (/** @type {Partial<Event>} */ changes) => {
      this.events[index] = { ...event, ...changes };
      this.show();
    };
    const game = select(
      this.games.map(({ name, title }) => [name, title]),
      event.game.name,
      (name) => {
        this.events[index] = this.newEvent(this.games.find((one) => one.name === name) ?? event.game);
        this.show();
      },
      { 'data-field': 'game' },
    );
    const rules = select(
      event.game.rules.map(({ name }) => name),
      event.rules,
      (name) => change({ rules: name, levels: [event.game.default_level[name] ?? ''] }),
    );
    const levels = select(this.levelChoices(event), event.levels[0], (level) => change({ levels: [level] }), {
      'data-field': 'levels',
    });
    return h(
      'div',
      { class: 'three event' },
      field('Game', game),
      field('Rules', rules),
      field('Levels', levels),
      this.events.length > 1
        ? button(
            '×',
            () => {
              this.events.splice(index, 1);
              this.show();
            },
            { class: 'icon quiet', 'aria-label': 'Remove this game' },
          )
        : null,
    );
  }

  /** Whole packs first, then single levels. @param {Event} event @returns {[string, string][]} */
  levelChoices({ game, rules }) {
    const packs = game.packs
      .map((pack) => ({ pack, levels: pack.levels.filter((level) => level.rules.includes(rules)) }))
      .filter(({ levels }) => levels.length > 0);
    const whole = packs.filter(({ pack, levels }) => levels.length === pack.levels.length && levels.length > 1);
    return [
      ...whole.map(
        ({ pack, levels }) => /** @type {[string, string]} */ ([pack.name, `all of ${pack.name} (${levels.length})`]),
      ),
      ...packs.flatMap(({ pack, levels }) =>
        levels.map(
          (level) => /** @type {[string, string]} */ ([`${pack.name}/${level.name}`, `${pack.name}/${level.name}`]),
        ),
      ),
    ];
  }

  /** The agents that can play all games. */
  choices() {
    const names = this.events.map(({ game }) => [
      ...game.agents.map((agent) => agent.name),
      ...this.installed
        .filter((agent) => !agent.problem && (!agent.game || agent.game === game.name))
        .map((agent) => agent.name),
    ]);
    return names[0].filter((name) => names.every((others) => others.includes(name)));
  }

  showAgents() {
    const names = this.choices();
    fill(
      this.agentList,
      names.map((name) =>
        checkbox(name, this.chosen.has(name), (on) => {
          if (on) this.chosen.add(name);
          else this.chosen.delete(name);
          this.showSize();
        }),
      ),
    );
    this.showSize();
  }

  /** Shows an estimate of the number of games. */
  showSize() {
    const agents = this.choices().filter((name) => this.chosen.has(name)).length;
    const rounds = Math.max(1, Number(this.rounds.value) || 1);
    const pairs = this.format.value === 'round-robin' ? (agents * (agents - 1)) / 2 : agents - 1;
    const games = this.events.map(({ game, rules, levels }) => {
      const count = game.packs.find((pack) => pack.name === levels[0])?.levels.length ?? 1;
      return count * rounds * (game.players[rules] > 1 ? 2 * pairs : agents);
    });
    const all = games.reduce((sum, count) => sum + count, 0);
    this.size.textContent =
      agents < 2 ? 'Choose at least two agents.' : `About ${all} ${all === 1 ? 'game' : 'games'}.`;
  }

  /** @param {globalThis.Event} submit */
  async start(submit) {
    submit.preventDefault();
    fill(this.problem);
    const request = {
      name: this.name.value,
      format: this.format.value,
      agents: this.choices().filter((name) => this.chosen.has(name)),
      seeds: `1..${Math.max(1, Number(this.rounds.value) || 1)}`,
      think_ms: this.think.value ? Number(this.think.value) : undefined,
      games: this.events.map(({ game, rules, levels }) => ({ game: game.name, rules, levels })),
    };
    try {
      await post('/api/tournaments', request);
      location.hash = `#/arena/${encodeURIComponent(request.name)}`;
    } catch (error) {
      fill(this.problem, h('p', { class: 'note bad' }, error instanceof Error ? error.message : String(error)));
    }
  }
}
