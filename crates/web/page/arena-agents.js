// The user's installed agents, and a form that installs a template.

import { button, field, fill, h, select, toast } from './dom.js';
import { get, post } from './net.js';
import { showError, panel } from './common.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').InstalledAgent} Installed */
/** @typedef {import('./types').AgentList} Agents */

/**
 * @param {Agents} agents
 * @param {GameInfo[]} games
 */
export function agentPanel(agents, games) {
  const list = h('ul', { class: 'plain' });
  const show = (/** @type {Installed[]} */ installed) =>
    fill(
      list,
      installed.length > 0
        ? installed.map(({ name, about, problem }) =>
            h('li', null, h('b', null, name), h('br'), h('small', null, problem ?? about)),
          )
        : h('li', { class: 'soft' }, 'None yet. A template is a working agent: install one and improve it.'),
    );
  show(agents.installed);
  return panel('Your agents', list, templateForm(agents, games, show));
}

/**
 * @param {Agents} agents
 * @param {GameInfo[]} games
 * @param {(installed: Installed[]) => void} show
 */
function templateForm(agents, games, show) {
  const languages = agents.templates.map((template) => template.language);
  const language = select(languages, languages[0], () => {});
  const game = select(
    games.map(({ name, title }) => [name, title]),
    games[0].name,
    () => {},
  );
  const name = h('input', {
    required: true,
    pattern: '[A-Za-z0-9_\\-]{1,40}',
    placeholder: 'my-agent',
    title: 'Letters, digits, - and _',
  });
  const install = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await post('/api/agents', { language: language.value, game: game.value, name: name.value });
    toast(`${name.value} is installed and can compete.`, 'good');
    show((await get('/api/agents')).installed);
    dispatchEvent(new CustomEvent('agentschange'));
  };
  return h(
    'form',
    { class: 'stack template-form', onsubmit: (/** @type {Event} */ event) => install(event).catch(showError) },
    h('h3', null, 'Install a template'),
    h('div', { class: 'two' }, field('Language', language), field('Game', game)),
    field('Name', name),
    button('Install', () => {}, { type: 'submit' }),
  );
}
