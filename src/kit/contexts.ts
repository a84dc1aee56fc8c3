import type { Ctx, Mode } from './ctx.js';

/** Where work happens that no member and no key asked for. */
export interface Place {
  organizationId: string;
  /** Narrows the context like a key's pin; null: the whole organisation. */
  projectId: string | null;
  mode: Mode;
}

/**
 * Contexts for work that no request of a member or a key started. Each is narrowed to its place like any caller's, so the
 * place must come from a row that was found by something its caller cannot choose: a sweep's own query, a token's hash.
 * `store.write` with such a context opens a transaction of its own and commits it at the end.
 */
export abstract class Contexts {
  /** The suite itself acts: a sweep, an automation. */
  abstract system(place: Place): Ctx;
  /** The suite itself acts for a caller: with the caller's organization, project and mode, and in the caller's transaction. */
  abstract systemWithin(ctx: Ctx): Ctx;
  /** A visitor acts who was let in by a link; `email` is theirs where it is known, `requestId` that of their call (`@Visitor()` has it). */
  abstract guest(place: Place, email: string | null, requestId?: string | null): Ctx;
}
