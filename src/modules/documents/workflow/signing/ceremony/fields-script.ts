/**
 * Shows on the pages what the party has filled in, leads from field to field, and asks the server what follows from it: the rules of
 * fields are checked in one place only. Without scripts the form does the same when it is sent. Plain ES2020, because it is sent unchanged.
 */
export const FIELDS_SCRIPT = `
(() => {
  const form = document.getElementById('sign');
  if (!form) return;
  const marks = [...document.querySelectorAll('.mark_place a')];
  // the text of the document has places with this attribute, too
  const parts = [...form.querySelectorAll('[data-field]')];
  if (marks.length + parts.length === 0) return;
  const off = new Set([...document.querySelectorAll('[data-off]')].map(({ dataset }) => dataset.field || dataset.key));
  const TICK = '\u2713';
  const partOf = (mark) => parts.find((part) => part.dataset.field === mark.dataset.key);
  const controlsOf = (part) => [...part.querySelectorAll('input, select, textarea')];
  const isTick = (mark) => mark.dataset.kind === 'checkbox' || 'option' in mark.dataset;
  const isOpen = (part) => controlsOf(part).some((control) => control.name);
  // what a field shows; nothing if it is not filled in
  const valueOf = (part) => {
    const [control] = controlsOf(part);
    if (part.dataset.kind === 'choice' && control.type === 'radio') {
      const chosen = controlsOf(part).find(({ checked }) => checked);
      return chosen ? chosen.labels[0].textContent : '';
    }
    if (control.type === 'checkbox') return control.checked ? TICK : '';
    if (control.tagName === 'SELECT') return control.value && control.selectedOptions[0].textContent;
    if (control.type === 'date' && control.value)
      return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeZone: 'UTC' }).format(control.valueAsDate);
    return control.value.trim();
  };
  const optionOf = (mark) => controlsOf(partOf(mark)).find(({ value }) => value === mark.dataset.option);
  const isTicked = (mark) => 'option' in mark.dataset ? optionOf(mark).checked : valueOf(partOf(mark)) === TICK;
  const shownIn = (mark) => {
    const part = partOf(mark);
    if (part) return isTick(mark) ? (isTicked(mark) ? TICK : '') : valueOf(part);
    const root = form.querySelector('[data-adopt=' + mark.dataset.kind + ']');
    return (root && root.shown().text) || '';
  };
  // what is drawn or uploaded is shown in each of its places
  const imageIn = (mark) => {
    const root = form.querySelector('[data-adopt=' + mark.dataset.kind + ']');
    const { image } = root ? root.shown() : {};
    if (!image) return null;
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [image.width, image.height];
    copy.getContext('2d').drawImage(image, 0, 0);
    return copy;
  };
  // each field to fill in once, in the order of the pages
  const stops = [...new Set(marks.map(partOf))].filter((part) => part && isOpen(part));
  const isNeeded = (part) => !part.hidden && 'required' in part.dataset;
  const progress = document.getElementById('progress');
  const show = () => {
    for (const part of parts) part.hidden = off.has(part.dataset.field);
    for (const mark of marks) {
      const value = shownIn(mark);
      mark.parentElement.hidden = off.has(mark.dataset.key);
      const isAdopted = !partOf(mark) && mark.dataset.kind !== 'date';
      const image = isAdopted ? imageIn(mark) : null;
      if (image) mark.replaceChildren(image); else mark.textContent = value || (isTick(mark) ? '' : mark.dataset.text);
      mark.classList.toggle('filled', value !== '' || image !== null);
      mark.classList.toggle('by_name', value !== '' && isAdopted);
      for (const face of ['pen', 'script']) mark.classList.toggle(face, isAdopted && value !== '' && form.elements.face.value === face);
      if (isTick(mark)) mark.setAttribute('aria-checked', isTicked(mark));
      else if (value || image) mark.setAttribute('aria-label', value ? mark.dataset.text + ': ' + value : mark.dataset.text);
      else mark.removeAttribute('aria-label');
    }
    const needed = stops.filter(isNeeded);
    if (!progress || needed.length === 0) return;
    const filled = needed.filter((part) => valueOf(part) !== '').length;
    progress.textContent = progress.dataset.text.replace('{filled}', filled).replace('{all}', needed.length);
  };

  // the fields whose problems are shown: those that the party has left
  const left = new Set();
  const tell = (part, problem) => {
    const target = document.getElementById('placed_' + part.dataset.field);
    const id = target.id + '_error';
    let note = document.getElementById(id);
    const others = (target.getAttribute('aria-describedby') || '').split(' ').filter((one) => one && one !== id);
    if (problem && !note) {
      note = document.createElement('p');
      note.className = 'error';
      note.id = id;
      part.append(note);
    }
    if (!problem) { if (note) note.remove(); target.removeAttribute('aria-invalid'); }
    else {
      if (note.textContent !== problem) note.textContent = problem;
      target.setAttribute('aria-invalid', 'true');
      others.push(id);
    }
    if (others.length > 0) target.setAttribute('aria-describedby', others.join(' ')); else target.removeAttribute('aria-describedby');
  };
  let asked = 0;
  let timer = 0;
  let answered = Promise.resolve();
  const ask = () => {
    const turn = ++asked;
    timer = 0;
    const sent = new URLSearchParams();
    for (const control of parts.flatMap(controlsOf))
      if (control.name && (!/^(checkbox|radio)$/.test(control.type) || control.checked)) sent.append(control.name, control.value);
    answered = fetch(form.action.replace(/sign$/, 'fields'), { method: 'POST', body: sent })
      .then((response) => response.ok ? response.json() : Promise.reject(new Error(String(response.status))))
      .then(({ fields }) => {
        // a later answer is on its way
        if (turn !== asked) return;
        for (const key of Object.keys(fields)) if (fields[key].shown) off.delete(key); else off.add(key);
        for (const part of parts) {
          const state = fields[part.dataset.field];
          const [control] = controlsOf(part);
          if (!control.name) control.value = state.value;
          if (isOpen(part) && left.has(part)) tell(part, state.problem);
        }
        show();
      })
      .catch(() => {});
  };
  const askSoon = () => { clearTimeout(timer); timer = setTimeout(ask, 250); };
  // what the server makes of the last value, such as a field that it shows; not for long
  const settled = () => {
    if (timer) { clearTimeout(timer); ask(); }
    return Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 2000))]);
  };
  const inPart = ({ target }) => parts.find((part) => part.contains(target));
  form.addEventListener('adopted', show);
  document.addEventListener('input', (event) => { show(); if (inPart(event)) askSoon(); });
  document.addEventListener('change', (event) => {
    show();
    const part = inPart(event);
    if (part) { left.add(part); askSoon(); }
  });
  show();

  const tick = (mark) => {
    const control = 'option' in mark.dataset ? optionOf(mark) : controlsOf(partOf(mark))[0];
    control.checked = control.type === 'radio' || !control.checked;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  };
  for (const mark of marks.filter(isTick)) {
    if (!isOpen(partOf(mark))) continue;
    mark.setAttribute('role', 'option' in mark.dataset ? 'radio' : 'checkbox');
    mark.addEventListener('click', (event) => { event.preventDefault(); tick(mark); });
    mark.addEventListener('keydown', (event) => { if (event.key === ' ') { event.preventDefault(); tick(mark); } });
  }

  const dialog = document.getElementById('fill');
  if (!dialog) return;
  const home = document.createComment('');
  let current = null;
  // the control itself is shown in the dialog, so that its value, its hint and its problem are there
  const open = (part) => {
    current = part;
    document.getElementById('view_pages').checked = true;
    const mark = marks.find((one) => partOf(one) === part);
    mark.scrollIntoView({ block: 'center' });
    part.replaceWith(home);
    document.getElementById('fill_part').append(part);
    dialog.showModal();
    const control = controlsOf(part).find(({ checked }) => checked) || controlsOf(part)[0];
    control.focus();
    if (/^(text|email)$/.test(control.type)) control.select();
  };
  const next = (from) => {
    const isEmpty = (part) => part !== from && !part.hidden && valueOf(part) === '';
    const at = stops.indexOf(from);
    const after = stops.slice(at + 1).find(isEmpty) || stops.slice(0, Math.max(at, 0)).find((part) => isEmpty(part) && isNeeded(part));
    if (after) open(after); else document.getElementById('sign_part').focus();
  };
  dialog.addEventListener('close', () => {
    const part = current;
    left.add(part);
    home.replaceWith(part);
    marks.find((one) => partOf(one) === part).focus();
    askSoon();
    if (dialog.returnValue === 'next') settled().then(() => next(part));
    dialog.returnValue = '';
  });
  for (const mark of marks)
    if (partOf(mark) && isOpen(partOf(mark)) && !isTick(mark))
      mark.addEventListener('click', (event) => { event.preventDefault(); open(partOf(mark)); });
  const button = document.getElementById('next_field');
  button.hidden = false;
  button.addEventListener('click', () => settled().then(() => next(null)));
})();
`;
