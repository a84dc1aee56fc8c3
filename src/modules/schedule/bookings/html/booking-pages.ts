import { honeypot, html, labelled, paragraphs, problemNote, tickable } from '../../../../kit/index.js';
import type { FileResponse, FormProblem, Html } from '../../../../kit/index.js';
import type { BookingQuestion } from '../../model/setup/booking-page.entity.js';
import { addressOf, bookingPage, hiddenChoice, whenText, type Choice, type PublicPage } from './booking-frame.js';
import { durationText, spanText, zoneName } from '../../time/moments.js';
import { queryOf, slotList, ZONE_SCRIPT, type SlotListing } from './slot-list.js';
import { shortInstant } from './slot-values.js';

/** The page on which a visitor chooses a time. */
export function choosePage(listing: SlotListing): FileResponse {
  const { page, choice } = listing;
  return bookingPage({
    of: page,
    title: page.title,
    script: ZONE_SCRIPT,
    body: html`<p class="step">Step 1 of 2</p>
<h1>${page.title}</h1>
${paragraphs(page.text, 'lead')}
<ul class="facts"><li>${durationText(choice.minutes)}</li><li>Host's time: ${zoneName(page.hostZone)}</li>${
      page.requiresConfirmation && html`<li>The host confirms each appointment</li>`
    }</ul>
${slotList(listing)}`,
  });
}

/** The page of a booking page that takes no bookings. */
export function closedPage(page: PublicPage): FileResponse {
  const { title, text } = page;
  return bookingPage({
    of: page,
    title,
    body: html`<h1>${title}</h1>${paragraphs(text, 'lead')}
<div class="note"><h2>Closed</h2><p>No appointments can be booked here at the moment. Please come back later.</p></div>`,
  });
}

/** What a visitor has entered. */
export interface BookingDraft {
  name: string;
  email: string;
  phone: string;
  notes: string;
  /** By the question's key; a ticked checkbox has `yes`. */
  answers: Readonly<Record<string, string>>;
  code: string;
}

export const EMPTY_DRAFT: BookingDraft = { name: '', email: '', phone: '', notes: '', answers: {}, code: '' };

export interface BookingFormView {
  page: PublicPage;
  choice: Choice;
  /** The chosen time; null if it is no longer free, so that the visitor chooses one of `alternatives`. */
  start: Date | null;
  /** The nearest free times. */
  alternatives: readonly Date[];
  draft: BookingDraft;
  /** Sent back with the form, so that a form that is sent twice books once. */
  formToken: string;
  /** Asks for a code that was mailed to the visitor. */
  asksForCode: boolean;
  problems: readonly FormProblem[];
  /** Why nothing was booked, if nothing is wrong with the form itself. */
  rejection?: { heading: string; text: string };
  status: number;
  headers?: Record<string, string>;
}

export const questionId = (key: string): string => `q-${key}`;

