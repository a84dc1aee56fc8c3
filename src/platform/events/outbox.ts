import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import type { EventData, EventDefinition } from '../../kit/index.js';
import type { CallContext } from '../persistence/call-context.js';
import { run } from '../persistence/reader.js';

/** An event as it will be stored; `rest` is its JSON body behind the sequence, which only the database can give. */
export interface FrozenEvent {
  id: string;
  organization_id: string;
  project_id: string | null;
  mode: string;
  type: string;
  internal: boolean;
  created_at: string;
  rest: string;
}

export function freezeEvent<P extends object>(ctx: CallContext, event: EventDefinition<P>, data: EventData<P>): FrozenEvent {
  const id = uuidv7();
  const created_at = new Date().toISOString();
  const body = {
    id, object: 'event', type: event.name, api_version: 'v1', mode: ctx.mode, created_at,
    organization_id: ctx.organizationId, project_id: data.projectId, actor: ctx.actor,
    data: { object: data.object, previous_attributes: data.previous ?? {}, context: data.context ?? {} },
    request: { id: ctx.requestId, idempotency_key: ctx.idempotencyKey },
  };
  return { id, organization_id: ctx.organizationId, project_id: data.projectId, mode: ctx.mode, type: event.name, internal: event.internal ?? false, created_at, rest: JSON.stringify(body).slice(1) };
}

const COLUMNS = 'id, organization_id, project_id, mode, type, internal, created_at';
const INSERT = `INSERT INTO outbox_events (sequence, ${COLUMNS}, body)`;
/** Nearly every change emits one event; taking it out of arrays would cost PostgreSQL more than writing it. */
const INSERT_ONE = `
  ${INSERT}
  SELECT n, $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::boolean, $7::timestamptz, '{"sequence":' || n || ',' || $8
  FROM nextval('outbox_events_sequence') AS n`;
const INSERT_MANY = `
  ${INSERT}
  SELECT n, ${COLUMNS}, '{"sequence":' || n || ',' || rest
  FROM (SELECT nextval('outbox_events_sequence') AS n, e.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[], $8::text[])
        AS e(${COLUMNS}, rest)) AS numbered`;

/** Writes events with their bodies frozen: what is stored here is what every delivery attempt sends. */
export function insertEvents(client: PoolClient, events: readonly FrozenEvent[]): Promise<unknown> {
  const rows = events.map(({ id, organization_id, project_id, mode, type, internal, created_at, rest }) => [id, organization_id, project_id, mode, type, internal, created_at, rest]);
  if (rows.length === 1) return run(client, { text: INSERT_ONE, values: rows[0] });
  return run(client, { text: INSERT_MANY, values: rows[0].map((_, column) => rows.map((row) => row[column])) });
}
