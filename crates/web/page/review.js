// The review of a finished game: mistakes, and better moves.

import { button, fill, h } from './dom.js';

export class ReviewPanel {
  /**
   * @param {(n: number) => void} seek
   * @param {() => void} ask
   */
  constructor(seek, ask) {
    this.seek = seek;
    this.ask = ask;
    this.offered = false;
    this.element = h('div', { class: 'review', hidden: true });
  }

  /**
   * Offers a review once the game is over.
   * @param {boolean} over
   * @param {string} [question]
   */
  offer(over, question = 'What decided this game?') {
    if (over === this.offered) return;
    this.offered = over;
    this.element.hidden = !over;
    fill(
      this.element,
      button(
        question,
        () => {
          fill(this.element, h('p', { class: 'note info', role: 'status' }, 'Reviewing the game…'));
          this.ask();
        },
        { 'data-do': 'review' },
      ),
    );
  }

  /** @param {import('./types').Review} review */
  show(review) {
    const remarks = (review.remarks ?? []).map((remark) =>
      h(
        'li',
        null,
        button(`Turn ${remark.number ?? remark.n}`, () => this.seek(remark.n), { class: 'quiet' }),
        h('span', null, remark.text),
        remark.instead?.length ? h('small', null, ` Better: ${remark.instead.join(', ')}`) : null,
      ),
    );
    this.element.hidden = false;
    fill(
      this.element,
      h(
        'div',
        { class: 'panel' },
        h('h2', null, 'Review'),
        h('p', null, review.text || 'No remarks on this game.'),
        remarks.length ? h('ol', { class: 'remarks' }, remarks) : null,
      ),
    );
  }
}
