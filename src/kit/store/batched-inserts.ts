import type { Type } from '@nestjs/common';
import type { BaseEntity } from './entities.js';

/**
 * Inserts log rows in batches, so that no request waits for them. Rows are written within half a second and at shutdown; a
 * killed process loses its pending rows. Use the store instead for rows that a response refers to.
 *
 * @example
 * ```ts
 * import type { BatchedInserts } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const keep = (log: BatchedInserts, row: Omit<Trip, 'version'>) => log.add(Trip, row);
 * ```
 */
export abstract class BatchedInserts {
  /**
   * Adds a row of an entity whose rows never change (it has no `version` column). The row must have every column, including
   * `organization_id`. Neither throws nor waits.
   */
  abstract add<E extends BaseEntity>(entity: Type<E>, row: Omit<E, 'version'>): void;
}
