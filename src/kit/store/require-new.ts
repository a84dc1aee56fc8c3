import type { Type } from '@nestjs/common';
import { duplicateOf } from '../errors/invalid-values.js';
import type { BusinessEntity } from './entities.js';
import type { Tx, Where } from './store.js';

/**
 * Throws 409 `duplicate` with the id of the project's row that has the value of `param` already, also if that is written in the meantime:
 * then the change runs again. Null is no value. `where` names the other columns of the unique constraint.
 *
 * @example
 * ```ts
 * import { Column, Entity } from 'typeorm';
 * import { BusinessEntity, requireNew, type Tx } from 'work-suite/kit';
 *
 * @Entity('notes')
 * class Note extends BusinessEntity {
 *   @Column('text', { nullable: true })
 *   external_id: string | null;
 * }
 *
 * export async function create(tx: Tx, project_id: string, external_id: string): Promise<Note> {
 *   await requireNew(tx, Note, project_id, 'external_id', external_id);
 *   return tx.insert(Note, { project_id, external_id });
 * }
 * ```
 */
export async function requireNew<E extends BusinessEntity>(
  tx: Tx,
  entity: Type<E>,
  project_id: string,
  param: keyof E & string,
  value: string | null | undefined,
  where: Where<E> = {},
): Promise<void> {
  if (value === null || value === undefined) return;
  tx.advanced.retryOnConflict();
  const [found] = await tx.list(entity, { ...where, project_id, [param]: value } as Where<E>);
  if (found) throw duplicateOf(param, value, found.id);
}
