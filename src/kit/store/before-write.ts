import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import type { ErrorDefinition } from '../errors/errors.js';
import type { BaseEntity } from './entities.js';
import type { Tx } from './store.js';

/** A row that is about to be written. */
export interface RowWrite<E> {
  readonly kind: 'insert' | 'update' | 'delete';
  /** The row as it is; null for a new one. */
  readonly before: E | null;
  /** The columns of a new row, or those that change: what is assigned here is written, too. Empty for a deletion. */
  readonly values: Partial<E>;
}

/** What a module does before rows of an entity are written, of its own or of another module. */
export interface BeforeWriteHandler<E extends BaseEntity> {
  /**
   * Runs in the transaction of the write, and throws to refuse it. Rows that it writes with `tx` commit with the write, or not at all; as a
   * change may run again, it does nothing outside of the transaction.
   */
  beforeWrite(ctx: Ctx, tx: Tx, write: RowWrite<E>): Promise<void> | void;
}

interface Hook {
  readonly entity: Type<BaseEntity>;
  readonly errors: readonly ErrorDefinition[];
}

const hooks = new WeakMap<object, Hook>();
const declaredErrors = new Map<Type, Set<ErrorDefinition>>();

/**
 * Has a handler called before each write of an entity's rows, whoever writes them: a request, a batch, an import, a tool, a job. List the
 * class in `beforeWrite` of the manifest. `errors` are those that it throws; the routes of the entity's module list them.
 *
 * @example
 * ```ts
 * import { BeforeWrite, defineErrors, type BeforeWriteHandler, type Ctx, type RowWrite, type Tx } from 'work-suite/kit';
 * import { Task } from 'work-suite/modules/tasks';
 *
 * const FleetErrors = defineErrors({
 *   noPlate: { code: 'no_plate', type: 'invalid_request_error', status: 400, message: 'title must contain the plate of the vehicle' },
 * });
 *
 * @BeforeWrite(Task, { errors: [FleetErrors.noPlate] })
 * export class RequirePlate implements BeforeWriteHandler<Task> {
 *   beforeWrite(_ctx: Ctx, _tx: Tx, { kind, values }: RowWrite<Task>): void {
 *     if (kind !== 'delete' && values.title?.startsWith('Repair') && !values.title.includes('#')) throw FleetErrors.noPlate();
 *   }
 * }
 * ```
 */
export function BeforeWrite<E extends BaseEntity>(
  entity: Type<E>,
  { errors = [] }: { errors?: readonly ErrorDefinition[] } = {},
): <H extends Type<BeforeWriteHandler<E>>>(handler: H) => void {
  return (handler) => void hooks.set(handler, { entity, errors });
}

/** The entity whose writes the handler is called before. */
export function hookOf(handler: Type): Hook | undefined {
  return hooks.get(handler);
}

/** Called for the manifests that list the handlers. */
export function declareHooks(module: string, handlers: readonly Type[] = []): void {
  for (const handler of handlers) {
    const hook = hooks.get(handler);
    if (!hook) throw new Error(`${module}: the manifest lists ${handler.name} in beforeWrite, which has no @BeforeWrite(...).`);
    const errors = declaredErrors.get(hook.entity) ?? new Set();
    for (const error of hook.errors) errors.add(error);
    declaredErrors.set(hook.entity, errors);
  }
}

/** With which handlers may refuse a write of the entity. */
export function errorsBeforeWriting(entity: Type): readonly ErrorDefinition[] {
  return [...(declaredErrors.get(entity) ?? [])];
}
