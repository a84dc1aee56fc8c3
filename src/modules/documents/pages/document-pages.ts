import { html, type Html } from '../../../kit/index.js';
import { PICTURE_WIDTHS, type ShownPages } from '../engine/pictures/page-pictures.service.js';
import type { Texts } from './texts/en.js';

/** Something on a page. Positions are fractions of the page. */
export interface PageMark {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  content: Html;
}

/** The pages of a document as pictures, or its text. `base` is the path of the page that shows them. */
export function documentPages(
  texts: Texts,
  base: string,
  { sha256, sizes }: ShownPages,
  text: Html,
  marks: readonly PageMark[] = [],
): Html {
  if (sizes.length === 0) return text;
  const { views, label } = texts.document;
  const choice = (id: string, name: string, isChosen: boolean) =>
    html`<span><input type="radio" name="view" id="${id}"${isChosen && html` checked`}><label for="${id}">${name}</label></span>`;
  return html`<fieldset class="views"><legend class="away">${views.label}</legend>
${choice('view_pages', views.pages, true)}${choice('view_text', views.text, false)}</fieldset>
<div class="sheets" role="group" aria-label="${label}">${sizes.map((size, index) => {
    const number = index + 1;
    const address = `${base}/pages/${number}`;
    const picture = (width: string) => `${address}?width=${width}&file=${sha256.slice(0, 16)}`;
    return html`<figure id="page_${number}"><div class="sheet" data-text="${address}/text?file=${sha256.slice(0, 16)}">
<img src="${picture(PICTURE_WIDTHS[0])}" srcset="${PICTURE_WIDTHS.map((width) => `${picture(width)} ${width}w`).join(', ')}"
sizes="(min-width: 52rem) 50rem, 100vw" width="${Math.round(size.width)}" height="${Math.round(size.height)}"
loading="${index === 0 ? 'eager' : 'lazy'}" decoding="async" alt="${views.page(number, sizes.length)}">
${marks.map((mark, place) => mark.page === number && html`<span class="mark_place" id="mark_${place}">${mark.content}</span>`)}</div>
<figcaption>${number} / ${sizes.length}</figcaption></figure>
`;
  })}</div>
${text}`;
}

/** The style of the page that puts the marks in their places. */
export function marksStyle(marks: readonly PageMark[]): string {
  const percent = (fraction: number) => `${Math.round(fraction * 10_000) / 100}%`;
  return marks
    .map(({ x, y, w, h }, place) => `#mark_${place}{left:${percent(x)};top:${percent(y)};width:${percent(w)};height:${percent(h)}}`)
    .join('');
}

/** Lays the text of a page over its picture once the page is near, so that it can be selected. */
export const PAGES_SCRIPT = `
(() => {
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      fetch(target.dataset.text)
        .then((response) => response.ok ? response.text() : Promise.reject(new Error(String(response.status))))
        .then((source) => {
          const layer = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
          if (layer.localName !== 'svg') return;
          layer.setAttribute('aria-hidden', 'true');
          target.append(document.adoptNode(layer));
        })
        .catch(() => {});
    }
  }, { rootMargin: '50% 0px' });
  for (const sheet of document.querySelectorAll('.sheet')) near.observe(sheet);
})();
`;
