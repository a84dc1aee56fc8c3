import { html, type Html } from '../../../kit/index.js';
import { PICTURE_WIDTHS, type ShownPages } from '../engine/pictures/page-pictures.service.js';
import type { Texts } from './texts/en.js';
import { fileTextsIn, type FileTexts } from './texts/file-texts.js';

/** From so many pages on, readers can choose a page by its number. */
const MANY_PAGES = 6;

/** Something on a page. Positions are fractions of the page. */
export interface PageMark {
  /** Of the file in the document. */
  position: number;
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  content: Html;
}

/** One of the files of a document, with its pages. */
export interface ShownFile {
  /** From 1. */
  position: number;
  name: string;
  pages: ShownPages;
}

interface DocumentPages {
  texts: Texts;
  /** Of the page. */
  language: string;
  /** The path of the page that shows them. */
  base: string;
  files: readonly ShownFile[];
  /** Of all files. */
  text: Html;
  marks?: readonly PageMark[];
}

/** The pages of a document as pictures, or its text. Several files have headings, and a list that leads to them. */
export function documentPages({ texts, language, base, files, text, marks = [] }: DocumentPages): Html {
  const words = fileTextsIn(language);
  if (files.every(({ pages }) => pages.sizes.length === 0)) return files.length === 1 ? text : html`${fileList(files, base, words)}${text}`;
  const { views, label } = texts.document;
  const choice = (id: string, name: string, isChosen: boolean) =>
    html`<span><input type="radio" name="view" id="${id}"${isChosen && html` checked`}><label for="${id}">${name}</label></span>`;
  const shown = files.map((file) => {
    const pageText = files.length === 1 ? views.page : (number: number, of: number) => words.page(file.name, number, of);
    return sheets(file, { base, pageText, marks });
  });
  return html`<fieldset class="views"><legend class="away">${views.label}</legend>
${choice('view_pages', views.pages, true)}${choice('view_text', views.text, false)}</fieldset>
${pageChoice(files, views.choose)}
<div class="sheets" role="group" aria-label="${label}">${files.length === 1 ? shown : withHeadings(files, shown, base, words)}</div>
${text}`;
}

/** Leads to a page, and names the one that is read. Shown by the script of the page. */
function pageChoice(files: readonly ShownFile[], label: string): Html | false {
  if (files.flatMap(({ pages }) => pages.sizes).length < MANY_PAGES) return false;
  const lists = files.map((file) => {
    const options = file.pages.sizes.map((_, index, { length }) => {
      const number = index + 1;
      return html`<option value="${figureId(file, number)}">${number} / ${length}</option>`;
    });
    return files.length === 1 ? options : html`<optgroup label="${file.name}">${options}</optgroup>`;
  });
  return html`<p class="go" hidden><label for="go">${label}</label> <select id="go" autocomplete="off">${lists}</select></p>`;
}

function figureId({ position }: ShownFile, number: number): string {
  return position === 1 ? `page_${number}` : `page_${position}_${number}`;
}

/** Leads to each file on the page, and downloads it. */
function fileList(files: readonly ShownFile[], base: string, words: FileTexts): Html {
  return html`<nav class="files" aria-label="${words.files}"><ol>${files.map(
    ({ position, name, pages }) => html`<li>${pages.sizes.length > 0 ? html`<a href="#file_${position}">${name}</a>` : name}
<span class="soft">${pages.sizes.length > 0 && words.pages(pages.sizes.length)}</span>
<a href="${base}/pdf?part=${position}">PDF <span class="away">${name}</span></a></li>`,
  )}</ol></nav>
`;
}

function withHeadings(files: readonly ShownFile[], shown: readonly Html[], base: string, words: FileTexts): Html {
  return html`${fileList(files, base, words)}
${files.map(
  ({ position, name, pages }, index) => html`<section aria-labelledby="file_${position}">
<h2 id="file_${position}"><span class="soft">${words.place(index + 1, files.length)}</span> ${name}</h2>
${pages.sizes.length > 0 ? shown[index] : html`<p class="soft">${words.notShown}</p>`}</section>
`,
)}`;
}

interface Sheets {
  base: string;
  pageText: (number: number, of: number) => string;
  marks: readonly PageMark[];
}

