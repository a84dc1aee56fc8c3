import type { Choice, PublicPage } from '../html/booking-frame.js';
import { canonicalZone } from '../../../../kit/index.js';
import type { OpenPage } from '../free-times/open-pages.service.js';

/** A booking page as its visitors see it. */
export function publicPageOf({ organization, brand, page, calendar, choices }: OpenPage): PublicPage {
  const { slug, title, text, duration_minutes, questions, requires_confirmation, resource_mode } = page;
  return {
    organization,
    brand,
    slug,
    title,
    text,
    hostZone: calendar.timezone,
    durations: duration_minutes,
    resources: resource_mode === 'visitor_chooses' ? choices.map(({ id, name }) => ({ id, name })) : null,
    questions,
    requiresConfirmation: requires_confirmation,
  };
}

/** The choices in the address of a page, with the page's defaults for missing or unavailable ones. */
export function choiceOf(
  { page, calendar, choices }: OpenPage,
  { tz, minutes, resource_id }: { tz?: string; minutes?: string; resource_id?: string },
): Choice {
  const length = Number(minutes);
  const isChosen = choices.some(({ id }) => id === resource_id);
  return {
    zone: (tz === undefined ? null : canonicalZone(tz)) ?? calendar.timezone,
    minutes: page.duration_minutes.includes(length) ? length : page.duration_minutes[0],
    resourceId: isChosen ? (resource_id as string) : (choices.at(0)?.id ?? null),
  };
}
