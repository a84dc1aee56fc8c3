import { Injectable } from '@nestjs/common';
import { changedFrom, CommonErrors, Members, type Ctx, type Tx } from '../../../kit/index.js';
import { AuditEntry } from '../documents/audit-entry.entity.js';
import { DocumentViews } from '../documents/document-views.js';
import type { Document } from '../documents/document.entity.js';
import { DocumentErrors } from '../documents.errors.js';
import { DocumentEvents } from '../documents.events.js';
import type { TypeDefinition } from '../types/type-definition.js';
import { TypeVersions } from '../types/type-versions.js';
import { findMove, STATE_MOVES, type DocumentState, type MoveEvent, type Trigger } from './document-states.js';
import { requireTransition, stageAfter, STANDARD_LIFECYCLE } from './lifecycle.js';

/** What a move does beside changing the state. */
export interface MoveOptions {
  /** The lifecycle transition the caller names. */
  lifecycleAction?: string | null;
  changes?: Partial<Document>;
  /** What events of this move carry as context, by event. */
  context?: Partial<Record<MoveEvent, Record<string, unknown>>>;
  /** The address of the member in whose name it is done, where that is not the caller. */
  actedFor?: string | null;
  /** Further facts for the audit trail. */
  detail?: Record<string, unknown>;
}

/** The one place where a document's state changes: by the state table and the type's lifecycle, with its events and its audit row. */
@Injectable()
export class DocumentMoves {
  constructor(
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly members: Members,
  ) {}

  /** Moves a document that the transaction has locked. */
  async move(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger, to: DocumentState, options: MoveOptions = {}): Promise<Document> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const move = requireMove(document, definition, trigger, to);
    const lifecycle_stage = await this.stage(ctx, document, definition, trigger, to, options.lifecycleAction ?? null);
    const before = await this.views.of(ctx, document);
    const moved = await tx.update(document, { ...options.changes, state: to, lifecycle_stage });
    const object = await this.views.of(ctx, moved);
    const data = { object, previous: changedFrom(before, object), projectId: document.project_id };
    tx.emit(DocumentEvents.stateChanged, { ...data, context: { from: document.state, to, trigger } });
    for (const event of move.events) tx.emit(DocumentEvents[event], { ...data, context: options.context?.[event] });
    await this.record(ctx, tx, document, `papers.${trigger}`, { to_state: to, acted_for: options.actedFor ?? null, detail: options.detail ?? {} });
    return moved;
  }

  /** Writes a row of the audit trail. */
  record(ctx: Ctx, tx: Tx, document: Document, action: string, entry: Partial<AuditEntry> = {}): Promise<AuditEntry> {
    return tx.insert(AuditEntry, { project_id: document.project_id, document_id: document.id, action, actor: ctx.actor, from_state: document.state, ...entry });
  }

  private async stage(ctx: Ctx, document: Document, definition: TypeDefinition, trigger: Trigger, to: DocumentState, code: string | null): Promise<string> {
    const lifecycle = definition.lifecycle ?? STANDARD_LIFECYCLE;
    const { by } = findMove(trigger, document.state, to, definition.requires_approval) as NonNullable<ReturnType<typeof findMove>>;
    if (by === 'party' || by === 'system') return stageAfter(lifecycle, document.lifecycle_stage, trigger, to);
    const transition = requireTransition(lifecycle, document.lifecycle_stage, trigger, to, code);
    if (transition.roles.length > 0 && ctx.actor.type !== 'system') await this.requireRole(ctx, transition.roles, transition.code);
    return transition.to;
  }

  private async requireRole(ctx: Ctx, roles: readonly string[], code: string): Promise<void> {
    const [member] = ctx.memberId === null ? [] : await this.members.byIds(ctx, [ctx.memberId]);
    if (!member || !roles.includes(member.role)) throw CommonErrors.permissionDenied({ message: `The transition ${code} is for the roles ${roles.join(', ')}.` });
  }
}

function requireMove(document: Document, definition: TypeDefinition, trigger: Trigger, to: DocumentState) {
  const move = findMove(trigger, document.state, to, definition.requires_approval);
  if (move) return move;
  const allowed = STATE_MOVES.filter((one) => one.trigger === trigger && (one.approvalRequired ?? definition.requires_approval) === definition.requires_approval).flatMap(({ from }) => from);
  throw DocumentErrors.invalidTransition({ message: `A document in the state ${document.state} cannot ${trigger}; it must be ${[...new Set(allowed)].join(' or ')}.`, allowed: [...new Set(allowed)] });
}
