import { html, statusNote, type FileResponse, type Html } from '../../../kit/index.js';
import { documentPage, type PageLook } from './document-frame.js';

interface GonePage {
  /** What the reader's page was for. */
  purpose: string;
  /** The title of the document, if the reader may know it. */
  title: string | null;
  reason: string;
  /** What became of the document. */
  state?: string | null;
  /** What the reader's last action did. */
  note?: string | null;
  /** What the reader can do instead. */
  action?: Html | false;
  frameAncestors?: readonly string[];
}

/** The page of a link that no longer works: why, and what became of the document. */
export function gonePage(
  look: PageLook,
  { purpose, title, reason, state = null, note = null, action = false, frameAncestors }: GonePage,
): FileResponse {
  const { gone } = look.texts;
  return documentPage(look, {
    title: gone.title,
    purpose,
    status: 410,
    script: null,
    frameAncestors,
    body: html`<h1>${title ?? gone.title}</h1>
${note !== null && statusNote(note)}
<div class="note gone"><p>${reason}</p>
${state !== null && html`<p>${state}</p>`}
${action}</div>`,
  });
}
