import { html, problemNote, statusNote, type FileResponse, type FormProblem, type Html } from '../../../../kit/index.js';
import type { BookingStatus } from '../../model/records/booking.entity.js';
import { bookingPage, whenText, type Choice, type PublicPage } from './booking-frame.js';
import { durationText, spanText } from '../../time/moments.js';
import { slotList, ZONE_SCRIPT, type SlotListing } from './slot-list.js';
import { shortInstant } from './slot-values.js';

/** A booking as its guest sees it. */
export interface ManagedBooking {
  page: PublicPage;
  token: string;
  status: BookingStatus;
  start: Date;
  end: Date;
  /** The guest's zone. */
  zone: string;
  resource: string | null;
  guest: { name: string; email: string };
  /** Whether the guest has moved it. */
  isMoved: boolean;
  /** Why the guest can no longer cancel it; null if they can. */
  cannotCancel: string | null;
  /** Why the guest can no longer move it; null if they can. */
  cannotMove: string | null;
}

const STATES: Readonly<Record<BookingStatus, string>> = {
  pending: 'Your request was received. The host will confirm or decline it; the time is reserved for you until then.',
  confirmed: 'Your appointment is booked.',
  rejected: 'The host could not confirm this appointment.',
  cancelled: 'This appointment is canceled.',
  declined: 'You have declined this appointment.',
  no_show: 'This appointment is over.',
};

/** Used instead of `STATES` once the guest has moved the booking. */
const MOVED_STATES: Readonly<Partial<Record<BookingStatus, string>>> = {
  pending: 'Your request was moved to this time. The host will confirm or decline it; the time is reserved for you until then.',
  confirmed: 'Your appointment was moved to this time.',
};

const HEADINGS: Readonly<Record<BookingStatus, string>> = {
  pending: 'Your request',
  confirmed: 'Your appointment',
  rejected: 'Not confirmed',
  cancelled: 'Canceled',
  declined: 'Declined',
  no_show: 'Your appointment',
};

/** The page behind the guest's link. Opening it changes nothing, as mail scanners open links. */
export function managePage(booking: ManagedBooking, problems: readonly FormProblem[] = [], status = 200): FileResponse {
  const { page, token, start, end, zone, resource, guest, cannotCancel, cannotMove } = booking;
  const isLive = booking.status === 'pending' || booking.status === 'confirmed';
  const path = `/b/manage/${token}`;
  const reason = isLive ? (cannotMove ?? cannotCancel) : null;
  return bookingPage({
    of: page,
    title: `${HEADINGS[booking.status]}: ${page.title}`,
    status,
    body: html`<h1>${HEADINGS[booking.status]}</h1>
${problems.length > 0 ? problemNote('That was not done', problems) : stateNote(booking)}
<section class="card summary" aria-label="The appointment">
<h2>${page.title}</h2>
${whenText(start, end, zone, page.hostZone)}
<dl><dt>Length</dt><dd>${durationText(Math.round((end.getTime() - start.getTime()) / 60_000))}</dd>
${resource !== null && html`<dt>With</dt><dd>${resource}</dd>`}
<dt>For</dt><dd>${guest.name}</dd><dt>E-mail</dt><dd>${guest.email}</dd></dl>
${isLive && cannotMove === null && html`<p class="actions"><a class="button" href="${path}/reschedule">Choose another time</a></p>`}
${reason !== null && html`<p class="soft">${reason}</p>`}
</section>
${
  isLive && cannotCancel === null
    ? html`<details class="card"><summary>Cancel this appointment</summary>
<form method="post" action="${path}/cancel">
<p>The time is given to others at once. This cannot be undone.</p>
<button class="grave">Cancel the appointment</button></form></details>`
    : !isLive && html`<p><a class="button quiet" href="/b/${page.slug}">Book a new time</a></p>`
}`,
  });
}

function stateNote({ status, isMoved }: ManagedBooking): Html {
  const text = html`<p>${(isMoved ? MOVED_STATES[status] : undefined) ?? STATES[status]}</p>`;
  return status === 'confirmed' || status === 'pending' ? statusNote(text) : html`<div class="note" role="status">${text}</div>`;
}

/** The page on which a guest chooses another time. */
export function movePage(booking: ManagedBooking, listing: SlotListing, problems: readonly FormProblem[] = [], status = 200): FileResponse {
  const { page, token, start, end, zone } = booking;
  return bookingPage({
    of: page,
    title: `Choose another time: ${page.title}`,
    status,
    script: ZONE_SCRIPT,
    body: html`<h1>Choose another time</h1>
${problemNote('It has not been moved', problems)}
<p class="lead">Your appointment “${page.title}” is on ${spanText(zone, start, end)}. It stays there until you have chosen another time.
<a href="/b/manage/${token}">Keep it</a></p>
${slotList(listing)}`,
  });
}

/** The page that asks whether the appointment should move. */
export function confirmMovePage(booking: ManagedBooking, choice: Choice, to: Date): FileResponse {
  const { page, token, start, end } = booking;
  const until = new Date(to.getTime() + end.getTime() - start.getTime());
  return bookingPage({
    of: page,
    title: `Move your appointment: ${page.title}`,
    body: html`<h1>Move your appointment?</h1>
<section class="card summary" aria-label="The new time">
<p class="was">${spanText(choice.zone, start, end)}</p>
${whenText(to, until, choice.zone, page.hostZone)}
<form method="post" action="/b/manage/${token}/reschedule">
<input type="hidden" name="start" value="${shortInstant(to)}"><input type="hidden" name="tz" value="${choice.zone}">
<p class="actions"><button>Move it</button> <a class="button quiet" href="/b/manage/${token}">Keep the old time</a></p>
</form></section>`,
  });
}
