import { html, page, type FileResponse, type FormProblem, type Html, type PageBrand } from '../../../kit/index.js';
import { DOCUMENT_STYLE } from './document-style.js';
import { LOCAL_TIMES_SCRIPT } from './local-times.js';
import type { Texts } from './texts/en.js';

/** The appearance and language of a page: part of `Look`. */
export interface PageLook {
  organization: string;
  language: string;
  /** Of the project. */
  timeZone: string;
  texts: Texts;
  brand: PageBrand;
}

interface DocumentPage {
  title: string;
  /** What the page is for, in a few words. */
  purpose: string;
  body: Html;
  /** Null for a page without times, which needs no script at all. */
  script?: string | null;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  frameAncestors?: readonly string[];
  /** Style that only this page needs. */
  style?: string;
  /** Whether it shows pictures of pages. */
  loads?: boolean;
}

/** A public page about a document: in the document's language, with the organization's brand, and times in the project's zone. */
export function documentPage(
  { organization, language, brand }: PageLook,
  { purpose, script = '', ...content }: DocumentPage,
): FileResponse {
  return page({
    ...content,
    language,
    host: { name: organization, purpose, brand },
    stylesheet: DOCUMENT_STYLE,
    script: script === null ? undefined : LOCAL_TIMES_SCRIPT + script,
  });
}

/** The progress from the first step to the last. `at` is the index of the current step; after the last one, all are done. */
export function stepLine(label: string, steps: readonly string[], at: number): Html {
  return html`<ol class="steps" aria-label="${label}">${steps.map(
    (step, index) => html`<li${index < at && html` class="over"`}${index === at && html` aria-current="step"`}><span>${step}</span></li>`,
  )}</ol>`;
}

interface Bar {
  /** The id of what comes after the document. */
  target: string;
  /** Leads to the target. */
  text: string;
  skip: string;
  /** Of the document. */
  title: string;
  action?: Html | false;
}

/** The document with a bar that stays in view while it is read and leads to what comes after it. */
export function reading(document: Html, { target, text, skip, title, action = false }: Bar): Html {
  return html`<a class="skip" href="#${target}">${skip}</a>
<div class="reading">${document}
<div class="bar"><span class="line" aria-hidden="true"></span><span class="soft" aria-hidden="true">${title}</span>
${action}<a class="button" href="#${target}">${text}</a></div></div>`;
}

/** Shows in the bar how much of the document was read. */
export const READING_SCRIPT = `
(() => {
  const part = document.querySelector('.reading');
  // on the line only: as a property of the part, it would restyle all pages and their texts at each step
  const line = part && part.querySelector('.bar .line');
  if (!line) return;
  let asked = false;
  const show = () => {
    asked = false;
    const { top, height } = part.getBoundingClientRect();
    const read = Math.min(1, Math.max(0, (innerHeight - top) / height));
    line.style.setProperty('--read', read);
  };
  const ask = () => { if (!asked) { asked = true; requestAnimationFrame(show); } };
  addEventListener('scroll', ask, { passive: true });
  addEventListener('resize', ask);
  show();
})();
`;

export function errorOf(field: string, problems: readonly FormProblem[]): Html | false {
  const problem = problems.find((one) => one.field === field);
  return problem !== undefined && html`<p class="error" id="${field}_error">${problem.text}</p>`;
}

/** The attributes that link a control to its hint and its problem. */
export function described(field: string, problems: readonly FormProblem[], hint?: string): Html {
  const isWrong = problems.some((one) => one.field === field);
  const by = [...(hint === undefined ? [] : [hint]), ...(isWrong ? [`${field}_error`] : [])].join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
}
