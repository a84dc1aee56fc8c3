import type { Ctx } from '../callers/ctx.js';
import type { EventDefinition } from './events.js';
import type { Tx } from './store.js';

/**
 * The stored events of the organization.
 *
 * @example
 * ```ts
 * import type { Ctx, EventHistory, Tx } from 'work-suite/kit';
 * import { TripEvents } from './trip.dto.js';
 *
 * export const forgetDriver = (history: EventHistory, ctx: Ctx, tx: Tx, driverId: string) =>
 *   history.forget(ctx, tx, Object.values(TripEvents), 'driver_id', driverId);
 * ```
 */
export abstract class EventHistory {
  /**
   * Deletes the events whose object has the value in the member, with their deliveries and jobs, sent or not. Only for personal data
   * that is removed permanently: endpoints that have not received the events never will. Emit the event of the removal afterwards.
   */
  abstract forget(ctx: Ctx, tx: Tx, events: readonly EventDefinition[], member: string, value: string): Promise<void>;
}
