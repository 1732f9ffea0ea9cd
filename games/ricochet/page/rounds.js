// A match of rounds: search, announce, beat the clock, show.

import { Board } from '../../board.js';
import { button, field, fill, h, select } from '../../dom.js';
import { socket } from '../../net.js';
import { PlayKeys } from '../../play-keys.js';
import { play } from '../../sound.js';
import { RobotHand } from './hand.js';
import { look } from './look.js';

/** @typedef {import('../../types').GameInfo} GameInfo */
/** @typedef {import('../../types').RoundMessage} Round */

const DIRECTIONS = ['north', 'east', 'south', 'west'];

/**
 * @param {HTMLElement} root
 * @param {GameInfo} game
 * @param {URLSearchParams} query
 * @returns {Promise<import('../../types').Unmount>}
 */
export async function mount(root, game, query) {
  const desk = new RoundsDesk(game, query);
  fill(root, desk.layout());
  return () => desk.close();
}

class RoundsDesk {
  /**
   * @param {GameInfo} game
   * @param {URLSearchParams} query
   */
  constructor(game, query) {
    this.game = game;
    this.strengths = game.strengths;
    this.strength = query.get('strength') ?? this.strengths[1] ?? '';
    this.seed = query.get('seed') ?? String(1 + Math.floor(Math.random() * 99999));
    /** @type {Round | null} */
    this.round = null;
    this.clockEnd = 0;
    this.line = socket('/api/rounds', { game: game.name, seed: this.seed, strength: this.strength });
    this.line.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.line.onclose = () => this.say('Connection lost. Reload the page to start a new match.');
    this.hand = new RobotHand();
    this.hand.onAction = (action) => this.send({ t: 'move', action });
    this.keys = new PlayKeys(game, {
      onAction: () => {
        const dir = this.keys.take();
        if (dir) this.hand.move(dir);
      },
      onPiece: (piece) => this.hand.choosePiece(piece),
    });
    this.host = h('div', { class: 'board-host', id: 'board' });
    this.board = new Board(this.host, { label: game.title, look, ...this.hand.handlers });
    this.hand.attach(this.board);
    this.score = h('div', { class: 'facts' });
    this.message = h('p', { role: 'status', class: 'note' });
    this.actions = h('div', { class: 'row', 'data-phase': '' });
    this.whose = h('h3');
    this.tried = h('ol', { class: 'tried' });
    this.announced = h('p', { class: 'soft' });
    this.timer = setInterval(() => this.drawClock(), 250);
    this.clock = h('output', { class: 'sandglass', 'aria-label': 'Seconds left' });
    this.number = h('input', {
      type: 'number',
      min: '1',
      max: '99',
      'aria-label': 'Number of moves',
      placeholder: 'moves',
    });
  }

  layout() {
    /** @param {string} strength */
    const go = (strength) => {
      location.hash = `#/play/${this.game.name}?strength=${encodeURIComponent(strength)}`;
    };
    return h(
      'div',
      { class: 'split desk' },
      h(
        'div',
        { class: 'stack' },
        this.score,
        h('div', { class: 'table-top with-hand' }, this.host, this.hand.element),
      ),
      h(
        'aside',
        { class: 'stack' },
        h(
          'section',
          { class: 'panel rounds', 'aria-label': 'Round' },
          this.clock,
          this.message,
          this.announced,
          this.actions,
          this.whose,
          this.tried,
        ),
        h(
          'section',
          { class: 'panel' },
          h('h2', null, 'The computer'),
          field('Strength', select(this.strengths, this.strength, go, { 'data-choice': 'strength' })),
          h(
            'p',
            { class: 'soft' },
            'Both sides search for the fewest moves to the target. The first announcement starts the sandglass. When it runs out, the side with the lowest announcement shows its moves and wins the target.',
          ),
        ),
      ),
    );
  }

  /** @param {Record<string, any>} message */
  send(message) {
    if (this.line.readyState === WebSocket.OPEN) this.line.send(JSON.stringify(message));
  }

  /** @param {Round | import('../../types').Complaint} message */
  receive(message) {
    if (message.t !== 'round') return this.say(message.text);
    this.take(message);
  }

