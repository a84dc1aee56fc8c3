import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../kit/index.js';
import type { DocumentState } from '../../model/core/document-states.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import type { MoveHook } from '../moves/move-hook.js';

/** Withdraws the pending requests of a document that leaves the state `in_approval`. */
@Injectable()
export class WithdrawRequests implements MoveHook {
  async beforeMove(tx: Tx, { id, state }: Document, to: DocumentState, settled?: readonly ApprovalRequest[]): Promise<void> {
    if (state !== 'in_approval' || to === 'in_approval' || settled) return;
    for (const request of await tx.list(ApprovalRequest, { document_id: id, decision: 'pending' }))
      await tx.update(request, { decision: 'withdrawn' });
  }
}
