import { html, problemNote, type FileResponse } from '../../../../kit/index.js';
import type { DocumentState } from '../../model/core/document-states.js';
import type { Document } from '../../model/records/document.entity.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';
import { documentPage } from '../../pages/document-frame.js';
import { timeOf } from '../../pages/local-times.js';
import { renderedDocument } from '../../pages/rendered-document.js';
import { factLine, signerList } from '../../pages/people-list.js';
import type { Texts } from '../../pages/texts/en.js';
import { documentPages, downloads, PAGES_SCRIPT, type ShownFile } from '../../pages/document-pages.js';
import type { PasscodeVerdict } from './passcode.js';
import type { SharedDocument } from './shared-documents.service.js';

/** The page of a shared document: what it is, who signed it, and its text. */
export function sharedPage(
  shared: SharedDocument,
  parties: readonly SignatureParty[],
  { content, files }: { content: string; files: readonly ShownFile[] },
): FileResponse {
  const { token, link, document, look } = shared;
  const { texts, organization } = look;
  const { share, document: words } = texts;
  const text = renderedDocument(content, words);
  return documentPage(look, {
    title: document.title,
    purpose: texts.purposes.share,
    script: PAGES_SCRIPT,
    loads: true,
    body: html`${document.mode === 'test' && html`<p class="mark">${words.test}</p>`}
<h1>${document.title}</h1>
<p class="shows">${whatItShows(share.shows, document, parties)}</p>
<section class="about" aria-label="${words.about}">
${factLine([
  [share.sharedBy, organization],
  [words.number, document.number],
  [share.ends, timeOf(link.expires_at, look)],
])}
${parties.length > 0 && html`<h2>${share.whoSigned}</h2>${signerList(look, parties)}`}
${link.allow_download && downloads(look, { base: `/p/${token}`, files, isSigned: document.executed_at !== null, isAlone: true })}
</section>
<div class="reading">${documentPages({ texts, language: look.language, base: `/p/${token}`, files, text })}</div>`,
  });
}

const DRAFTS: readonly DocumentState[] = ['draft', 'returned'];
const IN_APPROVAL: readonly DocumentState[] = ['in_approval', 'approved'];

/** One sentence about the state of the document. */
function whatItShows(shows: Texts['share']['shows'], { state }: Document, parties: readonly SignatureParty[]): string {
  if (DRAFTS.includes(state)) return shows.draft;
  if (IN_APPROVAL.includes(state)) return shows.approval;
  if (state === 'finalized') return parties.length > 0 ? shows.final : shows.unsigned;
  if (state === 'executed' || state === 'declined' || state === 'expired') return shows[state];
  return shows.signing(parties.filter(({ status }) => status === 'signed').length, parties.length);
}

/** The page that asks for the passcode. It must reveal nothing about the document but its language. */
export function passcodePage({ token, look }: SharedDocument, verdict?: Exclude<PasscodeVerdict, { kind: 'right' }>): FileResponse {
  const { share, purposes } = look.texts;
  const problem = verdict && problemOf(share, verdict);
  const mayTry = verdict === undefined || verdict.kind === 'wrong';
  return documentPage(look, {
    title: share.passcodeTitle,
    purpose: purposes.share,
    status: verdict === undefined ? 200 : verdict.kind === 'wait' ? 429 : 403,
    headers: verdict?.kind === 'wait' ? { 'Retry-After': String(verdict.seconds) } : {},
    body: html`<h1>${share.passcodeTitle}</h1>
${problem !== undefined && problemNote(share.didNotWork, [{ field: mayTry ? 'passcode' : null, text: problem }])}
${
  mayTry &&
  html`<section class="card">
<p>${share.passcodeText}</p>
<form method="post" action="/p/${token}">
<div class="field"><label for="passcode">${share.passcode}</label>
<input type="password" name="passcode" id="passcode" maxlength="64" autocomplete="off"
${problem !== undefined && html` aria-invalid="true"`}></div>
<button>${share.open}</button>
</form></section>`
}`,
  });
}

function problemOf(share: Texts['share'], verdict: Exclude<PasscodeVerdict, { kind: 'right' }>): string {
  if (verdict.kind !== 'wait') return share[verdict.kind];
  return share.wait(Math.ceil(verdict.seconds / 60));
}
