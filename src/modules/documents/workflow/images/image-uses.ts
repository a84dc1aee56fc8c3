import type { Sql } from '../../../../kit/index.js';

/** What names pictures besides documents and types: a condition on the caller's rows. The wings above the workflow provide it. */
export abstract class ImageUses {
  abstract isNamed(reference: string): Sql;
}
