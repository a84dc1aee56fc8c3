import { html, type FileResponse, type Html } from '../../../kit/index.js';
import { timeOf } from './local-times.js';
import { factLine } from './people-list.js';
import { endingTextsIn } from './texts/ending-texts.js';
import { documentPage, type PageLook } from './document-frame.js';

/** What a reader may know about the end of a document. */
export interface Ending {
  number: string | null;
  at: Date | null;
  /** Null if nobody ended it, such as a deadline. */
  by: string | null;
  contact: { name: string; email: string | null };
}

interface GonePage {
  /** What the reader's page was for. */
  purpose: string;
  /** The title of the document, if the reader may know it. */
  title: string | null;
  reason: string;
  /** What became of the document. */
  state?: string | null;
  ending?: Ending | null;
  /** What the reader can do instead. */
  action?: Html | false;
  frameAncestors?: readonly string[];
}

/** The page of a link that no longer works: why, and what became of the document. */
export function gonePage(
  look: PageLook,
  { purpose, title, reason, state = null, ending = null, action = false, frameAncestors }: GonePage,
): FileResponse {
  const { gone } = look.texts;
  return documentPage(look, {
    title: gone.title,
    purpose,
    status: 410,
    script: null,
    frameAncestors,
    body: html`<h1>${title ?? gone.title}</h1>
<div class="note gone"><p>${reason}</p>
${state !== null && html`<p>${state}</p>`}
${action}</div>
${endingOf(look, ending)}
<p><a href="/verify">${endingTextsIn(look.language).verify}</a></p>`,
  });
}

function endingOf(look: PageLook, ending: Ending | null): Html | false {
  if (ending === null) return false;
  const words = endingTextsIn(look.language);
  const { number, at, by, contact } = ending;
  return html`<section class="about" aria-label="${look.texts.document.about}">${factLine([
    [look.texts.document.number, number],
    [words.when, at && timeOf(at, look)],
    [words.by, by],
    [words.contact, contact.email === null ? contact.name : html`${contact.name}, <a href="mailto:${contact.email}">${contact.email}</a>`],
  ])}</section>`;
}
