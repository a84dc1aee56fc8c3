import type { Type } from '@nestjs/common';
import type { BaseEntity } from './entities.js';

/**
 * Inserts rows of a log in batches, so that no request waits for them. They are written within half a second and at shutdown; a
 * process that is killed loses those that wait. What a response promises must be written by the store instead.
 */
export abstract class BatchedInserts {
  /**
   * Adds a row of an entity whose rows never change (it has no `version` column). The row names its own organization and must
   * have every column. Neither throws nor waits.
   */
  abstract add<E extends BaseEntity>(entity: Type<E>, row: Omit<E, 'version'>): void;
}
