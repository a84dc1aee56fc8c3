import type { Ctx, InternalEvent } from '../../../kit/index.js';

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
  /** The caller when the event was emitted: the transaction may have another context by the time the event is written. */
  caller: EventCaller;
}

/** Whether a listener to these types hears the event; without types, it hears all internal ones. */
export function isHeard({ type, internal }: FrozenEvent, types: readonly string[] | undefined): boolean {
  return types?.includes(type) ?? internal;
}

/** What listeners to the event receive. */
export function heardEvent({ id, type, project_id, rest }: FrozenEvent): InternalEvent {
  const { data } = JSON.parse(`{${rest}`) as { data: { object: object } };
  return { id, type, project_id, data: data.object };
}
