import { hash } from 'node:crypto';
import { SEARCH_SCRIPT_FILE } from './search-script.js';

/** The script of the documentation: search, copy, and "Try it". Pages work without it; controls that need it are hidden until it runs. */
export const DOCS_SCRIPT = `const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const remembered = (store, name, value) => {
  try {
    if (value === undefined) return store.getItem(name) ?? '';
    store.setItem(name, value);
  } catch {}
  return '';
};
for (const element of all('[data-script]')) element.hidden = false;
addEventListener('load', () => document.body.classList.add('loaded'));
if (matchMedia('(min-width: 60rem)').matches) for (const menu of all('.menu')) menu.open = true;
const parts = new Map(all('.toc a, .parts a').map((link) => [link.hash.slice(1), link]));
if (parts.size > 0) {
  const places = [...parts.keys()].map((id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
  const mark = () => {
    const now = places.findLast((place) => place.getBoundingClientRect().top < innerHeight / 3) ?? places[0];
    for (const [id, link] of parts) link.classList.toggle('now', id === now?.id);
  };
  let waits = false;
  addEventListener('scroll', () => {
    if (!waits) requestAnimationFrame(() => { waits = false; mark(); });
    waits = true;
  }, { passive: true });
  mark();
}
document.querySelector('.side nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

const languages = all('input[name=language]');
const chosen = languages.find(({ value }) => value === remembered(localStorage, 'docs-language'));
if (chosen) chosen.checked = true;
for (const choice of languages) choice.addEventListener('change', () => remembered(localStorage, 'docs-language', choice.value));

const field = document.getElementById('search');
const list = document.getElementById('found');
let index;
let at = -1;
const load = () => (index ??= (async () => {
  const [{ default: MiniSearch }, { openSearch }, response] = await Promise.all([
    import('/docs/assets/minisearch.js'), import('/docs/assets/${SEARCH_SCRIPT_FILE}'), fetch('/docs/search.json')]);
  return openSearch(MiniSearch, await response.json());
})());
const select = (next) => {
  const items = all('li', list);
  at = items.length === 0 ? -1 : (next + items.length) % items.length;
  items.forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
  if (at >= 0) { items[at].scrollIntoView({ block: 'nearest' }); field.setAttribute('aria-activedescendant', items[at].id); }
};
const close = () => { list.hidden = true; field.setAttribute('aria-expanded', 'false'); field.removeAttribute('aria-activedescendant'); };
const find = async () => {
  const text = field.value.trim();
  if (text === '') return close();
  const search = await load();
  if (field.value.trim() !== text) return;
  const hits = search(text);
  list.replaceChildren(...hits.slice(0, 12).map(({ title, place, path, verb, kind }, i) => {
    const item = make('li', { id: 'hit-' + i },
      verb ? make('b', { className: 'verb ' + verb.toLowerCase(), textContent: verb })
        : make('span', { className: 'kind', textContent: kind[0].toUpperCase() + kind.slice(1) }),
      make('span', { textContent: title }),
      make('span', { className: 'place', textContent: place }));
    item.setAttribute('role', 'option');
    item.addEventListener('mousedown', (event) => { event.preventDefault(); go(path); });
    return item;
  }));
  if (hits.length === 0) list.append(make('li', {
     textContent: 'Nothing found for "' + text + '".', id: 'hit-0', role: 'option', className: 'none' }));
  list.dataset.paths = JSON.stringify(hits.slice(0, 12).map(({ path }) => path));
  list.dataset.of = text;
  list.hidden = false;
  field.setAttribute('aria-expanded', 'true');
  select(0);
};
// what is typed may not be searched yet: the list is still that of an earlier text
const open = async () => {
  if (list.dataset.of !== field.value.trim() || list.hidden) await find();
  const path = JSON.parse(list.dataset.paths ?? '[]')[at];
  if (!list.hidden && path) go(path);
};
const go = (path) => { close(); field.blur(); location.href = path; };
field.addEventListener('focus', load);
field.addEventListener('input', find);
field.addEventListener('blur', close);
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); select(at + (event.key === 'ArrowDown' ? 1 : -1)); }
  if (event.key === 'Escape') { field.value = ''; close(); }
  if (event.key === 'Enter') open();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  field.focus();
});

const copy = async (button) => {
  const shown = all('pre', button.closest('.panel')).find((code) => code.offsetParent !== null);
  try {
    await navigator.clipboard.writeText(shown.textContent.trim());
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(shown.querySelector('code'));
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000);
};
const labelled = (label, control) => make('label', {}, label, control);
const openTry = (button) => {
  const panel = button.closest('.panel');
  const open = panel.querySelector('.try');
  if (open) return open.remove();
  const { try: method, path, body } = button.dataset;
  const key = make('input', { type: 'password', autocomplete: 'off', placeholder: 'svc_test_...', required: true,
    value: remembered(sessionStorage, 'docs-key') });
  const address = make('input', { value: path, spellcheck: false });
  const content = make('textarea', { value: body, rows: Math.min(12, body.split('\\n').length + 1), spellcheck: false });
  const status = make('p', { role: 'status' });
  const result = make('pre', { hidden: true, tabIndex: 0 });
  const send = make('button', { className: 'send', textContent: 'Send ' + method });
  const form = make('form', { className: 'try' }, labelled('Test key, kept in this tab only', key), labelled('Address', address),
    ...(body ? [labelled('Body', content)] : []), send, status, result);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    result.hidden = true;
    if (!key.value.startsWith('svc_test_')) return void (status.textContent = 'Use a test key: it begins with svc_test_.');
    if (!address.value.startsWith('/api/')) return void (status.textContent = 'The address begins with /api/.');
    remembered(sessionStorage, 'docs-key', key.value);
    status.textContent = 'Sending ...';
    const start = performance.now();
    try {
      const response = await fetch(address.value, {
        method, credentials: 'omit', body: body ? content.value : undefined,
        headers: { authorization: 'Bearer ' + key.value.trim(), ...(body && { 'content-type': 'application/json' }),
          ...(/^(POST|PATCH)$/.test(method) && { 'idempotency-key': Date.now() + '-' + Math.random().toString(36).slice(2) }) },
      });
      const text = await response.text();
      status.textContent = response.status + ' ' + response.statusText + ', ' + Math.round(performance.now() - start) + ' ms';
      try { result.textContent = JSON.stringify(JSON.parse(text), null, 2); } catch { result.textContent = text.slice(0, 20000); }
      result.hidden = text === '';
    } catch (error) {
      status.textContent = 'There was no answer: ' + error.message;
    }
  });
  panel.append(form);
  (key.value ? send : key).focus();
};
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button?.dataset.copyOf) copy(button);
  else if (button?.dataset.try) openTry(button);
});
`;

/** The file name contains a hash of the content, so browsers can cache it. */
export const DOCS_SCRIPT_FILE = `docs-${hash('sha256', DOCS_SCRIPT, 'hex').slice(0, 16)}.js`;
