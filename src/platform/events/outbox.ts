import type { PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import type { Ctx, EventData, EventDefinition, InternalEvent } from '../../kit/index.js';
import type { CallContext } from '../persistence/call-context.js';
import { run } from '../persistence/reader.js';

/** Who changed something, and where. */
export type Origin = Pick<Ctx, 'organizationId' | 'projectId' | 'mode' | 'actor' | 'memberId'>;

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
  /** What listeners get of an internal event, as JSON; null for others. */
  listened: string | null;
  /** Whose change it was when it was emitted: the transaction's context may be another's by the time it is written. */
  origin: Origin;
}

export function freezeEvent<P extends object>(ctx: CallContext, event: EventDefinition<P>, data: EventData<P>): FrozenEvent {
  const id = uuidv7();
  const created_at = new Date().toISOString();
  const body = {
    id,
    object: 'event',
    type: event.name,
    api_version: 'v1',
    mode: ctx.mode,
    created_at,
    organization_id: ctx.organizationId,
    project_id: data.projectId,
    actor: ctx.actor,
    data: { object: data.object, previous_attributes: data.previous ?? {}, context: data.context ?? {} },
    request: { id: ctx.requestId, idempotency_key: ctx.idempotencyKey },
  };
  const listened = event.internal
    ? JSON.stringify({ id, type: event.name, project_id: data.projectId, data: data.object } satisfies InternalEvent)
    : null;
  const { organizationId, projectId, mode, actor, memberId } = ctx;
  const origin = { organizationId, projectId, mode, actor, memberId };
  return {
    id,
    organization_id: ctx.organizationId,
    project_id: data.projectId,
    mode: ctx.mode,
    type: event.name,
    internal: event.internal ?? false,
    created_at,
    rest: JSON.stringify(body).slice(1),
    listened,
    origin,
  };
}

const COLUMNS = 'id, organization_id, project_id, mode, type, internal, created_at';
const INSERT = `INSERT INTO outbox_events (sequence, ${COLUMNS}, body)`;
/** A delivery's id has the event's time in it and 74 random bits behind, as version 7 asks for. */
const deliver = (id: string, type: string, project: string) => `
  INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
  SELECT (substr(${id}::text, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, w.organization_id, ${project}, w.mode, w.id, ${id}, ${type}`;
const wants = (type: string, project: string) =>
  `(w.project_id IS NULL OR w.project_id = ${project}) AND (${type} = ANY(w.events) OR '*' = ANY(w.events))`;
/** Nearly every change emits one event; taking it out of arrays would cost PostgreSQL more than writing it. */
const INSERT_ONE = `
  WITH written AS (
    ${INSERT}
    SELECT n, $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::boolean, $7::timestamptz, '{"sequence":' || n || ',' || $8
    FROM nextval('outbox_events_sequence') AS n
  )${deliver('$1::uuid', '$5', '$3::uuid')}
  FROM webhook_endpoints w
  WHERE w.organization_id = $2 AND w.mode = $4 AND w.status = 'enabled'
    AND CASE WHEN $9::uuid IS NULL THEN NOT $6 AND ${wants('$5', '$3::uuid')} ELSE w.id = $9 END`;
const INSERT_MANY = `
  WITH numbered AS (
    SELECT nextval('outbox_events_sequence') AS n, e.*
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[], $8::text[]) AS e(${COLUMNS}, rest)
  ), written AS (
    ${INSERT} SELECT n, ${COLUMNS}, '{"sequence":' || n || ',' || rest FROM numbered
  )${deliver('e.id', 'e.type', 'e.project_id')}
  FROM numbered e JOIN webhook_endpoints w ON w.organization_id = e.organization_id AND w.mode = e.mode AND w.status = 'enabled'
  WHERE NOT e.internal AND ${wants('e.type', 'e.project_id')}`;

/**
 * Writes events with their bodies frozen, for what is stored here is what every delivery attempt sends, and in the same
 * statement one delivery for each endpoint that wants them. Answers how many deliveries there are.
 */
export async function insertEvents(client: PoolClient, events: readonly FrozenEvent[]): Promise<number> {
  const rows = events.map(valuesOf);
  const { rowCount } =
    rows.length === 1
      ? await run(client, { text: INSERT_ONE, values: [...rows[0], null] })
      : await run(client, { text: INSERT_MANY, values: rows[0].map((_, column) => rows.map((row) => row[column])) });
  return rowCount ?? 0;
}

/** Writes an event that goes to one endpoint alone, whatever it subscribes to. */
export async function insertEventFor(client: PoolClient, event: FrozenEvent, endpointId: string): Promise<void> {
  await run(client, { text: INSERT_ONE, values: [...valuesOf(event), endpointId] });
}

function valuesOf({ id, organization_id, project_id, mode, type, internal, created_at, rest }: FrozenEvent): unknown[] {
  return [id, organization_id, project_id, mode, type, internal, created_at, rest];
}
