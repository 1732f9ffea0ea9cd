// The home page: a demo game of each kind, running games to watch, and an upload of replays.

import { Board } from './board.js';
import { acceptDrops, openReplay, showError } from './common.js';
import { button, fill, h } from './dom.js';
import { keptGames } from './kept.js';
import { del, games, get, openSession, post } from './net.js';
import { moduleOf } from './modules.js';
import { Player } from './player.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').SessionInfo} SessionInfo */

/** How fast a miniature plays, in turns per second, unless the game's module says otherwise. */
const SPEED = 3;
const PAUSE_AT_END = 2500;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const REFRESH = 8000;

/**
 * @param {HTMLElement} root
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root) {
  const all = await games();
  const miniatures = all.map((game) => new Miniature(game));
  const running = h('section', { class: 'running', 'aria-label': 'Games to watch' });
  const own = keptGames();
  fill(
    root,
    h(
      'div',
      { class: 'hero' },
      h('h1', null, 'Classic grid games, played by the rules'),
      h(
        'p',
        null,
        'Play them, watch strong agents think, build levels, solve positions, and let programs compete. Everything runs on this machine.',
      ),
    ),
    own.length ? continueList(own) : null,
    h(
      'div',
      { class: 'cards' },
      miniatures.map((miniature) => miniature.element),
      dropCard(),
    ),
    running,
  );
  const stopDrops = acceptDrops(root, openReplay, window);
  const refresh = async () => {
    if (!document.hidden)
      await listSessions(
        running,
        new Set([...own.map((one) => one.id), ...miniatures.map((one) => one.player?.views[0].session.id ?? '')]),
      ).catch(() => fill(running));
  };
  const timer = setInterval(refresh, REFRESH);
  refresh();
  return () => {
    clearInterval(timer);
    stopDrops();
    for (const miniature of miniatures) miniature.close();
  };
}

/** The visitor's unfinished games. @param {import('./kept').KeptGame[]} own */
function continueList(own) {
  return h(
    'section',
    { class: 'running continue', 'aria-label': 'Your games' },
    h('h2', null, 'Continue'),
    h(
      'ul',
      { class: 'panel' },
      own.map(({ route, title, turn }) =>
        h('li', null, h('a', { href: route }, h('strong', null, title)), h('span', { class: 'soft' }, ` turn ${turn}`)),
      ),
    ),
  );
}

/** A small board on which the best agent plays while it is visible. */
class Miniature {
  /** @param {GameInfo} game */
  constructor(game) {
    this.game = game;
    this.seed = 1 + Math.floor(Math.random() * 1000);
    this.visible = false;
    this.closed = false;
    /** @type {Player | null} */
    this.player = null;
    this.host = h('div', { class: 'miniature' });
    this.links = h(
      'div',
      { class: 'row' },
      h('a', { class: 'button primary', href: `#/play/${game.name}` }, 'Play'),
      h('a', { class: 'button', href: `#/watch/${game.name}` }, 'Watch'),
      h('a', { class: 'button', href: `#/edit/${game.name}` }, 'Edit'),
    );
    this.element = h(
      'article',
      { class: 'card', 'data-game': game.name },
      h(
        'a',
        { class: 'stage', href: `#/play/${game.name}`, 'aria-label': `Play ${game.title}`, tabindex: '-1' },
        this.host,
      ),
      h('div', { class: 'text' }, h('h2', null, game.title), h('p', null, game.about), this.links),
    );
    this.module = moduleOf(game);
    this.module.then(({ boards }) => {
      if (boards?.length) this.links.append(h('a', { class: 'button', href: `#/solve/${boards[0].name}` }, 'Solve'));
    }, showError);
    this.observer = new IntersectionObserver(([entry]) => this.setVisible(entry.isIntersecting), { threshold: 0.15 });
    this.observer.observe(this.element);
    this.onVisibility = () => this.setVisible(this.visible);
    document.addEventListener('visibilitychange', this.onVisibility);
  }

  /** @param {boolean} visible */
  setVisible(visible) {
    this.visible = visible;
    if (visible && !document.hidden) this.start();
    else this.player?.pause();
  }

  /** Whether it is seen and may move: who asked for reduced motion sees the start of the game. */
  get plays() {
    return this.visible && !document.hidden && !reducedMotion.matches;
  }

