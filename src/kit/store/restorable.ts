import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import type { Sql } from '../sql/sql.js';
import type { BaseEntity } from './entities.js';
import type { EventDefinition } from './events.js';
import type { Tx } from './store.js';
import { DAY_MS } from '../values/durations.js';

/** How long a deleted row can be restored. */
export const RESTORABLE_DAYS = 30;

/**
 * Until when a row that was deleted at this time can be restored.
 *
 * @example
 * ```ts
 * import { restorableUntil } from 'work-suite/kit';
 *
 * console.log(restorableUntil(new Date('2027-03-01T08:00:00Z')).toISOString()); // 2027-03-31T08:00:00.000Z
 * ```
 */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + RESTORABLE_DAYS * DAY_MS);
}

/**
 * A resource whose deleted rows can be restored, as a manifest declares it. `tx.delete` then keeps the row for 30 days, together with the
 * rows that the database deletes with it (`ON DELETE CASCADE`). Rows that the change deletes or changes by other statements are not kept.
 */
export interface Restorable {
  readonly entity: Type<BaseEntity>;
  /** The operation that deletes a row. Its path, scope and permission are those of the operation that restores it: `restore_task`. */
  readonly deletedBy: string;
  /** The operation that returns one row. Restoring returns the same. */
  readonly shownBy: string;
  /** Emitted with the restored row. Omit it only if deleting emits no event either, or if the handler emits others. */
  readonly event?: EventDefinition;
  /** What the handler emits. */
  readonly emits?: readonly EventDefinition[];
  /** One of the module's providers, for what the deletion did beyond the rows, and for what has to be checked again. */
  readonly handler?: Type<RestoreHandler<never>>;
}

/** What a module does when a row is restored. */
export interface RestoreHandler<E extends BaseEntity> {
  /** Which deleted rows the caller may see, as a condition on the row `t`, if not everybody who may delete may see each. */
  visibleTo?(ctx: Ctx): Sql;

  /**
   * Runs in the transaction, after all rows are back. It throws to refuse. `detached` are the ids that the deletion named: those of rows
   * that referred to it, which may have changed or gone since.
   */
  restored(ctx: Ctx, tx: Tx, row: E, detached: readonly string[]): Promise<void> | void;
}

/** A restorable resource and its module. */
export interface OwnedRestorable extends Restorable {
  readonly module: string;
}

const declared = new Map<Type, OwnedRestorable>();

/** The operation of the module that takes a deletion back. */
export interface Undo {
  readonly operation: string;
  /** The argument for the id of what was deleted. Without it, nothing is kept: the operation makes the same anew. */
  readonly argument?: string;
}

const undos = new Map<string, Undo>();

/** Called for the manifests, with the operations that delete. */
export function declareUndos(undoneBy: Readonly<Record<string, Undo>> = {}): void {
  for (const [deletion, undo] of Object.entries(undoneBy)) undos.set(deletion, undo);
}

/** For deletions that no operation of the bin takes back. */
export function undoOf(deletion: string): Undo | undefined {
  const undo = undos.get(deletion);
  return undo?.argument === undefined ? undefined : undo;
}

/** Called for the manifests that list the resources. */
export function declareRestorable(module: string, restorable: readonly Restorable[] = []): void {
  for (const one of restorable) {
    requireCurrent(module, one);
    declared.set(one.entity, { ...one, module });
  }
}

/** A check that nothing calls any longer would show deleted rows to those from whom it hid them. */
function requireCurrent(module: string, { entity, handler, ...others }: Restorable): void {
  if (handler && 'requireVisible' in handler.prototype)
    throw new Error(
      `${module}: ${handler.name} has requireVisible(), which is no longer called. Implement visibleTo(ctx): see UPGRADING.md.`,
    );
  if ('untitled' in others)
    throw new Error(
      `${module}: the restorable ${entity.name} has untitled, which is gone. Its handler's visibleTo(ctx) hides rows: see UPGRADING.md.`,
    );
}

/** What an operation of keys can be called for members: as it is, or `delete_org_task` for `delete_task`. */
export function namesForMembers(operation: string): readonly string[] {
  return [operation, operation.replace('_', '_org_')];
}

/** Whether what the operation deletes can be restored. */
export function isRestorableDeletion(operation: string): boolean {
  const deletions = [...[...declared.values()].map(({ deletedBy }) => deletedBy), ...[...undos.keys()].filter(undoOf)];
  return deletions.some((deletion) => namesForMembers(deletion).includes(operation));
}

/** Undefined if deleted rows of the entity cannot be restored. */
export function restorableOf(entity: Type): OwnedRestorable | undefined {
  return declared.get(entity);
}
