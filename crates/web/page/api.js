// The API page, rendered from the OpenAPI description.

import { fill, h } from './dom.js';
import { get } from './net.js';

/** @typedef {Record<string, any>} Json */
/** A kind of message on a socket. @typedef {{ name: string, about: string }} Message */
/** A socket, under the key `x-sockets` of the description. @typedef {{ path: string, about: string, server: Message[], client: Message[] }} Socket */

/** The order in which methods of one path are listed. */
const METHODS = ['get', 'post', 'put', 'delete'];

/**
 * @param {HTMLElement} root
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root) {
  const [description, version] = await Promise.all([get('/api/openapi.json'), get('/api/version')]);
  /** @type {Socket[]} */
  const sockets = description['x-sockets'] ?? [];
  const requests = Object.entries(/** @type {Json} */ (description.paths)).filter(
    ([path]) => !sockets.some((socket) => socket.path === path),
  );
  const articles = [
    ...requests.flatMap(([path, methods]) =>
      METHODS.filter((method) => methods[method]).map((method) => ({
        method,
        path,
        element: article(method, path, methods[method], description),
      })),
    ),
    ...sockets.map((socket) => ({ method: 'ws', path: socket.path, element: socketArticle(socket) })),
    ...Object.entries(/** @type {Json} */ (description.components?.schemas ?? {})).map(([name, schema]) => ({
      method: 'type',
      path: name,
      element: typeArticle(name, schema, description),
    })),
  ];
  const jump = (/** @type {HTMLElement} */ element) => (/** @type {Event} */ event) => {
    event.preventDefault();
    element.scrollIntoView();
  };
  fill(
    root,
    h(
      'div',
      { class: 'page-head' },
      h('h1', null, 'API'),
      h(
        'p',
        { class: 'soft' },
        `Your programs can do everything that this page does. Damier ${version.version}. `,
        h('a', { href: '/api/openapi.json' }, 'openapi.json'),
      ),
    ),
    h(
      'div',
      { class: 'api' },
      h(
        'nav',
        { class: 'panel', 'aria-label': 'Requests' },
        articles.map(({ method, path, element }) =>
          h('a', { href: '#/api', onclick: jump(element) }, methodBadge(method), path.replace('/api', '')),
        ),
      ),
      h(
        'div',
        { class: 'stack' },
        h(
          'section',
          { class: 'panel' },
          h(
            'p',
            null,
            'Requests and responses are JSON. A request that cannot be served gets a 4xx response with a message: ',
            h('code', null, '{"error":"…","line":3,"column":7}'),
            '. Line and column are given if the level text is invalid.',
          ),
          h(
            'p',
            null,
            'A server that accepts other machines requires its access token with every request, WebSockets included: send ',
            h('code', null, 'Authorization: Bearer TOKEN'),
            '.',
          ),
        ),
        articles.map(({ element }) => element),
      ),
    ),
  );
  return () => {};
}

/** @param {string} method */
function methodBadge(method) {
  return h('span', { class: `method ${method}` }, method.toUpperCase());
}

/** Renders `names` in a text as code. @param {string} text */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 ? h('code', null, part) : part));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Json} operation
 * @param {Json} description
 */
function article(method, path, operation, description) {
  const about = [operation.summary, operation.description].filter(Boolean).join(' ');
  const parameters = (operation.parameters ?? []).map((/** @type {Json} */ parameter) => [
    parameter.name,
    `${parameter.in}. ${parameter.description ?? ''}`,
  ]);
  const body = schemaOf(operation.requestBody, description);
  const answer = schemaOf(operation.responses?.['200'] ?? operation.responses?.['201'], description);
  const others = Object.entries(operation.responses ?? {})
    .filter(([code]) => !code.startsWith('2'))
    .map(([code, response]) => [code, /** @type {Json} */ (response).description ?? '']);
  return h(
    'article',
    { class: 'panel' },
    h('h3', null, methodBadge(method), path),
    h('p', null, prose(about)),
    list('Parameters', parameters),
    list('Body', body),
    list('Response', answer),
    list('Errors', others),
  );
}

/** @param {Socket} socket */
function socketArticle({ path, about, server, client }) {
  return h(
    'article',
    { class: 'panel' },
    h('h3', null, methodBadge('ws'), path),
    h('p', null, prose(about)),
    list('The server sends', server.map(pair)),
    list('The client sends', client.map(pair)),
  );
}

/** @param {string} name @param {Json} schema @param {Json} description */
function typeArticle(name, schema, description) {
  return h(
    'article',
    { class: 'panel' },
    h('h3', null, methodBadge('type'), name),
    h('p', null, prose(schema.description ?? '')),
    list('Fields', fieldsOf(schema, description)),
  );
}

/** @param {Message} message */
function pair({ name, about }) {
  return [name, about];
}

/** @param {string} title @param {string[][]} entries */
function list(title, entries) {
  if (entries.length === 0) return null;
  return [
    h('h4', null, title),
    h(
      'dl',
      null,
      entries.flatMap(([name, about]) => [h('dt', null, name), h('dd', null, prose(about))]),
    ),
  ];
}

/**
 * The fields of a request or response body, with their descriptions.
 * @param {Json | undefined} holder
 * @param {Json} description
 * @returns {string[][]}
 */
function schemaOf(holder, description) {
  const content = holder?.content ?? {};
  const [type, first] = /** @type {[string, Json]} */ (Object.entries(content)[0] ?? ['', {}]);
  if (!type) return holder?.description ? [['', holder.description]] : [];
  const schema = resolve(first.schema ?? {}, description);
  const items = schema.type === 'array' ? resolve(schema.items ?? {}, description) : schema;
  const fields = fieldsOf(items, description);
  return fields.length > 0 ? fields : [[type, holder?.description ?? items.description ?? '']];
}

/** @param {Json} schema @param {Json} description @returns {string[][]} */
function fieldsOf(schema, description) {
  return Object.entries(/** @type {Json} */ (schema.properties ?? {})).map(([name, field]) => {
    const note = (schema.required ?? []).includes(name) ? '' : ' (optional)';
    return [name, `${typeOf(field, description)}${note}. ${field.description ?? ''}`];
  });
}

/** @param {Json} schema @param {Json} description @returns {Json} */
function resolve(schema, description) {
  const name = schema.$ref?.split('/').at(-1);
  return name ? (description.components?.schemas?.[name] ?? {}) : schema;
}

/** @param {Json} field @param {Json} description @returns {string} */
function typeOf(field, description) {
  if (field.$ref) return field.$ref.split('/').at(-1);
  const choices = field.oneOf ?? field.anyOf;
  if (choices) return choices.map((/** @type {Json} */ one) => typeOf(one, description)).join(' or ');
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {}, description)}`;
  return Array.isArray(field.type) ? field.type.join(' or ') : (field.type ?? 'any');
}
