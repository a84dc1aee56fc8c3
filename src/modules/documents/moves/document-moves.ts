import { Inject, Injectable } from '@nestjs/common';
import { changedFrom, CommonErrors, Members, type Ctx, type Tx } from '../../../kit/index.js';
import { AuditEntry } from '../model/records/audit-entry.entity.js';
import { DocumentViews } from '../views/document-views.js';
import type { DocumentDto } from '../views/documents.dto.js';
import { Document } from '../model/records/document.entity.js';
import { DocumentErrors } from '../model/documents.errors.js';
import { DocumentEvents } from '../views/documents.events.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import { TypeVersions } from '../model/types/type-versions.js';
import {
  findMove,
  OVERRIDE_TARGETS,
  STATE_MOVES,
  type DocumentState,
  type MoveEvent,
  type StateMove,
  type Trigger,
} from '../model/document-states.js';
import { MOVE_HOOKS, type MoveHook } from './move-hook.js';
import { requireTransition, stageAfter, STANDARD_LIFECYCLE, stateOf } from '../model/lifecycle.js';

/** On whose account a move is made, and by which of the lifecycle's transitions. */
export interface MoveBasis {
  /** The lifecycle transition the caller names. */
  lifecycleAction?: string | null;
  /** The member in whose name it is done, where that is not the caller's own. */
  actedFor?: { id: string; email: string } | null;
  /** The type's own setting asked for it, so no role does. */
  automatic?: boolean;
}

/** What a move does beside changing the state. */
export interface MoveOptions extends MoveBasis {
  changes?: Partial<Document>;
  /** What events of this move carry as context, by event. */
  context?: Partial<Record<MoveEvent, Record<string, unknown>>>;
  /** Further facts for the audit trail. */
  detail?: Record<string, unknown>;
  /** The document as it was answered before, where what hangs on it was changed first. */
  before?: DocumentDto;
}

/** The one place where a document's state changes: by the state table and the type's lifecycle, with its events and its audit row. */
@Injectable()
export class DocumentMoves {
  constructor(
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly members: Members,
    @Inject(MOVE_HOOKS) private readonly hooks: readonly MoveHook[],
  ) {}

  /** Moves a document that the transaction has locked. */
  async move(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger, to: DocumentState, options: MoveOptions = {}): Promise<Document> {
    const { events, lifecycle_stage } = await this.check(ctx, document, trigger, to, options);
    const before = options.before ?? (await this.views.of(ctx, document));
    for (const hook of this.hooks) await hook.beforeMove?.(tx, document, to);
    const moved = await tx.update(document, { ...options.changes, state: to, lifecycle_stage });
    const object = await this.views.of(ctx, moved);
    const data = { object, previous: changedFrom(before, object), projectId: document.project_id };
    // one of several signatures moves a document that is partially signed already, and leaves its state as it is
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

  /** Refuses what the state table, the lifecycle or the roles of its transition do not allow; answers where the move would lead. */
  async check(
    ctx: Ctx,
    document: Document,
    trigger: Trigger,
    to: DocumentState,
    basis: MoveBasis = {},
  ): Promise<{ events: readonly MoveEvent[]; lifecycle_stage: string }> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const move = requireMove(document, definition, trigger, to);
    const lifecycle = definition.lifecycle ?? STANDARD_LIFECYCLE;
    if (move.by === 'party' || move.by === 'system')
      return { events: move.events, lifecycle_stage: stageAfter(lifecycle, document.lifecycle_stage, trigger, to) };
    const transition = requireTransition(lifecycle, document.lifecycle_stage, trigger, to, basis.lifecycleAction ?? null);
    const isFree = transition.roles.length === 0 || basis.automatic === true || ctx.actor.type === 'system';
    if (!isFree) await this.requireRole(ctx, basis.actedFor?.id ?? ctx.memberId, transition.roles, transition.code);
    return { events: move.events, lifecycle_stage: transition.to };
  }

  /** Sets a document that the transaction has locked to any stage that may be set by hand, past state table and lifecycle. */
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
    const moved = await tx.update(document, { ...changes, state: to, lifecycle_stage });
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

  /** The state that an override to this stage leads to. */
  async overrideTarget(ctx: Ctx, document: Document, stage: string): Promise<DocumentState> {
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
        message: 'No override asks parties to sign, or signs for them; set the document to finalized and send it.',
        allowed,
      });
    return to;
  }

  /** Writes a row of the audit trail. */
  record(ctx: Ctx, tx: Tx, document: Document, action: string, entry: Partial<AuditEntry> = {}): Promise<AuditEntry> {
    const detail = { ...(ctx.memberId === null ? {} : { member_id: ctx.memberId }), ...entry.detail };
    return tx.insert(AuditEntry, {
      project_id: document.project_id,
      document_id: document.id,
      action,
      actor: ctx.actor,
      from_state: document.state,
      ...entry,
      detail,
    });
  }

  private async requireRole(ctx: Ctx, memberId: string | null, roles: readonly string[], code: string): Promise<void> {
    const [member] = memberId === null ? [] : await this.members.byIds(ctx, [memberId]);
    if (!member || !roles.includes(member.role))
      throw CommonErrors.permissionDenied({ message: `The transition ${code} is for the roles ${roles.join(', ')}.` });
  }
}

/** The move of the state table, or `invalid_transition` with the states that have it. */
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
