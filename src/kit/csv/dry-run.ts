import { sql } from '../sql/sql.js';
import type { Tx } from '../store/store.js';

/** Thrown at the end of a dry run to roll back its writes. */
class DryRunRollback extends Error {}

/**
 * Runs a part of a change as usual and rolls it back, so that a dry run finds the same errors. Returns the part's result. If the platform
 * tries the whole call out, it rolls back and tells what the part would emit.
 *
 * @example
 * ```ts
 * import { dryRun, type Tx } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const tryOut = (tx: Tx, project_id: string) => dryRun(tx, () => tx.insert(Trip, { project_id, title: 'Lyon' }));
 * ```
 */
export async function dryRun<R>(tx: Tx, part: () => Promise<R>): Promise<R> {
  if (tx.advanced.isDryRun) return part();
  let result: R | undefined;
  try {
    await tx.attempt(async () => {
      result = await part();
      // waits for pipelined writes, whose errors the rollback would hide
      await tx.sql(sql`SELECT 1`);
      throw new DryRunRollback();
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
  return result as R;
}
