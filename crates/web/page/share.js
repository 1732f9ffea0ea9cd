// Levels in links: the deflated text of a level in the fragment of the address, which browsers do not send to servers.

import { ApiError } from './net.js';

/** The longest level text that a link may inflate to: a short link must not exhaust the memory. */
const MAX_TEXT_LENGTH = 1 << 18;

/**
 * Packs a text into URL-safe characters.
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Unpacks a text that {@link pack} packed.
 * @param {string} letters
 * @returns {Promise<string>}
 */
export async function unpack(letters) {
  const damaged = new ApiError('This link is damaged: the level in it cannot be read.', 0);
  try {
    const plain = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return await readAll(stream, damaged);
  } catch {
    throw damaged;
  }
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {Error} tooLong
 */
async function readAll(stream, tooLong) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_TEXT_LENGTH) {
      await reader.cancel();
      throw tooLong;
    }
  }
}

/**
 * A route that contains a level: `#/play/GAME?z=…`.
 * @param {string} page `play`, `watch`, `edit` or `solve`
 * @param {string} game
 * @param {{ text: string, rules?: string, seed?: number }} level
 */
export async function levelRoute(page, game, { text, rules, seed }) {
  const params = new URLSearchParams({ z: await pack(text) });
  if (rules) params.set('rules', rules);
  if (seed !== undefined) params.set('seed', String(seed));
  return `#/${page}/${game}?${params}`;
}

/**
 * The level in a route's parameters: its text (`z`), the name of a shipped one (`level`), or null.
 * @param {URLSearchParams} params
 * @returns {Promise<{ text: string } | { name: string } | null>}
 */
export async function levelOf(params) {
  const letters = params.get('z');
  if (letters !== null) return { text: await unpack(letters) };
  const name = params.get('level');
  return name === null ? null : { name };
}
