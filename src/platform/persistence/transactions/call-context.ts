import { CommonErrors, type Actor, type Ctx, type Mode, type Tx } from '../../../kit/index.js';
import type { Scoping } from '../../../kit/internal.js';
import type { Queryable } from '../rows/queryable.js';
import type { CallEffects } from './call-effects.js';

/** The transaction of a call, for writes and reads within the call. */
export interface CallTransaction {
  open(): Promise<Tx>;
  /** Its connection, once it is open. */
  readonly connection: Queryable | null;
  readonly hasEnded: boolean;
}

/** The session of a request. */
export interface CallSession {
  id: string;
  /** When the member last gave their password. */
  confirmedAt: Date;
  /** Whether the member must set up a second factor before anything that requires a permission. */
  lacksSecondFactor: boolean;
}

/** An app that a member has authorized, as the audit log names it. */
export interface ActingApp {
  readonly id: string;
  readonly name: string;
}

/** Where a call came from. */
export interface CallOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The operation of the route, or the command. */
  readonly operation: string | null;
  /** The system's name of who runs a command. */
  readonly operator?: string;
}

const NOTHING_WITHHELD: ReadonlyMap<string, string> = new Map();

/** A project that the call did not name. */
export interface UsedProject {
  key: string;
  /** It is the default project. */
  isAssumed: boolean;
}

/** The platform's implementation of `Ctx`, with the transaction of the call. */
export class CallContext implements Ctx {
  ifMatch: readonly number[] | null = null;
  idempotencyKey: string | null = null;
  scenario: string | null = null;
  /** Whether the request is only tried out: it runs in its transaction, which is rolled back. */
  dryRun = false;
  /** What the change does, if somebody asks for it. */
  effects: CallEffects | null = null;
  /** Until when the row that the call has deleted can be restored; null if none can. */
  restorableUntil: Date | null = null;
  /** Whether calls that delete or reach people must follow a plan, as their key demands. */
  requiresPlan = false;
  /** The plan that the request follows, as a dry run has returned it. */
  planToken: string | null = null;
  /** Scopes of the key that require a permission which its member lacks, with that permission; not among `scopes`. */
  withheld: ReadonlyMap<string, string> = NOTHING_WITHHELD;
  /** The session of a signed-in member; null for other callers. */
  session: CallSession | null = null;
  /** Null for jobs. */
  origin: CallOrigin | null = null;
  /** On whose request the system acts: an app may give up its key, but change none as its actor. */
  app: ActingApp | null = null;
  /** The project in which the call works although it sent no project_id: that of other ids that it sent, or else the default one. */
  usedProject: UsedProject | null = null;
  /** Open while a write request runs; null for reads, jobs and commands. */
  unitOfWork: CallTransaction | null = null;
  /** Makes the ids of new rows, if they must be known beforehand: those of the demo on request. */
  newId: ((scoping: Scoping) => string) | null = null;
  /** Throws when the work that the context belongs to has lost its lease: nothing more may be written then. */
  requireLease: (() => void) | null = null;
  /** Before each transaction of a request that has several: renews the request's lease, or throws if it is lost. */
  renewLease: (() => Promise<void>) | null = null;
  /** The context whose transaction this one's writes join: itself, or the one that it was derived from. */
  owner: CallContext = this;

  constructor(
    readonly requestId: string | null,
    readonly organizationId: string,
    readonly projectId: string | null,
    readonly mode: Mode,
    readonly actor: Actor,
    readonly memberId: string | null,
    readonly scopes: ReadonlySet<string>,
    readonly permissions: ReadonlySet<string>,
  ) {}
}

/** Throws `version_conflict` if the request's If-Match does not name the version of its locked row. */
export function requireVersion({ ifMatch }: Pick<Ctx, 'ifMatch'>, version: number): void {
  if (ifMatch && !ifMatch.includes(version)) throw CommonErrors.versionConflict({ param: 'If-Match', headers: { ETag: `"${version}"` } });
}

const NONE: ReadonlySet<string> = new Set();

/** Of a process that runs a command. */
let command: CallOrigin | null = null;

/** From now on this process acts for an operator. */
export function actForOperator(origin: CallOrigin): void {
  command = origin;
}

/** The command of this process; null for a server. */
export function commandOrigin(): CallOrigin | null {
  return command;
}

/** The context of work without a request: jobs, commands, demo data. */
export function systemContext(organizationId: string, mode: Mode): CallContext {
  const ctx = new CallContext(null, organizationId, null, mode, { type: 'system', id: null, email: null }, null, NONE, NONE);
  ctx.origin = command;
  return ctx;
}

/** Whether the call is only tried out. A context of another kind is refused: as a real call, a dry run could reach people. */
export function isDryRun(ctx: Ctx): boolean {
  if (!(ctx instanceof CallContext)) throw new Error('The context of the call must be passed on as it is, not as a copy');
  return ctx.owner.dryRun;
}
