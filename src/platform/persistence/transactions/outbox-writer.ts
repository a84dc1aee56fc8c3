import type { Ctx, InternalEvent, EventData, EventDefinition } from '../../../kit/index.js';
import { currentTraceparent, isDeclaredEvent, newId } from '../../../kit/internal.js';
import type { CallContext } from './call-context.js';
import type { Queryable } from '../rows/queryable.js';

/** The caller that caused an event, with its tenant. */
type EventCaller = Pick<Ctx, 'organizationId' | 'projectId' | 'mode' | 'actor' | 'memberId'>;

/** An event as it will be stored; `rest` is the JSON body after `sequence`, which only the database can assign. */
export interface FrozenEvent {
  id: string;
  organization_id: string;
  project_id: string | null;
  mode: string;
  type: string;
  internal: boolean;
  created_at: string;
  rest: string;
  request_id: string | null;
  /** Of what emitted it; null without tracing. */
  traceparent: string | null;
  /** The JSON that listeners to an internal event receive; null for others. */
  listened: string | null;
  /** The caller when the event was emitted: the transaction may have another context by the time the event is written. */
  caller: EventCaller;
}

/** Writes the events of the changes that a transaction makes. Implemented by the folder that owns their tables. */
export abstract class OutboxWriter {
  /**
   * Sends its statements immediately, so that they share a round trip with the following COMMIT. Resolves to the callback to run after
   * the commit.
   */
  abstract write(client: Queryable, changes: readonly (readonly FrozenEvent[])[]): Promise<() => void>;
}

export function freezeEvent<P extends object>(ctx: CallContext, event: EventDefinition<P>, data: EventData<P>): FrozenEvent {
  if (!isDeclaredEvent(event)) throw new Error(`No manifest lists the event ${event.name}: add it to events of the module's manifest.`);
  const id = newId();
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
  return {
    id,
    organization_id: ctx.organizationId,
    project_id: data.projectId,
    mode: ctx.mode,
    type: event.name,
    internal: event.internal ?? false,
    created_at,
    rest: JSON.stringify(body).slice(1),
    request_id: ctx.requestId,
    traceparent: currentTraceparent(),
    listened,
    caller: { organizationId, projectId, mode, actor, memberId },
  };
}
