// The clock of real-time games. It runs in the page, which sends one turn per tick.

import { button, checkbox, field, h, slider } from './dom.js';

/** Milliseconds per turn that can be chosen. */
const PACES = [600, 450, 350, 280, 220, 180, 140, 110, 85, 65, 50];

export class PlayClock {
  /**
   * @param {{tick: () => void, pace: number, waits: boolean, changed: () => void}} options `waits`: whether turns wait for the player at
   *   first; `changed`: called when the player chooses another pace
   */
  constructor(options) {
    this.tick = options.tick;
    this.pace = options.pace;
    this.waits = options.waits;
    this.changed = options.changed;
    this.running = false;
    this.begun = false;
    this.timer = 0;
    this.toggleButton = button('Start', () => this.toggle(), { 'data-do': 'pause', title: 'P' });
    const nearest = PACES.reduce(
      (best, pace, index) => (Math.abs(pace - this.pace) < Math.abs(PACES[best] - this.pace) ? index : best),
      0,
    );
    this.paceField = field(
      'Pace',
      slider(
        {
          min: 0,
          max: PACES.length - 1,
          value: nearest,
          text: (index) => `${(1000 / PACES[index]).toFixed(1)}/s`,
          label: 'Turns per second',
        },
        (index) => {
          this.pace = PACES[index];
          this.changed();
        },
      ),
    );
    this.element = h(
      'div',
      { class: 'clock stack' },
      checkbox('turns wait for me', this.waits, (waits) => this.setWaits(waits)),
      this.paceField,
    );
    this.onVisibility = () => {
      if (document.hidden) this.stop();
    };
    document.addEventListener('visibilitychange', this.onVisibility);
    this.refresh();
  }

  /** @param {boolean} waits */
  setWaits(waits) {
    this.waits = waits;
    this.changed();
    this.stop();
  }

  start() {
    if (this.running || this.waits) return;
    this.running = true;
    this.begun = true;
    this.due = performance.now();
    this.schedule();
    this.refresh();
  }

  stop() {
    this.running = false;
    clearTimeout(this.timer);
    this.refresh();
  }

  toggle() {
    if (this.running) this.stop();
    else this.start();
  }

  schedule() {
    const now = performance.now();
    // Late ticks are not caught up.
    this.due = Math.max((this.due ?? now) + this.pace, now + this.pace / 2);
    this.timer = window.setTimeout(() => {
      if (!this.running) return;
      this.schedule();
      this.tick();
    }, this.due - now);
  }

  refresh() {
    this.toggleButton.textContent = this.running ? 'Pause' : this.begun ? 'Resume' : 'Start';
    this.toggleButton.hidden = this.waits;
    this.paceField.hidden = this.waits;
  }

  close() {
    this.stop();
    document.removeEventListener('visibilitychange', this.onVisibility);
  }
}
