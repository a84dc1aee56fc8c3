import type { Ctx, Mode } from './ctx.js';

/** Which rows work that no member and no key asked for may read and write. */
export interface Tenant {
  organizationId: string;
  /** Restricts the context like a key's project pin; null for the whole organization. */
  projectId: string | null;
  mode: Mode;
}

/**
 * Contexts for work that no request of a member or a key started. Each is restricted to its tenant like any caller's, so the
 * tenant must come from a row found by something that the visitor cannot choose: a query of the suite's own, a token's hash.
 * `store.write` with such a context opens a transaction of its own and commits it at the end.
 */
export abstract class Contexts {
  /** The suite itself acts: a scheduled job, an automation. */
  abstract system(tenant: Tenant): Ctx;
  /** The suite itself acts for a caller: with the caller's organization, project and mode, and in the caller's transaction. */
  abstract systemWithin(ctx: Ctx): Ctx;
  /** A visitor acts who was let in by a link; `email` is theirs where it is known, `requestId` that of their call (`@Visitor()` has it). */
  abstract guest(tenant: Tenant, email: string | null, requestId?: string | null): Ctx;
}
