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

/** Writes events with their bodies frozen: what is stored here is what every delivery attempt sends. */
export function insertEvents(client: PoolClient, events: readonly FrozenEvent[]): Promise<unknown> {
  const column = (name: keyof FrozenEvent) => events.map((event) => event[name]);
  return run(client, {
    text: `INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, created_at, body)
           SELECT n, id, organization_id, project_id, mode, type, internal, created_at, '{"sequence":' || n || ',' || rest
           FROM (SELECT nextval('outbox_events_sequence') AS n, e.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[], $8::text[])
                 AS e(id, organization_id, project_id, mode, type, internal, created_at, rest)) AS numbered`,
    values: [column('id'), column('organization_id'), column('project_id'), column('mode'), column('type'), column('internal'), column('created_at'), column('rest')],
  });
}
