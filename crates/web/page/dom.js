// Elements and small widgets. Text is always inserted as text, never as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Props */

/**
 * Builds an element. A property that starts with `on` is a listener; `class`, `aria-*`, `data-*`, `role` and the like become
 * attributes; `style` is an object; everything else is set as a property.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith('on') && typeof value === 'function')
    element.addEventListener(name.slice(2).toLowerCase(), value);
  else if (name === 'style') setStyle(element, value);
  else if (name === 'class') element.className = value;
  else if (name.includes('-') || !(name in element) || name === 'list') {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  } else Reflect.set(element, name, value);
}

/**
 * @param {HTMLElement} element
 * @param {Record<string, string>} style
 */
function setStyle(element, style) {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
}

/**
 * @param {Node} parent
 * @param {(Child | Child[])[]} children
 */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replaces all children of an element.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.textContent = '';
  append(parent, children);
}

/** Icons as SVG paths in a 20 × 20 box: characters would differ between fonts. @type {Record<string, string>} */
const ICONS = {
  play: 'M6 3.5v13l11-6.5z',
  pause: 'M5 3.5h3.6v13H5zM11.4 3.5H15v13h-3.6z',
  on: 'M8 4.5v11l8-5.5zM4 4.5h2v11H4z',
  back: 'M12 4.5v11L4 10zM14 4.5h2v11h-2z',
  first: 'M16.5 4v12L9 10zM9.5 4v12L2 10z',
  last: 'M3.5 4v12l7.5-6zM10.5 4v12L18 10z',
  sound: 'M2.5 7.5h3L10 3.5v13l-4.5-4h-3zM12 6.200a5 5 0 0 1 0 7.600l1 1.300a6.700 6.700 0 0 0 0-10.200z',
  mute: 'M2.5 7.5h3L10 3.5v13l-4.5-4h-3zM12 8.300l1.200-1.200 1.800 1.800 1.800-1.800L18 8.300 16.200 10.100 18 11.900l-1.200 1.200-1.800-1.800-1.800 1.800-1.200-1.200 1.800-1.800z',
  sun: 'M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM9.200 1.500h1.600v2.800H9.200zM9.200 15.700h1.600v2.800H9.200zM1.500 9.200h2.800v1.600H1.500zM15.700 9.200h2.800v1.600h-2.800zM3.400 4.5l1.100-1.100 2 2-1.100 1.100zM13.5 14.600l1.100-1.100 2 2-1.100 1.100zM3.400 15.500l2-2 1.100 1.100-2 2zM13.5 5.400l2-2 1.100 1.100-2 2z',
  moon: 'M15.800 12.700A7 7 0 0 1 7.300 4.200a7 7 0 1 0 8.500 8.500z',
};

/** @param {string} name */
export function icon(name) {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('viewBox', '0 0 20 20');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  drawing.append(path);
  return drawing;
}

/**
 * A button with a text or an icon.
 * @param {string | Node} label
 * @param {(event: Event) => void} onClick
 * @param {Props} [props]
 */
export function button(label, onClick, props) {
  return h('button', { type: 'button', ...props, onclick: onClick }, label);
}

/**
 * A drop-down list. Options are values, or pairs of a value and the text to show.
 * @param {(string | [string, string])[]} options
 * @param {string} value
 * @param {(value: string) => void} onChange
 * @param {Props} [props]
 */
export function select(options, value, onChange, props) {
  const items = options.map((option) => {
    const [name, text] = typeof option === 'string' ? [option, option] : option;
    return h('option', { value: name, selected: name === value }, text);
  });
  const list = h('select', props ?? null, items);
  list.addEventListener('change', () => onChange(list.value));
  return list;
}

/**
 * A slider with its value beside it.
 * @param {{min: number, max: number, step?: number, value: number, text?: (value: number) => string, label?: string}} range
 * @param {(value: number) => void} onInput
 */
export function slider(range, onInput) {
  const text = range.text ?? String;
  const output = h('output', null, text(range.value));
  const input = h('input', {
    type: 'range',
    min: range.min,
    max: range.max,
    step: range.step ?? 1,
    'aria-label': range.label ?? null,
  });
  input.value = String(range.value);
  input.setAttribute('aria-valuetext', text(range.value));
  input.addEventListener('input', () => {
    output.textContent = text(Number(input.value));
    input.setAttribute('aria-valuetext', output.textContent);
    onInput(Number(input.value));
  });
  return h('span', { class: 'slider' }, input, output);
}

/**
 * A labelled field of a form.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [note]
 */
export function field(label, control, note) {
  return h('label', { class: 'field' }, h('span', null, label), control, note ? h('small', null, note) : null);
}

/**
 * A labelled checkbox.
 * @param {string} label
 * @param {boolean} checked
 * @param {(checked: boolean) => void} onChange
 */
export function checkbox(label, checked, onChange) {
  const box = h('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => onChange(box.checked));
  return h('label', { class: 'check' }, box, h('span', null, label));
}

/**
 * Tabs: links, or buttons that call `onChoose`.
 * @param {{name: string, text: string, href?: string}[]} items
 * @param {string} current
 * @param {((name: string) => void) | null} onChoose
 * @param {string} label
 */
export function tabs(items, current, onChoose, label) {
  const list = h('nav', { class: 'tabs', 'aria-label': label });
  for (const item of items) {
    const chosen = item.name === current ? 'page' : null;
    const tab = item.href
      ? h('a', { href: item.href, 'aria-current': chosen }, item.text)
      : button(item.text, () => onChoose?.(item.name), { 'aria-current': chosen });
    list.append(tab);
  }
  return list;
}

/**
 * @param {(Child | Child[])[]} head
 * @param {(Child | Child[])[][]} rows
 * @param {string} [caption]
 */
export function table(head, rows, caption) {
  /** @param {(Child | Child[])[]} row */
  const cells = (row) => row.map((cell) => h('td', null, cell));
  return h(
    'div',
    { class: 'table' },
    h(
      'table',
      null,
      caption ? h('caption', null, caption) : null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head.map((cell) => h('th', { scope: 'col' }, cell)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) => h('tr', null, cells(row))),
      ),
    ),
  );
}

/**
 * A dialog over the page; resolves when it is closed.
 * @param {string} title
 * @param {(close: () => void) => (Child | Child[])[]} content
 * @returns {Promise<void>}
 */
export function dialog(title, content) {
  return new Promise((resolve) => {
    const box = h('dialog', { 'aria-label': title });
    const close = () => box.close();
    append(box, [
      h('header', null, h('h2', null, title), button('×', close, { class: 'quiet', 'aria-label': 'Close' })),
      h('div', { class: 'body' }, ...content(close)),
    ]);
    box.addEventListener('click', (event) => {
      if (event.target === box) close();
    });
    box.addEventListener('close', () => {
      box.remove();
      resolve();
    });
    document.body.append(box);
    box.showModal();
  });
}

/**
 * A short message that disappears by itself.
 * @param {string} text
 * @param {'good' | 'bad' | 'plain'} [kind]
 */
export function toast(text, kind = 'plain') {
  const place = document.getElementById('toasts');
  const note = h('div', { class: `toast ${kind}` }, text);
  place?.append(note);
  setTimeout(() => note.remove(), kind === 'bad' ? 7000 : 4000);
}

/**
 * Downloads text or bytes as a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} [type]
 */
export function download(name, content, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
