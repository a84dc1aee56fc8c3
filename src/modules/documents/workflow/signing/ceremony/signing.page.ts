import {
  html,
  problemNote,
  statusNote,
  type DomainError,
  type FileResponse,
  type FormProblem,
  type Html,
  currentTime,
} from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import { canDelegate, type SignatureParty } from '../../../model/records/signature-party.entity.js';
import { isOpen } from '../../../model/placed/placed-values.js';
import { described, documentPage, errorOf, reading, READING_SCRIPT, stepLine } from '../../../pages/document-frame.js';
import { timeOf } from '../../../pages/local-times.js';
import { fileTextsIn } from '../../../pages/texts/file-texts.js';
import { languageOf, renderedDocument } from '../../../pages/rendered-document.js';
import { factLine, signerList } from '../../../pages/people-list.js';
import { earlierSignatures, type SignedFile } from '../../../pages/earlier-signatures.js';
import { documentPages, downloads, marksStyle, PAGES_SCRIPT, type ShownFile } from '../../../pages/document-pages.js';
import type { SigningLink, Standing } from './signing-links.service.js';
import { adoptControls, FACES_STYLE } from './adopt-controls.js';
import { DRAWING_SCRIPT } from './drawing-script.js';
import { FIELDS_SCRIPT } from './fields-script.js';
import { placedControls, placedMarks, type PlacedInputs } from './placed-inputs.js';

import type { DeclineDto, DelegateDto, SignDto } from './signing.dto.js';

export interface SigningView {
  link: SigningLink;
  document: Document;
  party: SignatureParty;
  /** All parties in the signing order, including this one. */
  parties: readonly SignatureParty[];
  standing: Standing;
  signatures: readonly SignedFile[];
  /** The frozen document as HTML. */
  content: string;
  files: readonly ShownFile[];
  /** Where this party signs, and what it fills in. */
  placed: Omit<PlacedInputs, 'problems'>;
  /** The submitted form, if it has problems. */
  form?: SignDto & DeclineDto & DelegateDto;
  problems?: readonly FormProblem[];
  /** Why the form could not be processed although nothing is wrong with it. */
  failure?: DomainError;
}

/** The page on which a party reads, signs or declines the document, and reads it again after signing. */
export function signingPage(view: SigningView): FileResponse {
  const { link, document, standing, parties, party, problems = [], failure } = view;
  const { texts } = link.look;
  const mayAct = standing === 'open';
  const heading = mayAct ? texts.sign.heading(document.title) : document.title;
  const marks = mayAct ? placedMarks(inputsOf(view), languageOf(view.content)) : [];
  const text = renderedDocument(view.content, texts.document);
  const shown = documentPages({ texts, language: link.look.language, base: `/s/${link.token}`, files: view.files, text, marks });
  const bar = { target: 'sign_part', text: texts.sign.bar, skip: texts.document.skip, title: document.title, action: nextField(view) };
  return documentPage(link.look, {
    title: heading,
    purpose: texts.purposes.sign,
    status: failure?.spec.status ?? (problems.length > 0 ? 400 : 200),
    headers: failure?.occurrence.headers,
    script: PAGES_SCRIPT + (mayAct ? READING_SCRIPT + DRAWING_SCRIPT + FIELDS_SCRIPT : ''),
    style: marksStyle(marks) + (mayAct ? FACES_STYLE : ''),
    loads: true,
    frameAncestors: frameAncestorsOf(link),
    body: html`${document.mode === 'test' && html`<p class="mark">${texts.document.test}</p>`}
<h1>${heading}</h1>
${stepLine(texts.steps.label, [texts.steps.read, texts.steps.sign, texts.steps.done], mayAct ? (problems.length > 0 ? 1 : 0) : 3)}
${problemNote(texts.sign.notDone, problems)}${!mayAct && problems.length === 0 && doneNote(view)}
${aboutDocument(view)}
${mayAct ? reading(shown, bar) : html`<div class="reading">${shown}</div>`}
${mayAct && html`<div id="sign_part" tabindex="-1">${[codeCard(view), signCard(view), delegateCard(view), declineCard(view)]}</div>`}
${
  mayAct &&
  html`<section class="about" aria-labelledby="who_signs"><h2 id="who_signs">${texts.document.whoSigns}</h2>
${signerList(link.look, parties, party.id)}</section>`
}`,
  });
}