  /** @param {Round} round */
  take(round) {
    const before = this.round;
    this.round = round;
    this.clockEnd = round.clock_ms === null ? 0 : performance.now() + round.clock_ms;
    const fresh = before?.round !== round.round;
    const moved = before && (before.tried.length !== round.tried.length || before.shown.length !== round.shown.length);
    this.board.show(round.picture, { animate: fresh ? 0 : 'natural' });
    this.hand.set(
      round.picture,
      this.mayMove() ? this.allMoves() : [],
      fresh ? (round.mission.robot ?? undefined) : undefined,
    );
    const [, robot, dir] = /^Hint: (\w+) (\w+)/.exec(round.message) ?? [];
    if (robot && round.message !== before?.message) this.hand.point(robot, dir);
    if (moved) play('slide');
    if (round.phase === 'won' && before?.phase !== 'won') play(round.by === 'you' ? 'win' : 'lose');
    this.refresh();
  }

  mayMove() {
    const { phase, by } = /** @type {Round} */ (this.round);
    return phase === 'looking' || phase === 'clock' || (phase === 'show' && by === 'you');
  }

  /** Any robot may be tried in any direction: the server rejects what is not possible. */
  allMoves() {
    return this.game.pieces.flatMap((piece) => DIRECTIONS.map((dir) => `${piece.action} ${dir}`));
  }

  /** @param {string} text */
  say(text) {
    fill(this.message, text);
  }

  refresh() {
    const round = /** @type {Round} */ (this.round);
    const robot = round.mission.robot ?? 'any robot';
    fill(
      this.score,
      [
        ['round', `${round.round} of ${round.rounds}`],
        ['you', round.score.you],
        ['computer', round.score.computer],
        ['mission', `${robot} to the target`],
      ].map(([name, value]) =>
        h('span', { class: 'fact' }, h('small', null, String(name)), h('b', null, String(value))),
      ),
    );
    this.say(round.message);
    const { you, computer } = round.announced;
    fill(
      this.announced,
      `You: ${you === null ? 'nothing yet' : `${you} moves`}. Computer: ${computer === null ? 'nothing yet' : `${computer} moves`}.`,
    );
    const moves = round.shown.length ? round.shown : round.tried;
    fill(this.whose, round.shown.length && round.by === 'computer' ? 'The computer’s moves' : 'Your moves');
    fill(
      this.tried,
      moves.map((move) => h('li', null, move)),
    );
    this.actions.dataset.phase = round.phase;
    fill(this.actions, this.buttons(round));
    this.drawClock();
  }

  /** @param {Round} round */
  buttons(round) {
    const { phase, by } = round;
    const back = [
      button('Back', () => this.send({ t: 'back' }), { 'data-do': 'back', disabled: !round.tried.length }),
      button('Clear', () => this.send({ t: 'clear' }), { disabled: !round.tried.length }),
    ];
    if (phase === 'looking' || phase === 'clock') {
      return [
        this.number,
        button(round.solved ? `Announce ${round.tried.length}` : 'Announce', () => this.announce(), {
          class: 'primary',
          'data-do': 'announce',
        }),
        ...back,
        phase === 'clock'
          ? button('Stop the clock', () => this.send({ t: 'stop_clock' }), { 'data-do': 'stop_clock' })
          : null,
        button('Hint: how many?', () => this.send({ t: 'hint', length: true })),
        button('Hint: first move', () => this.send({ t: 'hint', length: false })),
      ];
    }
    if (phase === 'show' && by === 'you')
      return [
        button('Show my moves', () => this.send({ t: 'show' }), { class: 'primary', 'data-do': 'show' }),
        ...back,
      ];
    if (phase === 'won')
      return [button('Next round', () => this.send({ t: 'next' }), { class: 'primary', 'data-do': 'next' })];
    if (phase === 'over')
      return [
        h(
          'a',
          {
            class: 'button primary',
            href: `#/play/${this.game.name}?strength=${encodeURIComponent(this.strength)}&seed=${Number(this.seed) + 1}`,
          },
          'Another match',
        ),
      ];
    return [];
  }

  announce() {
    const typed = Number(this.number.value);
    const round = /** @type {Round} */ (this.round);
    const moves = typed || (round.solved ? round.tried.length : 0);
    this.number.value = '';
    if (moves) this.send({ t: 'announce', moves });
    else this.say('Enter a number of moves, or first try moves that reach the target.');
  }

  drawClock() {
    const left = this.clockEnd ? Math.max(0, Math.ceil((this.clockEnd - performance.now()) / 1000)) : null;
    this.clock.hidden = left === null;
    this.clock.textContent = left === null ? '' : `⏳ ${left} s`;
  }

  close() {
    clearInterval(this.timer);
    this.line.onclose = null;
    this.line.close();
    this.keys.close();
    this.board.destroy();
  }
}
