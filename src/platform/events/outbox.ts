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

/** Nearly every change emits one event; taking it out of arrays would cost PostgreSQL more than writing it. */
const ONE = `SELECT nextval('outbox_events_sequence') AS n, $2::uuid AS id, $3::uuid AS organization_id, $4::uuid AS project_id, $5::text AS mode,
                    $6::text AS type, $7::boolean AS internal, $8::timestamptz AS created_at, $9::text AS rest`;
const MANY = `SELECT nextval('outbox_events_sequence') AS n, e.*
              FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::timestamptz[], $9::text[]) AS e(${COLUMNS}, rest)`;

const INSERT_ONE = insertFrom(ONE);
const INSERT_MANY = insertFrom(MANY);

/** A delivery's id has the event's time in it and 74 random bits behind, as version 7 asks for. */
function insertFrom(source: string): string {
  return `
  WITH numbered AS (${source}), written AS (
    INSERT INTO outbox_events (sequence, ${COLUMNS}, body) SELECT n, ${COLUMNS}, '{"sequence":' || n || ',' || rest FROM numbered
  )
  INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
  SELECT (substr(e.id::text, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, e.organization_id, e.project_id, e.mode, w.id, e.id, e.type
  FROM numbered e JOIN webhook_endpoints w ON w.organization_id = e.organization_id AND w.mode = e.mode AND w.status = 'enabled'
  WHERE CASE WHEN $1::uuid IS NULL
    THEN NOT e.internal AND (w.project_id IS NULL OR w.project_id = e.project_id) AND (e.type = ANY(w.events) OR '*' = ANY(w.events))
    ELSE w.id = $1 END`;
}

/**
 * Writes events with their bodies frozen, for what is stored here is what every delivery attempt sends, and in the same
 * statement one delivery for each endpoint that wants them. Answers how many deliveries there are.
 */
export async function insertEvents(client: PoolClient, events: readonly FrozenEvent[], onlyEndpoint: string | null = null): Promise<number> {
  const rows = events.map(({ id, organization_id, project_id, mode, type, internal, created_at, rest }) => [id, organization_id, project_id, mode, type, internal, created_at, rest]);
  const columns = rows.length === 1 ? rows[0] : rows[0].map((_, column) => rows.map((row) => row[column]));
  const { rowCount } = await run(client, { text: rows.length === 1 ? INSERT_ONE : INSERT_MANY, values: [onlyEndpoint, ...columns] });
  return rowCount ?? 0;
}
