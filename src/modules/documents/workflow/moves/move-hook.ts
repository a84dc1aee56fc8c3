import type { Ctx, Tx } from '../../../../kit/index.js';
import type { DocumentState, Trigger } from '../../model/core/document-states.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';

/**
 * Work of another folder that belongs to a move and runs in its transaction. Folders above `moves/` implement it;
 * `documents.module.ts` lists the hooks in the order in which they run. The document is locked.
 */
export interface MoveHook {
  /**
   * Runs before the state changes, for example to withdraw requests that belong to the state; `settled` are the requests of the
   * current submission, if a decision has settled all of them.
   */
  beforeMove?(tx: Tx, document: Document, to: DocumentState, settled?: readonly ApprovalRequest[]): Promise<void>;
  /** Runs after every move, and after an override that changed the state. */
  afterMove?(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger | 'override'): Promise<void>;
}

/** The injection token of the list of hooks. */
export const MOVE_HOOKS = Symbol('MOVE_HOOKS');
