import { Inject, Injectable } from '@nestjs/common';
import { changedFrom, CommonErrors, Members, type Ctx, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentViews } from '../../views/document-views.js';
import type { DocumentDto } from '../../views/documents.dto.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentEvents } from '../../views/documents.events.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import {
  findMove,
  OVERRIDE_TARGETS,
  STATE_MOVES,
  wasExecuted,
  type DocumentState,
  type MoveEvent,
  type StateMove,
  type Trigger,
} from '../../model/core/document-states.js';
import { MOVE_HOOKS, type MoveHook } from './move-hook.js';
import { requireTransition, stageAfter, STANDARD_LIFECYCLE, stateOf } from '../../model/core/lifecycle.js';

/** On whose behalf a move is made, and by which transition of the lifecycle. */
export interface MoveBasis {
  /** The lifecycle transition that the caller chose. */
  lifecycleAction?: string | null;
  /** The member on whose behalf it is made, if not the caller. */
  actedFor?: { id: string; email: string } | null;
  /** The type's settings make the move, so the roles of the transition are not checked. */
  automatic?: boolean;
}

/** A move that `DocumentMoves.check` allows. */
export interface AllowedMove {
  events: readonly MoveEvent[];
  lifecycle_stage: string;
}

/** What a move does besides changing the state. */
export interface MoveOptions extends MoveBasis {
  /** The result of `check` for this move, where the caller had to know before. */
  allowed?: AllowedMove;
  changes?: Partial<Document>;
  /** The context of the move's events, by event. */
  context?: Partial<Record<MoveEvent, Record<string, unknown>>>;
  /** Details for the audit trail. */
  detail?: Record<string, unknown>;
  /** The document's representation before the move, if its requests or parties have already changed. */
  before?: DocumentDto;
  /** All requests of the current submission as they are now, if a decision has settled them: they need not be read again. */
  requests?: readonly ApprovalRequest[];
}

/** The only code that changes a document's state: by the state table and the type's lifecycle, with events and an audit row. */
@Injectable()
export class DocumentMoves {
  constructor(
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly members: Members,
    @Inject(MOVE_HOOKS) private readonly hooks: readonly MoveHook[],
  ) {}

  /** Moves a document. The transaction must have locked it. */
  async move(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger, to: DocumentState, options: MoveOptions = {}): Promise<Document> {
    const { events, lifecycle_stage } = options.allowed ?? (await this.check(ctx, document, trigger, to, options));
    const before = options.before ?? (await this.views.of(ctx, document));
    for (const hook of this.hooks) await hook.beforeMove?.(tx, document, to, options.requests);
    const ended_at = endOf(to, { ...document, ...options.changes }, tx.startedAt);
    const changes = { ...options.changes, ended_at, state: to, lifecycle_stage, send_request: null };
    const moved = await (options.requests ? tx.advanced.pipelined : tx).update(document, changes);
    const object = await this.views.of(ctx, moved, options.requests);
    const data = { object, previous: changedFrom(before, object), projectId: document.project_id };
    // a further signature of a partially signed document does not change its state
    if (to !== document.state) tx.emit(DocumentEvents.stateChanged, { ...data, context: { from: document.state, to, trigger } });
    for (const event of events) tx.emit(DocumentEvents[event], { ...data, context: options.context?.[event] });
    await this.record(ctx, tx, document, `papers.${trigger}`, {
      to_state: to,
      acted_for: options.actedFor?.email ?? null,
      detail: options.detail ?? {},
    });
    for (const hook of this.hooks) await hook.afterMove?.(ctx, tx, moved, trigger);
    return moved;
  }

