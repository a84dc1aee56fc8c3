import { html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { EventDto } from '../../platform/events/events.dto.js';

/** The members that name a resource, the best first. */
const NAMES = ['number', 'key', 'title', 'name', 'full_name', 'email', 'subject', 'url'];
const MOST_CHARACTERS = 80;

/** The subject of an event, in a few words. */
export function subjectOf({ data, required_permission }: EventDto): HtmlValue {
  if (data === null) return html`<span class="soft">Needs <code>${required_permission}</code></span>`;
  const kind = String(data.object.object ?? '').replaceAll('_', ' ');
  const name = NAMES.map((member) => data.object[member]).find((value) => typeof value === 'string' && value !== '') as string | undefined;
  if (name === undefined) return kind;
  return html`<span class="soft">${kind}</span> ${name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}...` : name}`;
}
