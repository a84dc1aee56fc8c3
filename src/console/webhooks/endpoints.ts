import { html, type Html } from '../../kit/index.js';
import type { ProjectDto } from '../../kit/index.js';
import type { EventTypeDto, WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { badge, type Tone } from '../components/badge.js';
import type { Visit } from '../frame/visit.js';

const REASONS: Readonly<Record<string, string>> = {
  manual: 'A member disabled it.',
  gone: 'It responded with 410 Gone.',
  failing: 'No delivery had succeeded for days.',
};
const MOST_EVENTS = 2;

/** The state of an endpoint; the worst one counts. */
export function endpointBadge({ status, failing_since, slow_since }: WebhookEndpointDto): Html {
  const [label, tone]: [string, Tone] =
    status === 'disabled'
      ? ['Disabled', 'bad']
      : failing_since !== null
        ? ['Failing', 'bad']
        : slow_since !== null
          ? ['Slow', 'warn']
          : ['Enabled', 'good'];
  return badge(label, tone);
}

export function reasonOf({ disabled_reason }: WebhookEndpointDto): string {
  return REASONS[disabled_reason ?? ''] ?? '';
}

/** Such as `task.created, task.updated and 3 more`. */
export function eventsOf({ events }: Pick<WebhookEndpointDto, 'events'>): Html {
  if (events.includes('*')) return html`All events`;
  const first = events.slice(0, MOST_EVENTS).map((type, index) => html`${index > 0 && ', '}<code>${type}</code>`);
  return html`${first}${events.length > MOST_EVENTS && ` and ${events.length - MOST_EVENTS} more`}`;
}

/** A link to a page in this mode, for pages that have no mode of their own. */
export function inMode(path: string, mode: string): string {
  return mode === 'test' ? `${path}?mode=test` : path;
}

export function projectsOf(visit: Visit): Promise<{ data: readonly ProjectDto[] }> {
  return visit.all<ProjectDto>('/projects');
}

/** All event types that can be sent. */
export async function eventTypesOf(visit: Visit): Promise<readonly EventTypeDto[]> {
  return (await visit.all<EventTypeDto>('/developer/event-types')).data;
}