  async start() {
    if (this.player) return this.plays ? this.player.play() : undefined;
    if (this.starting) return;
    this.starting = true;
    const rules = this.game.rules[0].name;
    const level = levelToShow(this.game, rules);
    const seats = Array.from({ length: this.game.players[rules] ?? 1 }, () => 'best');
    try {
      const { id, key } = await post('/api/sessions', {
        game: this.game.name,
        rules,
        level: { name: level },
        seed: this.seed,
        seats,
        think_ms: 60,
      });
      const module = await this.module;
      if (this.closed) return void del(`/api/sessions/${id}`, key).catch(() => {});
      this.begin(id, key, module);
    } catch (error) {
      fill(this.host, h('p', { class: 'soft' }, error instanceof Error ? error.message : String(error)));
    }
  }

  /** @param {string} id @param {string} key @param {import('./types').GameModule} module */
  begin(id, key, { look, homeSpeed = SPEED }) {
    const session = openSession(id, key);
    const board = new Board(this.host, { label: this.game.title, look, quiet: true });
    const player = new Player([{ session, board, shown: -1 }], homeSpeed);
    this.player = player;
    player.addEventListener('change', () => {
      if (!player.finished || this.again) return;
      this.again = setTimeout(() => this.restart(), PAUSE_AT_END);
    });
    if (this.plays) player.play();
  }

  restart() {
    this.again = undefined;
    if (this.closed || !this.player) return;
    this.seed += 1;
    this.player.position = 0;
    this.player.views[0].shown = -1;
    this.player.views[0].session.restart(this.seed);
    if (this.plays) this.player.play();
  }

  close() {
    this.closed = true;
    clearTimeout(this.again);
    this.observer.disconnect();
    document.removeEventListener('visibilitychange', this.onVisibility);
    this.player?.close();
    this.player?.views[0].session.end();
  }
}

/** A random level that is legible on a small board. @param {GameInfo} game @param {string} rules */
function levelToShow(game, rules) {
  const levels = game.packs.flatMap((pack) =>
    pack.levels
      .filter((level) => level.rules.includes(rules))
      .map((level) => ({ name: `${pack.name}/${level.name}`, cells: level.size[0] * level.size[1] })),
  );
  const fitting = levels.filter((level) => level.cells >= 100 && level.cells <= 420);
  return (fitting.length ? fitting[Math.floor(Math.random() * fitting.length)] : levels[0]).name;
}

/**
 * Lists running and recent games that can be watched, except for this page's own.
 * @param {HTMLElement} place
 * @param {Set<string>} own
 */
async function listSessions(place, own) {
  /** @type {SessionInfo[]} */
  const sessions = (await get('/api/sessions')).filter(
    (/** @type {SessionInfo} */ session) => !own.has(session.id) && session.turns > 0,
  );
  if (!sessions.length) return fill(place);
  /** @param {SessionInfo} session */
  const row = (session) =>
    h(
      'li',
      null,
      h(
        'a',
        { href: session.record ? `#/replay/${session.id}` : `#/watch/live/${session.id}` },
        h('strong', null, session.game),
        ` ${session.level}`,
      ),
      h(
        'span',
        { class: 'soft' },
        ` ${session.seats.join(' against ')}, ${session.turns} turns${session.watchers ? `, ${session.watchers} watching` : ''}`,
      ),
    );
  return fill(
    place,
    h('h2', null, 'Running and recent games'),
    h('ul', { class: 'panel' }, sessions.slice(0, 12).map(row)),
  );
}

function dropCard() {
  const file = h('input', {
    type: 'file',
    id: 'replay-file',
    class: 'hidden-text',
    accept: '.jsonl,.zst,.json,.replay',
  });
  file.addEventListener('change', () => {
    if (file.files?.[0]) openReplay(file.files[0]).catch(showError);
  });
  return h(
    'article',
    { class: 'card drop' },
    h('h2', null, 'Have a replay?'),
    h('p', null, 'Drop the file anywhere on this page to watch it turn by turn, with the insight of its agents.'),
    h(
      'div',
      { class: 'row' },
      button('Choose a file', () => file.click()),
      file,
    ),
  );
}
