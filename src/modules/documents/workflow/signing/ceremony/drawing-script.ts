/**
 * Lets a party draw its signature and its initials, or upload pictures of them. Without scripts the page accepts typed names. Plain ES2020,
 * because it is sent unchanged.
 */
export const DRAWING_SCRIPT = `
(() => {
  const form = document.getElementById('sign');
  if (!form) return;
  const adopt = (root) => {
    const ways = [...root.querySelectorAll('[data-way]')];
    const part = (way) => ways.find((one) => one.dataset.way === way);
    const way = () => root.querySelector('[type=radio]:checked').value;
    const canvas = part('drawn').querySelector('canvas');
    const clear = part('drawn').querySelector('button');
    const drawingStatus = part('drawn').querySelector('[role=status]');
    const drawn = part('drawn').querySelector('[type=hidden]');
    const file = part('uploaded').querySelector('[type=file]');
    const preview = part('uploaded').querySelector('canvas');
    const uploaded = part('uploaded').querySelector('[type=hidden]');
    const pen = canvas.getContext('2d');
    // ink: the part of the canvas that was drawn on
    let drawing = false, ink = null, last = null;

    const changed = () => form.dispatchEvent(new CustomEvent('adopted', { bubbles: true }));
    const show = () => {
      for (const one of ways) one.hidden = one.dataset.way !== way();
      if (way() === 'drawn') fit();
      changed();
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
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { drawing = false; changed(); });
    clear.addEventListener('click', () => {
      ink = null;
      drawn.value = '';
      size();
      drawingStatus.textContent = drawingStatus.dataset.empty;
      canvas.focus();
      changed();
    });
    const imageOf = (url) => {
      const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
      return createImageBitmap(new Blob([bytes]));
    };
    const restore = async (url) => { const image = await imageOf(url); if (!ink) place(image); };

    // as large as the pages need; the server reads it anew and takes the paper away
    const MOST = 300000;
    const draw = (image, width) => {
      const scale = Math.min(1, width / image.width);
      const copy = document.createElement('canvas');
      copy.width = Math.max(1, Math.round(image.width * scale));
      copy.height = Math.max(1, Math.round(image.height * scale));
      copy.getContext('2d').drawImage(image, 0, 0, copy.width, copy.height);
      return copy;
    };
    const showPicture = (image) => {
      const copy = draw(image, 600);
      [preview.width, preview.height] = [copy.width, copy.height];
      preview.getContext('2d').drawImage(copy, 0, 0);
      preview.hidden = false;
      changed();
    };
    file.addEventListener('change', async () => {
      uploaded.value = '';
      preview.hidden = true;
      try {
        const image = await createImageBitmap(file.files[0]);
        const type = file.files[0].type === 'image/png' ? 'image/png' : 'image/jpeg';
        const urls = [1600, 1000, 600, 400].map((width) => () => draw(image, width).toDataURL(type, 0.85));
        for (const url of urls) { uploaded.value = url(); if (uploaded.value.length <= MOST) break; }
        showPicture(image);
      } catch { changed(); }
    });

    root.addEventListener('change', (event) => { if (event.target.type === 'radio') show(); });
    form.addEventListener('submit', () => {
      if (way() !== 'drawn') drawn.value = '';
      else if (ink) drawn.value = inked().toDataURL('image/png');
      if (way() !== 'uploaded') uploaded.value = '';
    });
    new ResizeObserver(() => { if (way() === 'drawn') fit(); }).observe(canvas);
    for (const choice of root.querySelectorAll('[data-scripted]')) choice.hidden = false;
    // what the places on the pages show
    root.shown = () => {
      if (way() === 'typed') return { text: part('typed').querySelector('[type=text]').value.trim() };
      if (way() === 'drawn') return { image: ink && inked() };
      return { image: preview.hidden ? null : preview };
    };
    show();
    // what was sent before and came back with a problem
    if (drawn.value !== '') restore(drawn.value).catch(() => { drawn.value = ''; });
    if (uploaded.value !== '') imageOf(uploaded.value).then(showPicture).catch(() => { uploaded.value = ''; });
  };
  for (const root of form.querySelectorAll('[data-adopt]')) adopt(root);

  // the faces are large files, so they are loaded when the choice is near
  const faces = form.querySelector('.faces');
  const name = form.elements.typed_name;
  const sample = () => {
    for (const one of faces.querySelectorAll('.sample')) one.textContent = name.value.trim() || one.dataset.sample;
  };
  name.addEventListener('input', sample);
  sample();
  new IntersectionObserver((entries, near) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    near.disconnect();
    document.body.classList.add('typefaces');
  }, { rootMargin: '50% 0px' }).observe(faces);
})();
`;
