// Talking to the server: requests, and the sockets of games and jobs.

/** @typedef {import('./types').Frame} Frame */
/** @typedef {import('./types').WireFrame} WireFrame */
/** @typedef {import('./types').Hello} Hello */
/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').SessionEvents} SessionEvents */
/** @typedef {import('./types').JobAnswers} JobAnswers */
/** @typedef {{progress?: (text: string) => void, partial?: (answer: import('./types').AnalyzeAnswer) => void}} JobListeners */

/** An answer that says no, as the sentence to show. */
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

/** How many older moments are asked for at once. */
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
    throw new ApiError('The server does not answer. Is it still running?', 0);
  }
  const body = (response.headers.get('content-type') ?? '').includes('json')
    ? await response.json()
    : await response.text();
  if (response.ok) return body;
  const text = body?.error ?? (typeof body === 'string' && body ? body : `The server says ${response.status}.`);
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

/** The games, asked for once. @returns {Promise<GameInfo[]>} */
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

/**
 * A game on the server. Events: `hello`, `frame` (detail: its number), `thinking`, `hint`, `overlay`, `review`, `complaint`,
 * `watchers`, `lost` (the server is gone).
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
    /** Every moment known; older ones may be missing until they are wanted. @type {Frame[]} */
    this.frames = [];
    /** The older moments that were asked for: the first one, and the one after the last. @type {[number, number]} */
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

  reconnect() {
    if (this.closed) return;
    this.attempts += 1;
    // A game that never answered is not there.
    if (!this.hello || this.attempts > 5) {
      this.closed = true;
      this.tell('lost', null);
    } else
      setTimeout(
        () => {
          if (!this.closed) this.connect();
        },
        250 * 2 ** this.attempts,
      );
  }

  /** @param {import('./types').SessionMessage} message */
  receive(message) {
    if (message.t === 'frame') return this.keep(message);
    if (message.t === 'hello') {
      this.hello = message;
      this.attempts = 0;
      this.sprites = [...message.picture.sprites];
      this.frames = [];
      this.stops = [];
      this.wanted = [0, 0];
    }
    this.tell(message.t, /** @type {any} */ (message));
  }

  /** A frame replaces the one known before and everything after it, unless it is an older one that was asked for. @param {WireFrame} wire */
  keep(wire) {
    wire.sprites?.forEach((sprite, index) => {
      this.sprites[(wire.sprites_at ?? this.sprites.length) + index] = sprite;
    });
    const tiles = this.tilesOf(wire);
    const [from, to] = this.wanted;
    const older = wire.n >= from && wire.n < to && !this.frames[wire.n];
    if (wire.n < this.frames.length && !older) this.forgetFrom(wire.n);
    this.frames[wire.n] = { ...wire, tiles, size: wire.size ?? this.frames[wire.n - 1]?.size };
    if (!older && wire.stop) this.stops.push(wire.n);
    if (older && wire.n === to - 1) this.stops = this.frames.flatMap((frame) => (frame.stop ? [frame.n] : []));
    if (wire.n === to - 1 || this.stops.length === 1) this.wantOlder();
    this.tell('frame', wire.n);
  }

  /** Newcomers get the newest moments first; the others are fetched piece by piece. */
  wantOlder() {
    const first = this.frames.findIndex(Boolean);
    if (first <= 0 || (this.wanted[1] && first > this.wanted[0])) return;
    this.wanted = [Math.max(0, first - CHUNK), first];
    this.send({ t: 'want', from: this.wanted[0], to: first });
  }

  /** @param {number} n */
  forgetFrom(n) {
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
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * Listens, with the detail alone.
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

  /** Is the game over at its newest moment? */
  get over() {
    return Boolean(this.frames.at(-1)?.status.over);
  }

  /**
   * What the board draws of a moment.
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

  /** @param {Record<string, any>} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * @param {number} n
   * @param {string} action
   */
  act(n, action) {
    this.send({ t: 'act', n, action });
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

  /** Says what is being looked at: agents do not think far ahead of it. @param {number} n */
  at(n) {
    this.send({ t: 'at', n });
  }

  /** @param {number} seed */
  restart(seed) {
    this.send({ t: 'restart', seed });
  }

  close() {
    this.closed = true;
    const line = this.socket;
    // Browsers complain about sockets that are closed before they are open.
    if (line?.readyState === WebSocket.CONNECTING) line.onopen = () => line.close();
    else line?.close();
  }

  /** Closes it and has the server forget the game; not before the socket has arrived there, which would find nothing. */
  end() {
    const line = this.socket;
    this.close();
    const forget = () => del(`/api/sessions/${this.id}`, this.key ?? undefined).catch(() => {});
    if (line?.readyState === WebSocket.CONNECTING) line.addEventListener('close', forget);
    else forget();
  }
}

/**
 * @param {string} id
 * @param {string | null} [key]
 */
export function openSession(id, key) {
  return new Session(id, key);
}

/** Searches on the server. A new one takes the place of the one before. */
export class Jobs {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    this.number = 0;
    /** @type {({id: number, resolve: (answer: any) => void, reject: (error: Error) => void} & JobListeners) | null} */
    this.current = null;
  }

  /**
   * Asks for a job. The promise of a job that was replaced is rejected with an error whose `status` is -1.
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
      this.whenOpen((line) => line.send(JSON.stringify({ t: 'job', id, ...job })));
    });
  }

  /** @param {(line: WebSocket) => void} then */
  whenOpen(then) {
    if (this.socket?.readyState === WebSocket.OPEN) return then(this.socket);
    const line = this.socket ?? this.connect();
    line.addEventListener(
      'open',
      () => {
        if (this.socket === line) then(line);
      },
      { once: true },
    );
  }

  /** A socket that was closed and replaced has no say any more. */
  connect() {
    const line = socket('/api/jobs');
    this.socket = line;
    line.onmessage = (event) => {
      if (this.socket === line) this.receive(JSON.parse(event.data));
    };
    line.onclose = () => {
      if (this.socket !== line) return;
      this.socket = null;
      this.settle(this.current?.id, (job) =>
        job.reject(new ApiError('The server does not answer. Is it still running?', 0)),
      );
    };
    return line;
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

  /** Ends whatever runs. */
  close() {
    const line = this.socket;
    this.current = null;
    this.socket = null;
    line?.close();
  }
}
