import { html, page, problemNote, type FileResponse } from '../../../kit/index.js';
import { DOCUMENT_STYLE } from '../pages/document-style.js';
import { paper, timeOf } from '../pages/paper.js';
import type { PasscodeVerdict } from './passcode.js';
import type { SharedDocument } from './shared-documents.service.js';

const PLACE = 'Shared documents';

/** The page of a shared document. */
export function sharedPage({ token, link, document, organization }: SharedDocument, content: string): FileResponse {
  return page({
    title: document.title,
    host: { name: organization, place: PLACE },
    style: DOCUMENT_STYLE,
    body: html`<h1>${document.title}</h1>
<section class="card" aria-label="About this document">
<dl><dt>Shared by</dt><dd>${organization}</dd>
${document.number !== null && html`<dt>Number</dt><dd>${document.number}</dd>`}
<dt>Link ends</dt><dd>${timeOf(link.expires_at)}</dd></dl>
${link.allow_download && html`<p><a class="button" href="/p/${token}/pdf">Download as PDF</a></p>`}
</section>
${paper(content)}`,
  });
}

/** The page that asks for the passcode. It must reveal nothing about the document. */
export function passcodePage({ token, organization }: SharedDocument, verdict?: Exclude<PasscodeVerdict, { kind: 'right' }>): FileResponse {
  const problem = verdict && problemOf(verdict);
  const mayTry = verdict === undefined || verdict.kind === 'wrong';
  return page({
    title: 'Enter the passcode',
    host: { name: organization, place: PLACE },
    status: verdict === undefined ? 200 : verdict.kind === 'wait' ? 429 : 403,
    headers: verdict?.kind === 'wait' ? { 'Retry-After': String(verdict.seconds) } : {},
    body: html`<h1>Enter the passcode</h1>
${problem !== undefined && problemNote('That did not work', [{ field: mayTry ? 'passcode' : null, text: problem }])}
${
  mayTry &&
  html`<section class="card">
<p>This document is protected. Ask the person who sent you the link for the passcode.</p>
<form method="post" action="/p/${token}">
<div class="field"><label for="passcode">Passcode</label>
<input type="password" name="passcode" id="passcode" maxlength="64" autocomplete="off"
${problem !== undefined && html` aria-invalid="true"`}></div>
<button>Open the document</button>
</form></section>`
}`,
  });
}

function problemOf(verdict: Exclude<PasscodeVerdict, { kind: 'right' }>): string {
  if (verdict.kind === 'wrong') return 'The passcode is wrong.';
  if (verdict.kind === 'locked') return 'Too many wrong passcodes were entered, so this link is locked. Ask for a new one.';
  return `Too many wrong passcodes were entered. Try again in ${Math.ceil(verdict.seconds / 60)} minutes.`;
}
