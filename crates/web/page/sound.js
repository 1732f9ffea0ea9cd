// Synthesized sounds. Off until the user turns them on.

const KEY = 'damier-sound';

/** @type {AudioContext | null} */
let audio = null;

export function soundIsOn() {
  return localStorage.getItem(KEY) === 'on';
}

/** @param {boolean} on */
export function setSound(on) {
  localStorage.setItem(KEY, on ? 'on' : 'off');
  if (on) play('step');
}

/**
 * The tones of each sound, in order: start and end frequency, seconds, gain and waveform.
 * @type {Record<string, [number, number, number, number, OscillatorType][]>}
 */
const TONES = {
  step: [[330, 330, 0.04, 0.05, 'triangle']],
  slide: [[220, 440, 0.12, 0.06, 'sine']],
  push: [[140, 70, 0.16, 0.16, 'triangle']],
  take: [[660, 990, 0.07, 0.06, 'square']],
  hint: [
    [520, 520, 0.06, 0.06, 'sine'],
    [780, 780, 0.09, 0.06, 'sine'],
  ],
  wrong: [[180, 150, 0.14, 0.08, 'sawtooth']],
  win: [
    [523, 523, 0.1, 0.08, 'triangle'],
    [659, 659, 0.1, 0.08, 'triangle'],
    [784, 784, 0.24, 0.08, 'triangle'],
  ],
  lose: [
    [330, 300, 0.16, 0.09, 'triangle'],
    [247, 200, 0.3, 0.09, 'triangle'],
  ],
};

/** @param {string} name */
export function play(name) {
  if (!soundIsOn() || !TONES[name]) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') audio.resume();
  let when = audio.currentTime;
  for (const [from, to, seconds, loudness, shape] of TONES[name]) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = shape;
    tone.frequency.setValueAtTime(from, when);
    tone.frequency.exponentialRampToValueAtTime(to, when + seconds);
    gain.gain.setValueAtTime(loudness, when);
    gain.gain.exponentialRampToValueAtTime(0.001, when + seconds);
    tone.connect(gain).connect(audio.destination);
    tone.start(when);
    tone.stop(when + seconds);
    when += seconds * 0.9;
  }
}
