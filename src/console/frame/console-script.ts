import { hash } from 'node:crypto';

/**
 * The script of every page of the console. Pages work without it: controls that need it are `hidden` until it runs. Its listeners are on
 * the document, so that they also handle elements that a refresh has replaced.
 */
export const CONSOLE_SCRIPT = `(() => {
  'use strict';
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const two = (number) => String(number).padStart(2, '0');
  const local = (date, seconds) =>
    date.getFullYear() + '-' + two(date.getMonth() + 1) + '-' + two(date.getDate()) + ' ' + two(date.getHours()) + ':' +
    two(date.getMinutes()) + (seconds ? ':' + two(date.getSeconds()) : '');

  const enhance = (within) => {
    for (const time of all('time[data-local]', within)) {
      const date = new Date(time.dateTime);
      if (isNaN(date)) continue;
      time.title = time.textContent;
      time.textContent = local(date, time.dataset.local === 'seconds');
    }
    for (const label of all('[data-hour]', within)) label.textContent = local(new Date(label.dataset.hour)).slice(11);
    for (const element of all('[data-script]', within)) element.hidden = false;
  };
  enhance(document);

  // the navigation is longer than most screens
  const side = document.querySelector('.side');
  const here = side && side.querySelector('[aria-current]');
  if (here && here.offsetTop + here.offsetHeight > side.clientHeight) side.scrollTop = here.offsetTop - side.clientHeight / 2;

  const said = document.createElement('div');
  said.className = 'away';
  said.setAttribute('role', 'status');
  document.body.append(said);

  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    const text = source.value ?? source.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // without https there is no clipboard: select the text, so that it can be copied by keyboard
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
      if (!document.execCommand('copy')) return;
    }
    const label = button.textContent;
    if (label === 'Copied') return;
    button.textContent = said.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
      said.textContent = '';
    }, 2000);
  };

  const renew = async (region) => {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
    if (!response || !response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(region.id);
    // the condition that it waited for is met
    if (fresh && region.dataset.live && !fresh.dataset.live) stop(region);
    // an element that is hovered or focused is not replaced
    if (!fresh || region.contains(document.activeElement) || fresh.innerHTML === region.dataset.shown) return;
    region.dataset.shown = fresh.innerHTML;
    region.innerHTML = fresh.innerHTML;
    enhance(region);
  };
  const asking = new Set();
  // one request at a time: an answer that comes late would replace a later one
  const refresh = (region) => {
    if (asking.has(region)) return;
    asking.add(region);
    renew(region).catch(() => {}).finally(() => asking.delete(region));
  };
  const timers = new Map();
  const press = (region, isOn) => {
    for (const button of all('[data-refresh="' + region.id + '"]')) button.setAttribute('aria-pressed', String(isOn));
  };
  const start = (region) => {
    timers.set(region, setInterval(() => document.hidden || refresh(region), 5000));
    press(region, true);
  };
  const stop = (region) => {
    clearInterval(timers.get(region));
    timers.delete(region);
    delete region.dataset.live;
    press(region, false);
  };
  const toggleRefresh = (button) => {
    const region = document.getElementById(button.dataset.refresh);
    if (timers.has(region)) return stop(region);
    start(region);
    refresh(region);
  };
  for (const region of all('[data-live]')) start(region);

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.dataset.copy) copy(button);
    else if (button.dataset.refresh) toggleRefresh(button);
    else if (button.dataset.insert) {
      const field = document.getElementById(button.dataset.insert);
      const lines = field.value.split('\\n').filter((line) => line.trim() && line.trim() !== button.value);
      field.value = [...lines, button.value].join('\\n');
      field.focus();
    } else if (button.dataset.tick) {
      const isTicked = button.value === 'all';
      for (const box of all('input[type=checkbox]:not(:disabled)', document.getElementById(button.dataset.tick))) box.checked = isTicked;
    }
  });
  document.addEventListener('submit', (event) => {
    const question = event.submitter && event.submitter.dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });
  document.addEventListener('input', (event) => {
    const list = event.target.dataset.filter && document.getElementById(event.target.dataset.filter);
    if (!list) return;
    const words = event.target.value.toLowerCase().split(/\\s+/);
    for (const row of all('[data-row]', list)) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
})();
`;

/** The file name contains a hash of the content, so browsers can cache it forever. */
export const CONSOLE_SCRIPT_FILE = `console-${hash('sha256', CONSOLE_SCRIPT, 'hex').slice(0, 16)}.js`;