function inputsOf({ placed, problems = [] }: SigningView): PlacedInputs {
  return { ...placed, problems };
}

/** Shown by the script of the page. */
function nextField({ link, placed }: SigningView): Html | false {
  const { sign } = link.look.texts;
  if (!placed.fields.some(isOpen)) return false;
  return html`<span class="soft" id="progress" role="status" data-text="${sign.progress}"></span>
<button type="button" class="quiet" id="next_field" hidden>${sign.nextField}</button>
<dialog class="fill" id="fill" aria-labelledby="fill_label"><form method="dialog" id="fill_form" novalidate>
<h2 id="fill_label">${sign.fillIn}</h2><div id="fill_part"></div>
<div class="row"><button value="next">${sign.nextStep}</button><button class="quiet" value="close">${sign.closeField}</button></div>
</form></dialog>`;
}

/** The origins that may show the page: only where it was opened from a link for a frame. */
export function frameAncestorsOf({ madeBy, look }: SigningLink): readonly string[] {
  return madeBy !== null ? look.embedOrigins : [];
}

/** The page that a party sees right after declining. */
export function declinedPage(link: SigningLink, { title }: Document): FileResponse {
  const { sign } = link.look.texts;
  return endPage(link, sign.declinedTitle, sign.declinedHeading, sign.declinedText(title));
}

/** The page that a party sees right after passing the document on. */
export function delegatedPage(link: SigningLink, name: string): FileResponse {
  const { sign } = link.look.texts;
  return endPage(link, sign.delegatedHeading, sign.delegatedHeading, sign.delegatedText(name));
}

function endPage(link: SigningLink, title: string, heading: string, text: string): FileResponse {
  const { texts } = link.look;
  return documentPage(link.look, {
    title,
    purpose: texts.purposes.sign,
    frameAncestors: frameAncestorsOf(link),
    body: html`<h1>${heading}</h1>${statusNote(text)}`,
  });
}

function doneNote({ link: { look }, standing, document: { state }, files }: SigningView): Html {
  const { texts, language } = look;
  const words = files.length > 1 ? fileTextsIn(language) : null;
  if (standing !== 'executed') return statusNote(words?.signed ?? texts.sign.signed);
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(files.map(({ name }) => name));
  const executed = words?.executed(names) ?? texts.sign.executed;
  const since = state === 'revoked' ? texts.sign.sinceRevoked : state === 'superseded' ? texts.sign.sinceSuperseded : null;
  return statusNote(since === null ? executed : `${executed} ${since}`);
}

function aboutDocument({ link, document, party, parties, standing, signatures, files }: SigningView): Html {
  const { texts, organization } = link.look;
  const { document: words } = texts;
  const deadline = standing === 'open' ? document.signing_deadline_at : null;
  return html`<section class="about" aria-label="${words.about}">
${factLine([
  [words.from, organization],
  [words.for, party.name],
  [words.number, document.number],
  [words.signBy, deadline && timeOf(deadline, link.look)],
])}
${earlierSignatures(signatures, link.look.language)}
${standing !== 'open' && html`<h2>${words.whoSigns}</h2>${signerList(link.look, parties, party.id)}`}
${downloads(link.look, { base: `/s/${link.token}`, files, isSigned: standing === 'executed' })}
</section>`;
}

