import { html, page, problemNote, statusNote, type FileResponse, type FormProblem, type Html } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { DOCUMENT_STYLE } from '../../pages/document-style.js';
import { paper, timeOf } from '../../pages/paper.js';
import { CONSENT_TEXT } from './consent-text.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';
import type { SigningLink, Standing } from './signing-links.service.js';
import { SIGNING_SCRIPT } from './signing-script.js';
import type { DeclineDto, SignDto } from './signing.dto.js';

export interface SigningView {
  link: SigningLink;
  document: Document;
  party: SignatureParty;
  /** All parties in the signing order, including this one. */
  parties: readonly SignatureParty[];
  standing: Standing;
  /** The frozen document as HTML. */
  content: string;
  /** The submitted form, if it has problems. */
  form?: SignDto & DeclineDto;
  problems?: readonly FormProblem[];
}

const PLACE = 'Documents to sign';

/** The page on which a party reads, signs or declines the document, and reads it again after signing. */
export function signingPage(view: SigningView): FileResponse {
  const { link, document, standing, problems = [] } = view;
  const isOpen = standing === 'open';
  const heading = isOpen ? `Please sign: ${document.title}` : document.title;
  return page({
    title: heading,
    host: { name: link.organization, place: PLACE },
    style: DOCUMENT_STYLE,
    status: problems.length > 0 ? 400 : 200,
    script: isOpen ? SIGNING_SCRIPT : undefined,
    body: html`${document.mode === 'test' && html`<p class="mark">TEST: signatures have no effect</p>`}
<h1>${heading}</h1>
${problemNote('That was not done', problems)}${!isOpen && problems.length === 0 && doneNote(standing, document)}
${summary(view)}
${paper(view.content)}
${isOpen && [codeCard(view), signCard(view), declineCard(view)]}`,
  });
}

/** The page that a party sees right after declining. */
export function declinedPage({ organization }: SigningLink, { title }: Document): FileResponse {
  return page({
    title: 'Declined',
    host: { name: organization, place: PLACE },
    body: html`<h1>You have declined to sign</h1>
${statusNote(html`The sender of “${title}” and everyone who has signed it are notified. You can close this page.`)}`,
  });
}

function doneNote(standing: Standing, { state }: Document): Html {
  const since = { revoked: ' The sender has since revoked the document.', superseded: ' Another document has since replaced this one.' };
  return statusNote(
    standing === 'executed'
      ? `All parties have signed. The signed PDF is yours to keep.${state === 'revoked' || state === 'superseded' ? since[state] : ''}`
      : 'You have signed. You will receive the signed PDF by mail once all other parties have signed.',
  );
}

function summary({ link, document, party, parties, standing }: SigningView): Html {
  const deadline = standing === 'open' ? document.signing_deadline_at : null;
  return html`<section class="card" aria-label="About this document">
<dl><dt>From</dt><dd>${link.organization}</dd>
<dt>For</dt><dd>${party.name}</dd>
${document.number !== null && html`<dt>Number</dt><dd>${document.number}</dd>`}
${deadline !== null && html`<dt>Sign by</dt><dd>${timeOf(deadline)}</dd>`}</dl>
<h2>Who signs</h2>
<ol class="plain">${parties.map((one) => partyItem(one, one.id === party.id))}</ol>
<p><a class="button quiet" href="/s/${link.token}/pdf">${standing === 'executed' ? 'Download the signed PDF' : 'Download as PDF'}</a></p>
</section>`;
}

function partyItem({ name, label, signed_at }: SignatureParty, isReader: boolean): Html {
  return html`<li>${name} <span class="soft">(${label}${isReader && ', you'})</span>:
${signed_at === null ? 'has not signed' : html`signed ${timeOf(signed_at)}`}</li>`;
}

/** For parties who must also enter a code from a second mail. */
function codeCard({ link, party, problems = [] }: SigningView): Html | false {
  if (party.auth !== 'otp') return false;
  const isValid = party.otp_hash !== null && party.otp_expires_at !== null && party.otp_expires_at > new Date();
  return html`<section class="card" aria-labelledby="code_heading">
<h2 id="code_heading">First, a code</h2>
<p>To make sure that nobody else signs in your name, you need a code. We send it to ${hidden(party.email)}.</p>
${isValid && statusNote(html`We have sent you a code. It is valid until ${timeOf(party.otp_expires_at as Date)}. Enter it below.`)}
${errorOf('new_code', problems)}
<form method="post" action="/s/${link.token}/code">
<button id="new_code" class="${isValid ? 'quiet' : ''}">${isValid ? 'Send another code' : 'Send me the code'}</button></form>
</section>`;
}

