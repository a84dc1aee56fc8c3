import { CommonErrors } from '../errors/common-errors.js';
import type { Ctx, Mode } from './ctx.js';
import type { Sql } from '../sql/sql.js';
import { tokenHash } from '../values/public-token.js';

/** The rows that work outside a member's or key's request may read and write. */
export interface Tenant {
  organizationId: string;
  /** Restricts the context like a key's project pin; null for the whole organization. */
  projectId: string | null;
  mode: Mode;
}

/** The columns that the statement of `Contexts.byToken` selects, in addition to the module's own. */
export interface TokenRow {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
  /** The guest's e-mail address, if known. */
  email: string | null;
}

/**
 * Contexts for work outside a member's or key's request. Each is restricted to its tenant like any caller's. Take the tenant
 * from a row that the visitor cannot choose: one found by the suite's own query or by a token's hash. `store.write` with such
 * a context opens a separate transaction and commits it at the end.
 *
 * @example
 * ```ts
 * import { sql, table, type Contexts } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * // the trip of the visitor who opened a mailed link
 * export const tripOfLink = (contexts: Contexts, token: string) =>
 *   contexts.byToken(
 *     token,
 *     (hash) => sql.unscoped('the token identifies the row')`
 *       SELECT t.id, t.organization_id, t.project_id, t.mode, NULL AS email FROM ${table(Trip)} t WHERE t.token_hash = ${hash}`,
 *     { unknown: 'This link is not valid any more.' },
 *   );
 * ```
 */
export abstract class Contexts {
  /** The suite itself acts: a scheduled job, an automation. */
  abstract system(tenant: Tenant): Ctx;
  /** The suite itself acts for a caller: in the caller's organization, project and mode, and in the caller's transaction. */
  abstract systemWithin(ctx: Ctx): Ctx;
  /** A visitor who opened a link acts, with their e-mail address if known and the id of their request (see `@Visitor()`). */
  abstract guest(tenant: Tenant, email: string | null, requestId?: string | null): Ctx;
  /**
   * Selects one row across all tenants by what a visitor presents, such as the hash of a token or a public address. The row's
   * columns name the tenant of the visitor's context. Null if there is no such row, or its organization is closed. The statement is
   * `sql.unscoped`.
   */
  abstract findAcrossTenants<R extends { organization_id: string }>(statement: Sql): Promise<R | null>;

  /**
   * The row that the token of a link identifies, and the context of the guest who has the link. `select` makes the statement,
   * `sql.unscoped`, that selects a `TokenRow` by the token's hash. `not_found` with the message `unknown` if there is no such row.
   */
  async byToken<R extends TokenRow>(
    token: string,
    select: (hash: string) => Sql,
    { unknown, requestId = null }: { unknown: string; requestId?: string | null },
  ): Promise<{ ctx: Ctx; row: R }> {
    const hash = tokenHash(token);
    const row = hash === null ? null : await this.findAcrossTenants<R>(select(hash));
    if (!row) throw CommonErrors.notFound({ message: unknown });
    const { organization_id: organizationId, project_id: projectId, mode, email } = row;
    return { ctx: this.guest({ organizationId, projectId, mode }, email, requestId), row };
  }
}
