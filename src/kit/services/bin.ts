import type { Ctx } from '../callers/ctx.js';
import type { Restorable } from '../store/restorable.js';

/** Rows that were deleted and can be restored. */
export abstract class Bin {
  /**
   * Restores a row with what was deleted with it, by its id or key, and returns what `show` reads of it. 404 if it is not in the bin, 409
   * with the field if what it refers to has gone, or a unique value was taken.
   */
  abstract restore(ctx: Ctx, resource: Restorable, which: { id: string; keyColumn?: string }, show: () => Promise<object>): Promise<object>;
}
