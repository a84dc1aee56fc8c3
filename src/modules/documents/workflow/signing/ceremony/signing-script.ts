/** Lets a party draw a signature. Without scripts the page accepts a typed name. Plain ES2020, because it is sent unchanged. */
const DRAWING_SCRIPT = `
(() => {
  const form = document.getElementById('sign');
  const canvas = document.getElementById('pad');
  if (!form || !canvas) return;
  const drawingStatus = document.getElementById('pad_status');
  const pen = canvas.getContext('2d');
  // ink: the part of the canvas that was drawn on
  let drawing = false, ink = null, last = null;

  const kind = () => form.elements.kind.value;
  const show = () => {
    document.getElementById('typed_part').hidden = kind() === 'drawn';
    document.getElementById('drawn_part').hidden = kind() !== 'drawn';
    if (kind() === 'drawn') fit();
  };
  const size = () => {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.min(Math.round(canvas.clientWidth * scale), 1600);
    canvas.height = Math.min(Math.round(canvas.clientHeight * scale), 600);
    pen.lineWidth = 2.5 * scale; pen.lineCap = 'round'; pen.lineJoin = 'round'; pen.strokeStyle = '#10233a';
  };
  // the layout of the page may change, as when a phone is turned: the drawing keeps its proportions
  const fit = () => {
    if (drawing || canvas.clientWidth === 0) return;
    if (!ink) return size();
    const copy = inked();
    size();
    place(copy);
  };
  // in the middle, and no larger than it was drawn
  const place = (image) => {
    const scale = Math.min(1, canvas.width / image.width, canvas.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const [left, top] = [(canvas.width - width) / 2, (canvas.height - height) / 2];
    pen.drawImage(image, left, top, width, height);
    ink = null;
    spread(left, top);
    spread(left + width, top + height);
  };
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: (event.clientX - box.left) * canvas.width / box.width, y: (event.clientY - box.top) * canvas.height / box.height };
  };
  const spread = (x, y) => {
    if (!ink) { ink = { left: x, top: y, right: x, bottom: y }; drawingStatus.textContent = drawingStatus.dataset.drawn; }
    ink = { left: Math.min(ink.left, x), top: Math.min(ink.top, y), right: Math.max(ink.right, x), bottom: Math.max(ink.bottom, y) };
  };
  // without the empty space around it, which would make the signature small
  const inked = () => {
    const copy = document.createElement('canvas');
    const [left, top] = [Math.max(0, Math.floor(ink.left - pen.lineWidth)), Math.max(0, Math.floor(ink.top - pen.lineWidth))];
    copy.width = Math.min(canvas.width, Math.ceil(ink.right + pen.lineWidth)) - left;
    copy.height = Math.min(canvas.height, Math.ceil(ink.bottom + pen.lineWidth)) - top;
    copy.getContext('2d').drawImage(canvas, -left, -top);
    return copy;
  };
  canvas.addEventListener('pointerdown', (event) => {
    drawing = true;
    last = at(event);
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drawing) return;
    const next = at(event);
    pen.beginPath(); pen.moveTo(last.x, last.y); pen.lineTo(next.x, next.y); pen.stroke();
    spread(last.x, last.y);
    spread(next.x, next.y);
    last = next;
  });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { drawing = false; });
  document.getElementById('clear').addEventListener('click', () => {
    ink = null;
    form.elements.drawing.value = '';
    size();
    drawingStatus.textContent = drawingStatus.dataset.empty;
    canvas.focus();
  });
  const restore = async (url) => {
    const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    if (!ink) place(image);
  };
  form.addEventListener('change', (event) => { if (event.target.name === 'kind') show(); });
  form.addEventListener('submit', () => {
    if (kind() !== 'drawn' || ink) form.elements.drawing.value = kind() === 'drawn' ? inked().toDataURL('image/png') : '';
  });
  new ResizeObserver(() => { if (kind() === 'drawn') fit(); }).observe(canvas);
  document.getElementById('draw_choice').hidden = false;
  show();
  // a drawing that was sent before and came back with a problem
  if (form.elements.drawing.value !== '') restore(form.elements.drawing.value).catch(() => { form.elements.drawing.value = ''; });
})();
`;

/** Shows on the pages what the party has filled in, and leads from field to field. */
const FIELDS_SCRIPT = `
(() => {
  const form = document.getElementById('sign');
  const marks = [...document.querySelectorAll('.mark_place a')];
  if (!form || marks.length === 0) return;
  const inputOf = (mark) => document.getElementById(mark.hash.slice(1));
  const texts = marks.filter((mark) => mark.dataset.kind === 'text');
  const valueOf = (mark) => {
    if (mark.dataset.kind === 'text') return inputOf(mark).value.trim();
    if (mark.dataset.kind !== 'signature') return '';
    return form.elements.kind.value === 'typed' ? form.elements.typed_name.value.trim() : '';
  };
  const progress = document.getElementById('progress');
  const show = () => {
    for (const mark of marks) {
      const value = valueOf(mark);
      mark.textContent = value || mark.dataset.text;
      mark.classList.toggle('filled', value !== '');
      mark.classList.toggle('by_name', value !== '' && mark.dataset.kind === 'signature');
      if (value) mark.setAttribute('aria-label', mark.dataset.text + ': ' + value); else mark.removeAttribute('aria-label');
    }
    if (!progress) return;
    const filled = texts.filter((mark) => valueOf(mark) !== '').length;
    progress.textContent = progress.dataset.text.replace('{filled}', filled).replace('{all}', texts.length);
  };
  form.addEventListener('input', show);
  form.addEventListener('change', show);
  show();
  const dialog = document.getElementById('fill');
  if (!dialog) return;
  const box = document.getElementById('fill_value');
  let current = null;
  const open = (mark) => {
    current = mark;
    document.getElementById('view_pages').checked = true;
    mark.scrollIntoView({ block: 'center' });
    document.getElementById('fill_label').textContent = mark.dataset.text;
    box.value = inputOf(mark).value;
    dialog.showModal();
    box.select();
  };
  const next = (from) => {
    const after = texts.slice(texts.indexOf(from) + 1).concat(texts).find((mark) => mark !== from && valueOf(mark) === '');
    if (after) open(after); else document.getElementById('sign_part').focus();
  };
  box.addEventListener('input', () => { inputOf(current).value = box.value; show(); });
  dialog.addEventListener('close', () => {
    current.focus();
    if (dialog.returnValue === 'next') next(current);
    dialog.returnValue = '';
  });
  for (const mark of texts) mark.addEventListener('click', (event) => { event.preventDefault(); open(mark); });
  const button = document.getElementById('next_field');
  button.hidden = false;
  button.addEventListener('click', () => next(null));
})();
`;

export const SIGNING_SCRIPT = DRAWING_SCRIPT + FIELDS_SCRIPT;
