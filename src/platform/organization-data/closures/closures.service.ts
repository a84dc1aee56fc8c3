import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS, invalid, organizationName, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { KeyChanges } from '../../key-changes/key-changes.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { LegalHolds } from './legal-holds.js';
import { ClosureErrors } from './closures.errors.js';

export const CLOSURE_SETTINGS = Symbol('closure settings');

export interface ClosureSettings {
  /** Between the closure and the erasure, unless an operator says otherwise. */
  organizationGraceDays: number;
  /** Idempotency records name no organization; erasing it earlier than these are deleted would leave some of it. */
  idempotencyRetentionHours: number;
}

const MOST_DAYS = 365;

/** When an organization was closed, and when it is erased. */
export interface Closure {
  closed_at: Date;
  erase_at: Date;
}

const READ = 'SELECT closed_at, erase_at FROM organizations WHERE id = $1';

/**
 * Closes organizations: their keys, sessions, links and work stop at once, and their data is erased after a grace period, unless an
 * operator opens them again.
 */
@Injectable()
export class ClosuresService {
  constructor(
    private readonly store: Store,
    private readonly keyChanges: KeyChanges,
    private readonly holds: LegalHolds,
    @Inject(CLOSURE_SETTINGS) private readonly settings: ClosureSettings,
  ) {}

  /** Closes the caller's organization, whose name must be given; one that is closed stays so, with its time. */
  async close(ctx: Ctx, givenName: string, days = this.settings.organizationGraceDays): Promise<Closure> {
    const least = Math.ceil(this.settings.idempotencyRetentionHours / 24);
    if (!Number.isInteger(days) || days < least || days > MOST_DAYS)
      throw invalid('days', `must be a whole number from ${least} to ${MOST_DAYS}`);
    // checked again before the erasure: a closed organization gets no holds
    await this.holds.requireNone(ctx.organizationId);
    return this.store.write(ctx, async (tx) => {
      if ((await organizationName(tx)) !== givenName)
        throw invalid('organization_name', 'must be the name of the organization that is deleted');
      const [before] = await tx.sql<Closure>(platformSql(`${READ} FOR NO KEY UPDATE`, [ctx.organizationId]));
      if (before.closed_at !== null) return before;
      // live data goes at that time, too: never that of a test clock
      const closed_at = new Date();
      const erase_at = new Date(closed_at.getTime() + days * DAY_MS);
      await this.set(tx, ctx, { closed_at, erase_at }, closedBy(ctx as CallContext));
      await tx.sql(platformSql('DELETE FROM sessions WHERE organization_id = $1', [ctx.organizationId]));
      tx.advanced.audit({ ...organization(ctx), action: 'closed', after: { erase_at } });
      return { closed_at, erase_at };
    });
  }

  /** Opens a closed organization again; null if it was open. */
  reopen(ctx: Ctx): Promise<Closure | null> {
    return this.store.write(ctx, async (tx) => {
      const [before] = await tx.sql<Closure>(platformSql(`${READ} FOR NO KEY UPDATE`, [ctx.organizationId]));
      if (before.closed_at === null) return null;
      const begun = await tx.sql(platformSql('SELECT FROM organization_erasures WHERE id = $1', [ctx.organizationId]));
      if (begun.length > 0) throw ClosureErrors.isBeingErased();
      await this.set(tx, ctx, { closed_at: null, erase_at: null }, null);
      tx.advanced.audit({ ...organization(ctx), action: 'reopened', before: { erase_at: before.erase_at } });
      return before;
    });
  }

  private async set(tx: Tx, ctx: Ctx, { closed_at, erase_at }: { closed_at: Date | null; erase_at: Date | null }, by: object | null) {
    // cached keys are read again
    await this.keyChanges.announce(tx, ctx.organizationId);
    await tx.sql(
      platformSql(
        'UPDATE organizations SET closed_at = $2, erase_at = $3, closed_by = $4, version = version + 1, updated_at = now() WHERE id = $1',
        [ctx.organizationId, closed_at, erase_at, by && JSON.stringify(by)],
      ),
    );
  }
}

function organization({ organizationId }: Ctx) {
  return { objectType: 'organization', objectId: organizationId };
}

function closedBy({ actor, origin }: CallContext): { type: string; id: string | null } {
  return origin?.operator === undefined ? { type: actor.type, id: actor.id } : { type: 'operator', id: origin.operator };
}
