import type { Actor, Mode } from '../kit/index.js';
import { CallContext } from '../platform/persistence/call-context.js';
import type { PgStore } from '../platform/persistence/pg-store.js';
import type { DemoMember } from './people.js';

const NONE: ReadonlySet<string> = new Set();
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/**
 * The context of the whole seed: unlike any request's it changes its mode and its actor on the way, so that tasks of both
 * modes, written by several people, are one transaction. One step at a time: what runs beside another would take its actor.
 */
export class SeedContext extends CallContext {
  declare mode: Mode;
  declare actor: Actor;
  declare memberId: string | null;

  constructor(organizationId: string) {
    super('demo', organizationId, null, 'live', SYSTEM, null, NONE, NONE);
  }

  /** From here on, the changes are this member's, in this mode. */
  as({ id, email }: Pick<DemoMember, 'id' | 'email'>, mode: Mode): this {
    this.mode = mode;
    this.actor = { type: 'user', id, email };
    this.memberId = id;
    return this;
  }

  asSystem(): this {
    this.mode = 'live';
    this.actor = SYSTEM;
    this.memberId = null;
    return this;
  }
}

/** Runs a seed that is written as a whole or not at all. */
export async function inOneTransaction<R>(store: PgStore, organizationId: string, seed: (ctx: SeedContext) => Promise<R>): Promise<R> {
  const ctx = new SeedContext(organizationId);
  const unit = store.begin(ctx);
  ctx.unitOfWork = unit;
  try {
    const result = await seed(ctx);
    await unit.commit();
    return result;
  } catch (error) {
    await unit.rollback();
    throw error;
  }
}