/** The page on which a visitor enters name and address, and books. */
export function bookingFormPage(view: BookingFormView): FileResponse {
  const { page, choice, start, draft, formToken, asksForCode, problems, rejection, status, headers } = view;
  const problemOf = (field: string) => problems.find((one) => one.field === field)?.text;
  const text = (id: 'name' | 'email' | 'phone', label: string, type: string, autocomplete: string, isOptional = false) =>
    labelled(
      { id, label, isOptional, problem: problemOf(id) },
      (attributes) => html`<input type="${type}" name="${id}" value="${draft[id]}" autocomplete="${autocomplete}"${attributes}>`,
    );
  const isRejected = status !== 200;
  return bookingPage({
    of: page,
    title: isRejected ? `Not booked yet: ${page.title}` : `Your details: ${page.title}`,
    status,
    headers,
    body: html`<p class="step">Step 2 of 2</p>
<h1>${page.title}</h1>
${
  rejection !== undefined &&
  html`<div class="note problem" role="alert" tabindex="-1" autofocus><h2>${rejection.heading}</h2><p>${rejection.text}</p></div>`
}
${problemNote('It is not booked yet', problems)}
${start !== null && chosen(view, start)}
<form class="card" method="post" action="/b/${page.slug}/book" novalidate>
<input type="hidden" name="form_token" value="${formToken}">${hiddenChoice(choice)}
${start === null ? alternativesField(view, problemOf('start')) : html`<input type="hidden" name="start" value="${shortInstant(start)}">`}
${text('name', 'Your name', 'text', 'name')}
${text('email', 'E-mail', 'email', 'email')}
${text('phone', 'Phone', 'tel', 'tel', true)}
${page.questions.map((question) => questionField(question, draft.answers[question.key] ?? '', problemOf(questionId(question.key))))}
${labelled(
  { id: 'notes', label: 'Anything the host should know', isOptional: true, problem: problemOf('notes') },
  (attributes) => html`<textarea name="notes" rows="3"${attributes}>\n${draft.notes}</textarea>`,
)}
${
  asksForCode &&
  labelled(
    {
      id: 'code',
      label: 'Code from the mail',
      hint: 'We have sent it to the e-mail address above. It is valid for 15 minutes.',
      problem: problemOf('code'),
    },
    (attributes) =>
      html`<input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" value="${draft.code}"${attributes}>`,
  )
}
${honeypot()}
<button>${page.requiresConfirmation ? 'Request this appointment' : 'Book this appointment'}</button>
</form>`,
  });
}

function chosen({ page, choice }: BookingFormView, start: Date): Html {
  const end = new Date(start.getTime() + choice.minutes * 60_000);
  const other = addressOf(`/b/${page.slug}`, queryOf(choice));
  return html`<section class="card summary" aria-label="The chosen time">
${whenText(start, end, choice.zone, page.hostZone)}
<p>${durationText(choice.minutes)}${resourceText(page, choice)}. <a href="${other}">Choose another time</a></p></section>`;
}

function resourceText({ resources }: PublicPage, { resourceId }: Choice): string {
  const found = resources?.find(({ id }) => id === resourceId);
  return found ? ` with ${found.name}` : '';
}

function alternativesField({ page, choice, alternatives }: BookingFormView, problem: string | undefined): Html {
  const end = (start: Date) => new Date(start.getTime() + choice.minutes * 60_000);
  const all = html`<p><a href="${addressOf(`/b/${page.slug}`, queryOf(choice))}">See all free times</a></p>`;
  if (alternatives.length === 0) return all;
  return html`<fieldset id="start"${problem !== undefined && html` aria-describedby="start-error"`}><legend>The nearest free times</legend>
${problem !== undefined && html`<p class="error" id="start-error">${problem}</p>`}
${alternatives.map(
  (at, index) => html`<div class="choice"><input type="radio" name="start" id="start-${index}" value="${shortInstant(at)}">
<label for="start-${index}">${spanText(choice.zone, at, end(at))}</label></div>`,
)}${all}</fieldset>`;
}

const LONG_ANSWER = 5_000;

function questionField({ key, label, kind, required, options = [] }: BookingQuestion, value: string, problem: string | undefined): Html {
  const shown = { id: questionId(key), label, problem };
  const name = html` name="answers.${key}"`;
  if (kind === 'checkbox')
    return tickable(
      shown,
      (attributes) => html`<input type="checkbox" value="yes"${name}${attributes}${value === 'yes' && html` checked`}>`,
    );
  return labelled({ ...shown, isOptional: !required }, (attributes) => {
    if (kind === 'long_text') return html`<textarea rows="4" maxlength="${LONG_ANSWER}"${name}${attributes}>\n${value}</textarea>`;
    if (kind === 'text') return html`<input type="text" value="${value}"${name}${attributes}>`;
    return html`<select${name}${attributes}><option value="">Please choose</option>${options.map(
      (option) => html`<option${option === value && html` selected`}>${option}</option>`,
    )}</select>`;
  });
}
