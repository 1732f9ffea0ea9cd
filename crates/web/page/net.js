// The client of the server: requests, and the sockets of games and jobs.

import { interrupted } from './connection.js';

/** @typedef {import('./types').Frame} Frame */
/** @typedef {import('./types').WireFrame} WireFrame */
/** @typedef {import('./types').Hello} Hello */
/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').SessionEvents} SessionEvents */
/** @typedef {import('./types').JobAnswers} JobAnswers */
/** @typedef {{progress?: (text: string) => void, partial?: (answer: import('./types').AnalyzeAnswer) => void}} JobListeners */

/** An error response of the server; its message is shown to the user. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {number} [line]
   * @param {number} [column]
   */
  constructor(message, status, line, column) {
    super(message);
    this.status = status;
    this.line = line;
    this.column = column;
  }
}

/** An error message with its position in the level text, if it has one. @param {{ message: string, line?: number, column?: number }} error */
export function located({ message, line, column }) {
  if (!line) return message;
  return `Line ${line}${column ? `, column ${column}` : ''}: ${message}`;
}

/** How many older moments are requested at once. */
const CHUNK = 2000;

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function request(path, init = {}) {
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError('The server does not respond. Is it still running?', 0);
  }
  const body = (response.headers.get('content-type') ?? '').includes('json')
    ? await response.json()
    : await response.text();
  if (response.ok) return body;
  const text = body?.error ?? (typeof body === 'string' && body ? body : `Server error ${response.status}.`);
  throw new ApiError(text, response.status, body?.line, body?.column);
}

/** @param {string} path */
export function get(path) {
  return request(path);
}

/**
 * Posts JSON, or bytes as they are.
 * @param {string} path
 * @param {any} body
 */
export function post(path, body) {
  const bytes = body instanceof Blob || body instanceof ArrayBuffer;
  return request(path, {
    method: 'POST',
    headers: { 'content-type': bytes ? 'application/octet-stream' : 'application/json' },
    body: bytes ? body : JSON.stringify(body),
  });
}

/**
 * @param {string} path
 * @param {string} [key]
 */
export function del(path, key) {
  return request(key ? `${path}?key=${encodeURIComponent(key)}` : path, { method: 'DELETE' });
}

/** @type {Promise<GameInfo[]> | null} */
let known = null;

/** The games, requested once. @returns {Promise<GameInfo[]>} */
export function games() {
  known ??= get('/api/games').catch((error) => {
    known = null;
    throw error;
  });
  return /** @type {Promise<GameInfo[]>} */ (known);
}

/**
 * @param {string | undefined} name
 * @returns {Promise<GameInfo>}
 */
export async function gameNamed(name) {
  const all = await games();
  return all.find((game) => game.name === name) ?? all[0];
}

/**
 * Opens a socket of the API.
 * @param {string} path
 * @param {Record<string, string | null | undefined>} [query]
 */
export function socket(path, query = {}) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  return new WebSocket(url);
}

/** The longest pause between two attempts to reconnect, in milliseconds. */
const LONGEST_PAUSE = 4000;

/**
 * Does the server have this game? `null` if it does not answer.
 * @param {string} id
 * @returns {Promise<boolean | null>}
 */
export async function hasSession(id) {
  try {
    /** @type {import('./types').SessionInfo[]} */
    const sessions = await get('/api/sessions');
    return sessions.some((session) => session.id === id);
  } catch {
    return null;
  }
}

/**
 * A game on the server. Events: `hello`, `frame` (detail: its number), `thinking`, `hint`, `overlay`, `review`, `complaint`,
 * `watchers`, `gone` (the connection is interrupted), `lost` (the server no longer has the game).
 */
export class Session extends EventTarget {
  /**
   * @param {string} id
   * @param {string | null} [key]
   */
  constructor(id, key = null) {
    super();
    this.id = id;
    this.key = key;
    /** The moments received so far; older ones may still be missing. @type {Frame[]} */
    this.frames = [];
    /** The range of older moments being requested, without its end. @type {[number, number]} */
    this.wanted = [0, 0];
    /** The moments between turns, where time travel stops. @type {number[]} */
    this.stops = [];
    /** @type {import('./types').Sprite[]} */
    this.sprites = [];
    /** @type {Hello | null} */
    this.hello = null;
    this.closed = false;
    this.attempts = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.connect();
  }

