import type { EventData, EventDefinition } from '../../../kit/index.js';
import { currentTraceparent, isDeclaredEvent, newId } from '../../../kit/internal.js';
import type { CallContext } from './call-context.js';
import type { FrozenEvent } from './frozen-event.js';
import type { Queryable } from '../rows/queryable.js';

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
    caller: { organizationId, projectId, mode, actor, memberId },
  };
}