/** The pages of a file. */
function sheets(shown: ShownFile, { base, pageText, marks }: Sheets): Html {
  const { position, pages } = shown;
  const { sha256, sizes } = pages;
  const part = position === 1 ? '' : `&part=${position}`;
  return html`${sizes.map((size, index) => {
    const number = index + 1;
    const address = `${base}/pages/${number}`;
    const file = `file=${sha256.slice(0, 16)}${part}`;
    const picture = (width: string) => `${address}?width=${width}&${file}`;
    return html`<figure id="${figureId(shown, number)}" tabindex="-1"><div class="sheet" data-text="${address}/text?${file}">
<img src="${picture(PICTURE_WIDTHS[0])}" srcset="${PICTURE_WIDTHS.map((width) => `${picture(width)} ${width}w`).join(', ')}"
sizes="(min-width: 52rem) 50rem, 100vw" width="${Math.round(size.width)}" height="${Math.round(size.height)}"
loading="${index === 0 && position === 1 ? 'eager' : 'lazy'}" decoding="async" alt="${pageText(number, sizes.length)}">
${marks.map(
  (mark, place) =>
    mark.position === position && mark.page === number && html`<span class="mark_place" id="mark_${place}">${mark.content}</span>`,
)}</div>
<figcaption>${number} / ${sizes.length}</figcaption></figure>
`;
  })}`;
}

interface Downloads extends Pick<DocumentPages, 'base' | 'files'> {
  isSigned: boolean;
  /** Whether the reader can do nothing else. */
  isAlone?: boolean;
}

/** How readers download a document: its file, or all of several as one. The list of the files has each. */
export function downloads(
  { texts, language }: { texts: Texts; language: string },
  { base, files, isSigned, isAlone = false }: Downloads,
): Html {
  const { download, downloadSigned } = texts.document;
  const look = isAlone || isSigned ? 'button' : 'button quiet';
  if (files.length === 1) return html`<p><a class="${look}" href="${base}/pdf">${isSigned ? downloadSigned : download}</a></p>`;
  const words = fileTextsIn(language);
  return html`${isSigned && html`<p class="hint">${words.allHint}</p>`}
<p><a class="${look}" href="${base}/pdf?part=all">${words.all}</a></p>`;
}

/** The style of the page that puts the marks in their places. */
export function marksStyle(marks: readonly PageMark[]): string {
  const percent = (fraction: number) => `${Math.round(fraction * 10_000) / 100}%`;
  return marks
    .map(({ x, y, w, h }, place) => `#mark_${place}{left:${percent(x)};top:${percent(y)};width:${percent(w)};height:${percent(h)}}`)
    .join('');
}

/**
 * Lays the text of a page over its picture once the page stays near, so that it can be selected: pages that are only passed need none.
 * A picture that could not be loaded, because too many readers waited for theirs, is asked for again. The choice of a page shows which
 * one is read; Tab leads from it to what stands on that page.
 */
export const PAGES_SCRIPT = `
(() => {
  const PASSED_MS = 150;
  const RETRY_MS = 3000;
  const MOST_RETRIES = 4;
  const passing = new Map();
  const load = (target) => {
    fetch(target.dataset.text)
      .then((response) => response.ok ? response.text() : Promise.reject(new Error(String(response.status))))
      .then((source) => {
        const text = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
        if (text.localName !== 'svg' || target.querySelector('.layer')) return;
        near.unobserve(target);
        const layer = document.createElement('div');
        layer.className = 'layer';
        layer.setAttribute('aria-hidden', 'true');
        layer.append(document.adoptNode(text));
        target.append(layer);
      })
      .catch(() => {});
  };
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      clearTimeout(passing.get(target));
      if (isIntersecting) passing.set(target, setTimeout(() => load(target), PASSED_MS));
    }
  }, { rootMargin: '50% 0px' });
  for (const sheet of document.querySelectorAll('.sheet')) {
    near.observe(sheet);
    const picture = sheet.querySelector('img');
    let retries = 0;
    const again = () => {
      if (retries < MOST_RETRIES) setTimeout(() => { picture.srcset = picture.srcset; }, RETRY_MS * 2 ** retries++);
    };
    picture.addEventListener('error', again);
    if (picture.complete && picture.naturalWidth === 0 && picture.loading !== 'lazy') again();
  }
  const go = document.getElementById('go');
  if (!go) return;
  go.parentElement.hidden = false;
  const chosen = () => document.getElementById(go.value);
  // smoothly, it would load the pictures of all pages between
  go.addEventListener('change', () => chosen().scrollIntoView({ behavior: 'instant' }));
  go.addEventListener('keydown', ({ key, shiftKey }) => { if (key === 'Tab' && !shiftKey) chosen().focus({ preventScroll: true }); });
  const read = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) go.value = target.id;
  }, { rootMargin: '-33% 0px -66% 0px' });
  for (const page of document.querySelectorAll('.sheets figure')) read.observe(page);
})();
`;