  connect() {
    this.socket = socket(`/api/sessions/${encodeURIComponent(this.id)}/live`, { key: this.key });
    this.socket.onmessage = (event) => {
      for (const line of String(event.data).split('\n')) if (line) this.receive(JSON.parse(line));
    };
    this.socket.onclose = () => this.reconnect();
  }

  async reconnect() {
    if (this.closed) return;
    interrupted(this, true);
    this.emit('gone', null);
    this.attempts += 1;
    const there = await hasSession(this.id);
    if (this.closed) return;
    if (there === false) {
      this.closed = true;
      interrupted(this, false);
      this.emit('lost', null);
      return;
    }
    setTimeout(
      () => {
        if (!this.closed) this.connect();
      },
      Math.min(250 * 2 ** this.attempts, LONGEST_PAUSE),
    );
  }

  /** @param {import('./types').SessionMessage} message */
  receive(message) {
    if (message.t === 'frame') return this.keep(message);
    if (message.t === 'hello') {
      this.hello = message;
      this.attempts = 0;
      interrupted(this, false);
      this.sprites = [...message.picture.sprites];
      this.frames = [];
      this.stops = [];
      this.wanted = [0, 0];
    }
    this.emit(message.t, /** @type {any} */ (message));
  }

  /** Stores a frame. It replaces all frames from its number on, unless it is an older one that was requested. @param {WireFrame} wire */
  keep(wire) {
    wire.sprites?.forEach((sprite, index) => {
      this.sprites[(wire.sprites_at ?? this.sprites.length) + index] = sprite;
    });
    const tiles = this.tilesOf(wire);
    const [from, to] = this.wanted;
    const older = wire.n >= from && wire.n < to && !this.frames[wire.n];
    if (wire.n < this.frames.length && !older) this.dropFrom(wire.n);
    this.frames[wire.n] = { ...wire, tiles, size: wire.size ?? this.frames[wire.n - 1]?.size };
    if (!older && wire.stop) this.stops.push(wire.n);
    if (older && wire.n === to - 1) this.stops = this.frames.flatMap((frame) => (frame.stop ? [frame.n] : []));
    if (wire.n === to - 1 || this.stops.length === 1) this.wantOlder();
    this.emit('frame', wire.n);
  }

  /** Requests the next chunk of older moments: the server sends the newest ones first. */
  wantOlder() {
    const first = this.frames.findIndex(Boolean);
    if (first <= 0 || (this.wanted[1] && first > this.wanted[0])) return;
    this.wanted = [Math.max(0, first - CHUNK), first];
    this.send({ t: 'want', from: this.wanted[0], to: first });
  }

  /** @param {number} n */
  dropFrom(n) {
    this.frames.length = n;
    while (this.stops.length && this.stops[this.stops.length - 1] >= n) this.stops.pop();
  }

  /**
   * @param {WireFrame} wire
   * @returns {Uint16Array}
   */
  tilesOf(wire) {
    if (wire.tiles) return Uint16Array.from(wire.tiles);
    const before = this.frames[wire.n - 1]?.tiles ?? Uint16Array.from(this.hello?.picture.tiles ?? []);
    if (!wire.changes?.length) return before;
    const tiles = before.slice();
    for (const [cell, sprite] of wire.changes) tiles[cell] = sprite;
    return tiles;
  }

  /**
   * @template {keyof SessionEvents} Name
   * @param {Name} name
   * @param {SessionEvents[Name]} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * Adds a listener that gets the detail of the event.
   * @template {keyof SessionEvents} Name
   * @param {Name} name
   * @param {(detail: SessionEvents[Name]) => void} listener
   */
  on(name, listener) {
    this.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
    return this;
  }

  /** The number of the newest moment. */
  get last() {
    return this.frames.length - 1;
  }

  /** Whether the game is over at its newest moment. */
  get over() {
    return Boolean(this.frames.at(-1)?.status.over);
  }

  /**
   * The picture of a moment.
   * @param {number} n
   * @returns {Picture | null}
   */
  picture(n) {
    const frame = this.frames[n];
    if (!frame || !this.hello) return null;
    const { size, walls } = this.hello.picture;
    return {
      size: frame.size ?? size,
      walls,
      sprites: this.sprites,
      tiles: frame.tiles,
      pieces: frame.pieces,
      labels: frame.labels,
    };
  }

