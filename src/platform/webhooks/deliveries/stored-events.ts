import { Injectable } from '@nestjs/common';
import { EventHistory, type Ctx, type EventDefinition, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';

/** Jobs have their own copy of the event's object. */
const FORGET = `
  WITH forgotten AS (
    DELETE FROM outbox_events
    WHERE organization_id = $1 AND mode = $2 AND type = ANY($3) AND body::jsonb #>> ARRAY['data', 'object', $4] = $5
    RETURNING id
  ), deliveries AS (
    DELETE FROM webhook_deliveries d USING forgotten f WHERE d.event_id = f.id RETURNING d.id
  ), attempts AS (
    DELETE FROM webhook_attempts a USING deliveries d WHERE a.delivery_id = d.id
  )
  DELETE FROM jobs
  WHERE organization_id = $1 AND mode = $2 AND payload ->> 'type' = ANY($3) AND payload #>> ARRAY['data', $4] = $5`;

/** The kit's `EventHistory`. */
@Injectable()
export class StoredEvents extends EventHistory {
  override async forget(
    { organizationId, mode }: Ctx,
    tx: Tx,
    events: readonly EventDefinition[],
    member: string,
    value: string,
  ): Promise<void> {
    await tx.sql(platformSql(FORGET, [organizationId, mode, events.map(({ name }) => name), member, value]));
  }
}