function signCard({ link, party, form = {}, problems = [] }: SigningView): Html {
  const isDrawn = form.kind === 'drawn';
  return html`<section class="card" aria-labelledby="sign_heading">
<h2 id="sign_heading">Sign</h2>
<form method="post" action="/s/${link.token}/sign" id="sign">
<fieldset><legend>Your signature</legend>
<div class="choice"><input type="radio" name="kind" id="kind_typed" value="typed"${!isDrawn && html` checked`}>
<label for="kind_typed">Type my name</label></div>
<div class="choice" id="draw_choice" hidden>
<input type="radio" name="kind" id="kind_drawn" value="drawn"${isDrawn && html` checked`}${described('kind_drawn', problems)}>
<label for="kind_drawn">Draw with finger, pen or mouse</label></div>
${errorOf('kind_drawn', problems)}</fieldset>
<div class="field" id="typed_part"><label for="typed_name">Your name, as your signature</label>
<input type="text" name="typed_name" id="typed_name" maxlength="200" autocomplete="name"
value="${form.typed_name ?? ''}"${described('typed_name', problems)}>
${errorOf('typed_name', problems)}</div>
<div class="field" id="drawn_part" hidden>
<p class="hint" id="pad_hint">Draw in the box. If you cannot draw, choose “Type my name” above: it is just as valid.</p>
<canvas id="pad" role="img" aria-label="Your drawing" aria-describedby="pad_hint" tabindex="-1"></canvas>
<button type="button" class="quiet" id="clear">Clear the drawing</button>
<p class="hint" role="status" id="pad_status"></p><input type="hidden" name="drawing" value=""></div>
<div class="choice">
<input type="checkbox" name="consent" id="consent" value="yes"${form.consent === 'yes' && html` checked`}${described('consent', problems)}>
<label for="consent">${CONSENT_TEXT}</label></div>
${errorOf('consent', problems)}
${codeField('code', party, form, problems)}
<button>Sign</button>
</form></section>`;
}

function declineCard({ link, party, form = {}, problems = [] }: SigningView): Html {
  const isOpen = problems.some(({ field }) => field === 'reason' || field === 'decline_code');
  return html`<details class="card"${isOpen && html` open`}><summary>I do not want to sign</summary>
<form method="post" action="/s/${link.token}/decline">
<div class="field"><label for="reason">Why do you decline?</label>
<p class="hint" id="reason_hint">The sender and everyone who has signed will see the reason. Nobody can sign the document afterwards.</p>
<textarea name="reason" id="reason" rows="3" maxlength="2000"${described('reason', problems, 'reason_hint')}>${form.reason ?? ''}</textarea>
${errorOf('reason', problems)}</div>
${codeField('decline_code', party, form, problems)}
<button class="grave">Decline to sign</button>
</form></details>`;
}

function codeField(id: string, { auth }: SignatureParty, form: SignDto, problems: readonly FormProblem[]): Html | false {
  return (
    auth === 'otp' &&
    html`<div class="field"><label for="${id}">The code from the second mail</label>
<input type="text" name="code" id="${id}" inputmode="numeric" autocomplete="one-time-code" maxlength="20"
value="${form.code ?? ''}"${described(id, problems)}>
${errorOf(id, problems)}</div>`
  );
}

function errorOf(field: string, problems: readonly FormProblem[]): Html | false {
  const problem = problems.find((one) => one.field === field);
  return problem !== undefined && html`<p class="error" id="${field}_error">${problem.text}</p>`;
}

function described(field: string, problems: readonly FormProblem[], hint?: string): Html {
  const isWrong = problems.some((one) => one.field === field);
  const by = [...(hint === undefined ? [] : [hint]), ...(isWrong ? [`${field}_error`] : [])].join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
}

/** Masks the address, so that the page does not reveal it to everyone with the link. */
function hidden(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1…');
}
