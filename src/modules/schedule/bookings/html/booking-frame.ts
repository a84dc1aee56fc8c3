import { html, page, type FileResponse, type Html, type PageBrand } from '../../../../kit/index.js';
import type { BookingQuestion } from '../../model/setup/booking-page.entity.js';
import { BOOKING_STYLE } from './booking-style.js';
import { dateOf } from '../../time/zone-time.js';
import { clockIn, dayName, spanText, zoneName } from '../../time/moments.js';

/** A booking page as its visitors see it. */
export interface PublicPage {
  organization: string;
  brand: PageBrand;
  slug: string;
  title: string;
  text: string | null;
  /** IANA name of the calendar's zone. */
  hostZone: string;
  durations: readonly number[];
  /** What visitors choose from; null if they do not choose. */
  resources: readonly { id: string; name: string }[] | null;
  questions: readonly BookingQuestion[];
  requiresConfirmation: boolean;
}

/** The visitor's choices so far, which are part of every address. */
export interface Choice {
  minutes: number;
  /** The visitor's. */
  zone: string;
  resourceId: string | null;
}

const PURPOSE = 'Appointments';

export function bookingPage(content: {
  of: Pick<PublicPage, 'organization' | 'brand'>;
  title: string;
  body: Html;
  script?: string;
  status?: number;
  headers?: Record<string, string>;
}): FileResponse {
  const { of, ...rest } = content;
  return page({ ...rest, host: { name: of.organization, purpose: PURPOSE, brand: of.brand }, stylesheet: BOOKING_STYLE });
}

/** The address of a page with its query. */
export function addressOf(path: string, query: Record<string, string | number | null>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as [string, string]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The time in the visitor's zone, and in the host's if it differs. */
export function whenText(start: Date, end: Date, zone: string, hostZone: string): Html {
  const isSame = clockIn(zone, start) === clockIn(hostZone, start) && dateOf(start, zone) === dateOf(start, hostZone);
  return html`<p class="when"><time datetime="${start.toISOString()}">${spanText(zone, start, end)}</time></p>
<p class="soft">Time in ${zoneName(zone)}${
    !isSame && `; for the host it is ${dayName(dateOf(start, hostZone))}, ${clockIn(hostZone, start)} in ${zoneName(hostZone)}`
  }.</p>`;
}

/** The hidden fields that carry the visitor's choice through a form. */
export function hiddenChoice({ minutes, zone, resourceId }: Choice): Html {
  return html`<input type="hidden" name="minutes" value="${minutes}"><input type="hidden" name="tz" value="${zone}">${
    resourceId !== null && html`<input type="hidden" name="resource_id" value="${resourceId}">`
  }`;
}
