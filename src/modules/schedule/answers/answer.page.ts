import { html, page, paragraphs, statusNote, type FileResponse, type Html } from '../../../kit/index.js';
import type { InviteeResponse } from '../model/records/invitee.entity.js';
import type { Answer, AnsweredInvitation, OwnBooking } from './answers.service.js';
import { deviationsInWords, repeatsOf, timesOf } from '../invitations/event-times.js';

const LABELS: Record<Answer, string> = { accepted: 'Yes, I will come', tentative: 'Maybe', declined: 'No, I decline' };
const GIVEN: Record<InviteeResponse, string> = {
  needs_action: 'You have not answered yet.',
  accepted: 'You have accepted.',
  tentative: 'You have said that you may come.',
  declined: 'You have declined.',
};

const STYLE = `.answers { display: flex; flex-wrap: wrap; gap: .75rem; }
.answers button { flex: 1 1 11rem; }
.answers button[aria-pressed=true] { box-shadow: 0 0 0 3px var(--tint), 0 0 0 5px var(--accent); }
.booking { margin-top: 1.5rem; }`;

/** The page behind the link of an invitation. Opening it changes nothing; a form records the answer. */
export function answerPage(
  { token, invitee, event, instances, organization, brand, hasEnded, booking }: AnsweredInvitation,
  isAnswered: boolean,
): FileResponse {
  const { local, utc } = timesOf(event, booking?.timezone ?? event.timezone);
  const repeats = repeatsOf(event);
  const deviations = deviationsInWords(event, instances).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return page({
    title: event.title,
    host: { name: organization, purpose: 'Invitations', brand },
    style: STYLE,
    body: html`<h1>${event.title}</h1>
<p class="lead">${event.organizer?.name ?? organization} invites ${invitee.name ?? invitee.email}.</p>
${isAnswered && statusNote(`Thank you. ${GIVEN[invitee.response]}${event.organizer ? ` ${event.organizer.name} is notified.` : ''}`)}
<section class="card" aria-label="The event">
<dl><dt>When</dt><dd>${local}</dd>
${utc !== null && html`<dt>UTC</dt><dd>${utc}</dd>`}
${repeats !== null && html`<dt>Repeats</dt><dd>${repeats}</dd>`}
${deviations}
${event.location && html`<dt>Where</dt><dd>${event.location}</dd>`}</dl>
${paragraphs(event.description)}
</section>
${event.status === 'cancelled' || hasEnded ? ended(event.status === 'cancelled') : form(token, invitee.response, isAnswered)}
${booking !== null && ofGuest(booking, event.status === 'cancelled')}`,
  });
}

function ofGuest({ url, cannotCancel }: OwnBooking, isCanceled: boolean): Html {
  const text = isCanceled ? 'See it, or book a new time' : 'See, move or cancel it';
  return html`${cannotCancel !== null && !isCanceled && html`<p class="soft">${cannotCancel}</p>`}
${url !== null && html`<p class="booking"><a class="button quiet" href="${url}">${text}</a></p>`}`;
}

function ended(isCanceled: boolean): Html {
  return html`<p class="note">${isCanceled ? 'The event has been canceled.' : 'The event is over.'} It can no longer be answered.</p>`;
}

function form(token: string, response: InviteeResponse, isAnswered: boolean): Html {
  const emphasized: InviteeResponse = response === 'needs_action' ? 'accepted' : response;
  const buttons = Object.entries(LABELS).map(([value, label]) => {
    const style = value !== emphasized && html` class="quiet"`;
    return html`<button name="response" value="${value}"${style} aria-pressed="${String(value === response)}">${label}</button>`;
  });
  return html`<section aria-labelledby="answer">
<h2 id="answer">${response === 'needs_action' ? 'Will you come?' : 'Change your answer'}</h2>
${!isAnswered && html`<p>${GIVEN[response]}</p>`}
<form method="post" action="/r/${token}" class="answers">${buttons}</form></section>`;
}
