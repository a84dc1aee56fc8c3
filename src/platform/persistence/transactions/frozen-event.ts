import type { Ctx } from '../../../kit/index.js';

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
