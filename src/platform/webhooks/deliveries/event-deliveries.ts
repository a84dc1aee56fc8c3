import type { EventColumns, EventDeliveries } from '../../events/event-deliveries.js';

/**
 * The deliveries of an endpoint are claimed in the order of `due_at`, which holds back no first attempt. So an import of 100,000 rows
 * does not hold up an endpoint's other events, unless they follow its rows by more than this time.
 */
const YIELD_IN_BULK = `interval '1 hour'`;

/** SQL: `due_at` of what a member requested, such as a test event. It goes first, and does not wait for the end of a pause. */
export const REQUESTED = `'epoch'::timestamptz`;

/** SQL: whether the endpoint `w` subscribes to a type, and its filter matches the body, which is parsed only for that. */
export const subscribes = (type: string, body: string): string =>
  `(webhook_subscribes(w.events, ${type}) AND (w.filter IS NULL OR webhook_filter_matches(w.filter, (${body})::jsonb)))`;

/** A delivery's id is a UUID v7: the event's time and 74 random bits. */
const insert = ({ id, organization_id, project_id, mode, type }: EventColumns, endpoints: string, where: string, dueAt = 'now()') => `
  INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type, due_at)
  SELECT (substr(${id}::text, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, w.organization_id, ${project_id}, w.mode, w.id,
  ${id}, ${type}, ${dueAt}
  FROM ${endpoints}
  WHERE w.organization_id = ${organization_id} AND w.mode = ${mode} AND w.status = 'enabled' AND ${where}`;

/** Writes the deliveries of an event: one for each enabled endpoint of its organization and mode that subscribes to it. */
export const EVENT_DELIVERIES: EventDeliveries = {
  toSubscribers: (event, from, inBulk = false) =>
    insert(
      event,
      from === undefined ? 'webhook_endpoints w' : `${from}, webhook_endpoints w`,
      `NOT ${event.internal} AND (w.project_id IS NULL OR w.project_id = ${event.project_id})
       AND ${subscribes(event.type, event.body)}`,
      inBulk ? `now() + ${YIELD_IN_BULK}` : undefined,
    ),
  toOne: (event, endpoint) => insert(event, 'webhook_endpoints w', `w.id = ${endpoint}`, REQUESTED),
};