/** For parties who must also enter a code from a second mail. */
function codeCard({ link, party, problems = [] }: SigningView): Html | false {
  if (party.auth !== 'otp') return false;
  const { texts } = link.look;
  const { sign } = texts;
  const isValid = party.otp_hash !== null && party.otp_expires_at !== null && party.otp_expires_at > currentTime();
  return html`<section class="card" aria-labelledby="code_heading">
<h2 id="code_heading">${sign.codeHeading}</h2>
<p>${sign.codeText(hidden(party.email))}</p>
${isValid && statusNote(html`${sign.codeSent} ${timeOf(party.otp_expires_at as Date, link.look)}.`)}
${errorOf('new_code', problems)}
<form method="post" action="/s/${link.token}/code">
<button id="new_code" class="${isValid ? 'quiet' : ''}">${isValid ? sign.codeAgain : sign.codeButton}</button></form>
</section>`;
}

function signCard(view: SigningView): Html {
  const { link, party, form = {}, problems = [] } = view;
  const { sign } = link.look.texts;
  return html`<section class="card" aria-labelledby="sign_heading">
<h2 id="sign_heading">${sign.card}</h2>
<form method="post" action="/s/${link.token}/sign" id="sign">
${placedControls(sign.fillIn, inputsOf(view))}
${adoptControls('signature', view)}
${view.placed.fields.some(({ kind }) => kind === 'initials') && adoptControls('initials', view)}
<div class="choice">
<input type="checkbox" name="consent" id="consent" value="yes"${form.consent === 'yes' && html` checked`}${described('consent', problems)}>
<label for="consent">${sign.consent}</label></div>
${errorOf('consent', problems)}
${codeField(link, 'code', party, form, problems)}
<button>${sign.button}</button>
</form></section>`;
}

function declineCard({ link, party, form = {}, problems = [] }: SigningView): Html {
  const { sign } = link.look.texts;
  const isOpen = problems.some(({ field }) => field === 'reason' || field === 'decline_code');
  return html`<details class="card"${isOpen && html` open`}><summary>${sign.declineSummary}</summary>
<form method="post" action="/s/${link.token}/decline">
<div class="field"><label for="reason">${sign.declineWhy}</label>
<p class="hint" id="reason_hint">${sign.declineHint}</p>
<textarea name="reason" id="reason" rows="3" maxlength="2000"${described('reason', problems, 'reason_hint')}>${form.reason ?? ''}</textarea>
${errorOf('reason', problems)}</div>
${codeField(link, 'decline_code', party, form, problems)}
<button class="grave">${sign.declineButton}</button>
</form></details>`;
}

function delegateCard({ link, party, form = {}, problems = [] }: SigningView): Html | false {
  if (!canDelegate(party)) return false;
  const { sign } = link.look.texts;
  const isOpen = problems.some(({ field }) => field?.startsWith('delegate_'));
  return html`<details class="card"${isOpen && html` open`}><summary>${sign.delegateSummary}</summary>
<form method="post" action="/s/${link.token}/delegate">
<p class="hint">${sign.delegateHint}</p>
<div class="field"><label for="delegate_name">${sign.delegateName}</label>
<input type="text" name="delegate_name" id="delegate_name" maxlength="200" autocomplete="off"
value="${form.delegate_name ?? ''}"${described('delegate_name', problems)}>${errorOf('delegate_name', problems)}</div>
<div class="field"><label for="delegate_email">${sign.delegateEmail}</label>
<input type="email" name="delegate_email" id="delegate_email" maxlength="254" autocomplete="off"
value="${form.delegate_email ?? ''}"${described('delegate_email', problems)}>${errorOf('delegate_email', problems)}</div>
${codeField(link, 'delegate_code', party, form, problems)}
<button class="quiet">${sign.delegateButton}</button>
</form></details>`;
}

function codeField(
  { look }: SigningLink,
  id: string,
  { auth }: SignatureParty,
  form: SignDto,
  problems: readonly FormProblem[],
): Html | false {
  return (
    auth === 'otp' &&
    html`<div class="field"><label for="${id}">${look.texts.sign.code}</label>
<input type="text" name="code" id="${id}" inputmode="numeric" autocomplete="one-time-code" maxlength="20"
value="${form.code ?? ''}"${described(id, problems)}>
${errorOf(id, problems)}</div>`
  );
}

/** Masks the address, so that the page does not reveal it to everyone with the link. */
function hidden(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1…');
}
