/** Lets a party draw a signature. Without scripts the page accepts a typed name. Plain ES2020, because it is sent unchanged. */
export const DRAWING_SCRIPT = `
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