  /** Rejects a move that the state table, the lifecycle or the roles of its transition forbid. Returns the stage it leads to. */
  async check(ctx: Ctx, document: Document, trigger: Trigger, to: DocumentState, basis: MoveBasis = {}): Promise<AllowedMove> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    if (trigger === 'reopen') requireContents(document);
    const move = requireMove(document, definition, trigger, to);
    const lifecycle = definition.lifecycle ?? STANDARD_LIFECYCLE;
    if (move.by === 'party' || move.by === 'system')
      return { events: move.events, lifecycle_stage: stageAfter(lifecycle, document.lifecycle_stage, trigger, to) };
    const transition = requireTransition(lifecycle, document.lifecycle_stage, trigger, to, basis.lifecycleAction ?? null);
    const isFree = transition.roles.length === 0 || basis.automatic === true || ctx.actor.type === 'system';
    if (!isFree) await this.requireRole(ctx, basis.actedFor?.id ?? ctx.memberId, transition.roles, transition.code);
    return { events: move.events, lifecycle_stage: transition.to };
  }

  /** Sets a document to any stage of OVERRIDE_TARGETS, whatever its lifecycle allows. The transaction must have locked it. */
  async override(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    lifecycle_stage: string,
    reason: string,
    changes: Partial<Document> = {},
  ): Promise<Document> {
    const to = await this.overrideTarget(ctx, document, lifecycle_stage);
    const before = await this.views.of(ctx, document);
    for (const hook of this.hooks) await hook.beforeMove?.(tx, document, to);
    const ended_at = endOf(to, { ...document, ...changes }, tx.startedAt);
    const moved = await tx.update(document, { ...changes, ended_at, state: to, lifecycle_stage, send_request: null });
    const object = await this.views.of(ctx, moved);
    const data = { object, previous: changedFrom(before, object), projectId: document.project_id };
    if (to !== document.state)
      tx.emit(DocumentEvents.stateChanged, { ...data, context: { from: document.state, to, trigger: 'override' } });
    tx.emit(DocumentEvents.lifecycleOverride, { ...data, context: { from: document.lifecycle_stage, to: lifecycle_stage, reason } });
    await this.record(ctx, tx, document, 'papers.override', {
      to_state: to,
      detail: { from_stage: document.lifecycle_stage, to_stage: lifecycle_stage, reason },
    });
    if (to !== document.state) for (const hook of this.hooks) await hook.afterMove?.(ctx, tx, moved, 'override');
    return moved;
  }

  /** The state of the stage that an override sets. */
  async overrideTarget(ctx: Ctx, document: Document, stage: string): Promise<DocumentState> {
    requireContents(document);
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const lifecycle = definition.lifecycle ?? STANDARD_LIFECYCLE;
    const allowed = lifecycle.stages.filter(({ state }) => OVERRIDE_TARGETS.includes(state)).map(({ code }) => code);
    const to = stateOf(lifecycle, stage);
    if (to === undefined)
      throw CommonErrors.validationFailed({
        param: 'to',
        message: `to must be a stage of the type's lifecycle: ${allowed.join(', ')}`,
        allowed,
      });
    if (!OVERRIDE_TARGETS.includes(to))
      throw DocumentErrors.invalidTransition({
        param: 'to',
        message: 'An override cannot ask parties to sign or sign for them; set the document to finalized and send it.',
        allowed,
      });
    return to;
  }

  /** Writes a row of the audit trail. */
  record(ctx: Ctx, tx: Tx, document: Document, action: string, entry: Partial<AuditEntry> = {}): Promise<AuditEntry> {
    const detail = { ...(ctx.memberId === null ? {} : { member_id: ctx.memberId }), ...entry.detail };
    const row: Partial<AuditEntry> = {
      project_id: document.project_id,
      document_id: document.id,
      action,
      actor: ctx.actor,
      from_state: document.state,
      status: 'completed',
      ...entry,
      detail,
    };
    return tx.advanced.pipelined.insert(AuditEntry, row);
  }

  private async requireRole(ctx: Ctx, memberId: string | null, roles: readonly string[], code: string): Promise<void> {
    const [member] = memberId === null ? [] : await this.members.byIds(ctx, [memberId]);
    if (!member || !roles.includes(member.role))
      throw CommonErrors.permissionDenied({ message: `Only the roles ${roles.join(', ')} may run the transition ${code}.` });
  }
}

const ENDED: readonly DocumentState[] = ['declined', 'rejected', 'expired', 'revoked', 'superseded'];

/** When the document has come to its end: at first, if it had one before. One with an end of validity is in force until it expires. */
function endOf(
  to: DocumentState,
  { state, ended_at, valid_until_on }: Pick<Document, 'state' | 'ended_at' | 'valid_until_on'>,
  now: Date,
): Date | null {
  if (!ENDED.includes(to) && (to !== 'executed' || valid_until_on !== null)) return null;
  return (state === 'executed' ? ended_at : null) ?? now;
}

/** Rejects changes of an executed document, because all parties have signed it, and of one whose contents were erased. */
function requireContents(document: Document): void {
  if (document.erased_at !== null) throw DocumentErrors.contentErased();
  if (wasExecuted(document))
    throw DocumentErrors.invalidTransition({
      message: 'An executed document is final: it can be superseded or revoked, but neither reopened nor set to another stage.',
    });
}

/** The move of the state table. Fails with `invalid_transition` and the states that allow the move. */
export function requireMove(document: Document, definition: TypeDefinition, trigger: Trigger, to: DocumentState): StateMove {
  const move = findMove(trigger, document.state, to, definition.requires_approval);
  if (move) return move;
  const isOfType = ({ approvalRequired }: StateMove) => (approvalRequired ?? definition.requires_approval) === definition.requires_approval;
  const allowed = [
    ...new Set(STATE_MOVES.filter((one) => one.trigger === trigger && one.to === to && isOfType(one)).flatMap(({ from }) => from)),
  ];
  throw DocumentErrors.invalidTransition({
    message: `A document in the state ${document.state} cannot ${trigger}; it must be ${allowed.join(' or ')}.`,
    allowed,
  });
}