  /** Sends a message; `false` if the connection is interrupted. @param {Record<string, any>} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * @param {number} n
   * @param {string} action
   */
  act(n, action) {
    return this.send({ t: 'act', n, action });
  }

  /** @param {number} n */
  hint(n) {
    this.send({ t: 'hint', n });
  }

  /**
   * @param {number} n
   * @param {string} name
   */
  overlay(n, name) {
    this.send({ t: 'overlay', n, name });
  }

  review() {
    this.send({ t: 'review' });
  }

  /** Reports the moment on screen: agents do not play far ahead of it. @param {number} n */
  at(n) {
    this.send({ t: 'at', n });
  }

  /** @param {number} seed */
  restart(seed) {
    this.send({ t: 'restart', seed });
  }

  close() {
    this.closed = true;
    interrupted(this, false);
    const ws = this.socket;
    // Browsers log an error if a socket is closed before it is open.
    if (ws?.readyState === WebSocket.CONNECTING) ws.onopen = () => ws.close();
    else ws?.close();
  }

  /** Closes the socket and deletes the game. A socket that is still connecting comes first: it needs the game. */
  end() {
    const ws = this.socket;
    this.close();
    const remove = () => del(`/api/sessions/${this.id}`, this.key ?? undefined).catch(() => {});
    if (ws?.readyState === WebSocket.CONNECTING) ws.addEventListener('close', remove);
    else remove();
  }
}

/**
 * @param {string} id
 * @param {string | null} [key]
 */
export function openSession(id, key) {
  return new Session(id, key);
}

/** Searches on the server, one at a time: a new one replaces the current one. */
export class Jobs {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    this.number = 0;
    /** @type {({id: number, resolve: (answer: any) => void, reject: (error: Error) => void} & JobListeners) | null} */
    this.current = null;
  }

  /**
   * Starts a job. The promise of the job it replaces is rejected with an error whose `status` is -1.
   * @template {keyof JobAnswers} Kind
   * @param {import('./types').Job<Kind>} job
   * @param {JobListeners} [listeners]
   * @returns {Promise<JobAnswers[Kind]>}
   */
  run(job, listeners = {}) {
    this.current?.reject(new ApiError('replaced by a newer request', -1));
    this.number += 1;
    const id = this.number;
    return new Promise((resolve, reject) => {
      this.current = { id, resolve, reject, ...listeners };
      this.whenOpen((ws) => ws.send(JSON.stringify({ t: 'job', id, ...job })));
    });
  }

  /** @param {(ws: WebSocket) => void} then */
  whenOpen(then) {
    if (this.socket?.readyState === WebSocket.OPEN) return then(this.socket);
    const ws = this.socket ?? this.connect();
    ws.addEventListener(
      'open',
      () => {
        if (this.socket === ws) then(ws);
      },
      { once: true },
    );
  }

  /** Opens the socket. Events of one that has been replaced since are ignored. */
  connect() {
    const ws = socket('/api/jobs');
    this.socket = ws;
    ws.onmessage = (event) => {
      if (this.socket === ws) this.receive(JSON.parse(event.data));
    };
    ws.onclose = () => {
      if (this.socket !== ws) return;
      this.socket = null;
      this.settle(this.current?.id, (job) =>
        job.reject(new ApiError('The server does not respond. Is it still running?', 0)),
      );
    };
    return ws;
  }

  /** @param {import('./types').JobMessage} message */
  receive(message) {
    if (message.id !== this.current?.id) return;
    if (message.t === 'progress') this.current?.progress?.(message.text);
    if (message.t === 'partial') this.current?.partial?.(message);
    if (message.t === 'answer') this.settle(message.id, (job) => job.resolve(message));
    if (message.t === 'error') {
      this.settle(message.id, (job) =>
        job.reject(new ApiError(message.error, 422, message.line ?? undefined, message.column ?? undefined)),
      );
    }
  }

  /**
   * @param {number | undefined} id
   * @param {(job: NonNullable<Jobs['current']>) => void} end
   */
  settle(id, end) {
    const job = this.current;
    if (!job || job.id !== id) return;
    this.current = null;
    end(job);
  }

  /** Cancels the current job. */
  close() {
    const ws = this.socket;
    this.current = null;
    this.socket = null;
    ws?.close();
  }
}
