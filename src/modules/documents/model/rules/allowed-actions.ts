import type { Ctx } from '../../../../kit/index.js';
import type { Document } from '../records/document.entity.js';
import type { TypeDefinition } from '../types/type-definition.js';
import { movesFrom, wasExecuted, type StateMove, type Trigger } from '../core/document-states.js';
import { STANDARD_LIFECYCLE, stateOf } from '../core/lifecycle.js';

/** By definition, which never changes, and within it by state and stage. */
const openMovesOf = new WeakMap<TypeDefinition, Map<string, readonly StateMove[]>>();

export const DECISIONS: readonly Trigger[] = ['approve', 'reject', 'return'];

/** What the caller may do with the document now, by the state table, the type's lifecycle and the caller's permissions. */
export function allowedActions(ctx: Ctx, document: Document, definition: TypeDefinition): Trigger[] {
  const triggers: Trigger[] = [];
  for (const move of openMoves(definition, document)) {
    const { trigger } = move;
    if (!triggers.includes(trigger) && isReady(trigger, document) && mayRun(ctx, move, document, definition)) triggers.push(trigger);
  }
  return triggers;
}

function isReady(trigger: Trigger, { missing_required_fields, send_request }: Document): boolean {
  if (trigger === 'submit' || trigger === 'finalize') return missing_required_fields.length === 0;
  return trigger !== 'send' || send_request?.status !== 'sending';
}

/** The moves that the state table and the lifecycle allow: few different ones, asked for with every document shown. */
function openMoves(definition: TypeDefinition, { state, lifecycle_stage: stage }: Document): readonly StateMove[] {
  let known = openMovesOf.get(definition);
  if (!known) openMovesOf.set(definition, (known = new Map()));
  const key = `${state} ${stage}`;
  let open = known.get(key);
  if (!open) {
    const lifecycle = definition.lifecycle ?? STANDARD_LIFECYCLE;
    const runs = ({ trigger, to }: StateMove) =>
      lifecycle.transitions.some(
        (transition) => transition.trigger === trigger && transition.from.includes(stage) && stateOf(lifecycle, transition.to) === to,
      );
    known.set(key, (open = movesFrom(state, definition.requires_approval).filter(runs)));
  }
  return open;
}

function mayRun(ctx: Ctx, { trigger, by }: StateMove, document: Document, definition: TypeDefinition): boolean {
  if (trigger === 'recall' && !isAuthor(ctx, document)) return false;
  if (trigger === 'reopen' && (wasExecuted(document) || document.erased_at !== null)) return false;
  if (DECISIONS.includes(trigger) && isSubmitter(ctx, document) && !definition.allow_self_approval) return false;
  if (ctx.scopes.size > 0) {
    if (by !== 'api') return false;
    if (trigger === 'submit') return ctx.scopes.has('papers:document:write');
    // a key cannot finalize a document that requires approval; members and finalize_on_approval can
    if (trigger === 'finalize' && definition.requires_approval) return false;
    return ctx.scopes.has('papers:workflow:act') && ctx.memberId !== null;
  }
  if (by === 'screen') return ctx.permissions.has('papers.document.override');
  if (by !== 'api') return false;
  return ctx.permissions.has(DECISIONS.includes(trigger) ? 'papers.document.approve' : 'papers.document.manage');
}

/** Whether the caller may decide for an approver; null for a request without a name. Members decide only in their own name. */
export function mayDecideFor(ctx: Ctx, document: Document, approverId: string | null): boolean {
  if (approverId === null || approverId === ctx.memberId) return true;
  return ctx.scopes.size > 0 && !isSubmitter(ctx, document);
}

/** Whether the caller counts as the submitter; of a document without a known member, so does the key that created it. */
export function isSubmitter({ memberId, actor }: Ctx, { submitted_by, created_by }: Document): boolean {
  if (submitted_by === null) return actor.type === 'api_key' && created_by.type === 'api_key' && actor.id === created_by.id;
  return memberId === submitted_by;
}

/** Whether the caller created or submitted the document. A document made by the system counts everyone as its author. */
export function isAuthor(ctx: Ctx, { created_by, submitted_by }: Document): boolean {
  const wrote = created_by.id !== null && (created_by.id === ctx.actor.id || created_by.id === ctx.memberId);
  const submitted = submitted_by !== null && submitted_by === ctx.memberId;
  return wrote || submitted || (created_by.id === null && submitted_by === null);
}
