import { Client } from 'pg';

/**
 * The rows of a new ticket of a known requester, in one round trip: number, ticket, message, and the event with its deliveries, as the
 * product writes them. `given` has ids and texts.
 */
const BARE_CREATE = `
  CREATE OR REPLACE FUNCTION bare_create_ticket(given jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    q desk_queues; r desk_requesters; number integer; n bigint; status uuid;
    actor jsonb := '{"type":"system","id":null,"email":null}';
  BEGIN
    SELECT * INTO q FROM desk_queues WHERE project_id = (given->>'project_id')::uuid AND is_default;
    SELECT id INTO status FROM desk_statuses WHERE project_id = q.project_id AND category = 'new' AND is_default;
    SELECT * INTO r FROM desk_requesters WHERE project_id = q.project_id AND mode = 'live' AND email = given->>'email';
    INSERT INTO counters AS k (organization_id, project_id, mode, series, last) VALUES (q.organization_id, q.project_id, 'live', 'bare', 1)
    ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = k.last + 1 RETURNING last INTO number;
    INSERT INTO desk_tickets (id, organization_id, project_id, mode, number, subject, requester_id, requester_email, requester_name,
      queue_id, status_id, status_category, priority, channel, waiting_since_at, created_by)
    VALUES ((given->>'id')::uuid, q.organization_id, q.project_id, 'live', 'B-' || number, given->>'subject', r.id, r.email, r.name, q.id,
      status, 'new', 1, 'api', now(), actor);
    INSERT INTO desk_messages (id, organization_id, project_id, mode, ticket_id, kind, author_type, author_email, author_name, body,
      created_by)
    VALUES ((given->>'message_id')::uuid, q.organization_id, q.project_id, 'live', (given->>'id')::uuid, 'public', 'requester', r.email,
      r.name, given->>'message', actor);
    n := nextval('outbox_events_sequence');
    INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
    VALUES (n, (given->>'event_id')::uuid, q.organization_id, q.project_id, 'live', 'ticket.created', false,
      '{"sequence":' || n || ',' || (given->>'event'));
    INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
    SELECT gen_random_uuid(), w.organization_id, q.project_id, w.mode, w.id, (given->>'event_id')::uuid, 'ticket.created'
    FROM webhook_endpoints w WHERE w.organization_id = q.organization_id AND w.mode = 'live' AND w.status = 'enabled'
      AND (w.project_id IS NULL OR w.project_id = q.project_id) AND ('ticket.created' = ANY(w.events) OR '*' = ANY(w.events));
  END $$`;

export async function createBareDesk(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BARE_CREATE);
  } finally {
    await client.end();
  }
}
