// A timeline to scrub: the position, the length, and remarks as pins.

import { button, fill, h, icon } from './dom.js';

/** @typedef {{at: number, text: string, bad?: boolean}} Pin */

export class Timeline {
  /** @param {{seek: (position: number) => void, step: (by: number) => void, toggle?: () => void, label?: string}} options */
  constructor(options) {
    this.options = options;
    this.slider = h('input', { type: 'range', min: '0', max: '0', value: '0', 'aria-label': options.label ?? 'Time' });
    this.slider.addEventListener('input', () => options.seek(Number(this.slider.value)));
    this.pins = h('div', { class: 'pins' });
    this.output = h('output', null, '0 / 0');
    const { step, toggle } = options;
    this.play = toggle
      ? button(icon('play'), toggle, { class: 'icon primary', 'aria-label': 'Play', title: 'Play or pause (space)' })
      : null;
    this.element = h(
      'div',
      { class: 'timeline', role: 'group', 'aria-label': 'Timeline' },
      h(
        'div',
        { class: 'row' },
        button(icon('first'), () => options.seek(0), {
          class: 'icon quiet',
          'aria-label': 'To the start',
          title: 'Start (Home)',
        }),
        button(icon('back'), () => step(-1), {
          class: 'icon quiet',
          'aria-label': 'Previous turn',
          title: 'Previous turn (←)',
        }),
        this.play,
        button(icon('on'), () => step(1), { class: 'icon quiet', 'aria-label': 'Next turn', title: 'Next turn (→)' }),
        button(icon('last'), () => options.seek(Infinity), {
          class: 'icon quiet',
          'aria-label': 'To the end',
          title: 'End (End)',
        }),
      ),
      h('div', { class: 'track' }, this.slider, this.pins),
      this.output,
    );
  }

  /**
   * @param {number} position
   * @param {number} last
   * @param {boolean} playing
   */
  set(position, last, playing) {
    this.slider.max = String(last);
    this.slider.value = String(position);
    this.slider.setAttribute('aria-valuetext', `turn ${position} of ${last}`);
    this.output.textContent = `${position} / ${last}`;
    if (!this.play) return;
    if (this.play.getAttribute('aria-label') === (playing ? 'Pause' : 'Play')) return;
    fill(this.play, icon(playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }

  /**
   * Shows remarks as pins; a click seeks to one.
   * @param {Pin[]} pins
   * @param {number} last
   */
  remark(pins, last) {
    this.pins.textContent = '';
    for (const pin of pins) {
      const flag = button('', () => this.options.seek(pin.at), {
        class: pin.bad ? 'pin bad' : 'pin',
        title: pin.text,
        'aria-label': `Turn ${pin.at}: ${pin.text}`,
      });
      flag.style.left = `${(100 * pin.at) / Math.max(1, last)}%`;
      this.pins.append(flag);
    }
  }
}
