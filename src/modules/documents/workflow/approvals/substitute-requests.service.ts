import { Injectable } from '@nestjs/common';
import { type Ctx, type Tx, currentTime } from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { ApprovalLink } from './approval-link.entity.js';
import { ApprovalMailer } from './approval-mailer.service.js';
import { Substitutes } from './substitutes.service.js';

/** Asks substitutes for the decisions that wait for members who are away. */
@Injectable()
export class SubstituteRequests {
  constructor(
    private readonly substitutes: Substitutes,
    private readonly mailer: ApprovalMailer,
  ) {}

  /**
   * Once for each pending request of the current step: the link that a substitute was mailed since the request shows that they were
   * asked. The transaction has locked the document.
   */
  async ask(ctx: Ctx, tx: Tx, document: Document, at = currentTime()): Promise<void> {
    const { id: document_id, approval_round: round, approval_step } = document;
    if (approval_step === null) return;
    const pending = await tx.list(ApprovalRequest, { document_id, round, step_index: approval_step, decision: 'pending' });
    const found = await this.substitutes.of(ctx, pending, () => document, at);
    if (found.length === 0) return;
    const links = await tx.list(ApprovalLink, { document_id, member_id: found.map(({ substitute }) => substitute.id) });
    for (const { substitute, absent, request } of found) {
      if (links.some(({ member_id, created_at }) => member_id === substitute.id && created_at >= request.created_at)) continue;
      const subject = { document, stepName: request.step_name, dueAt: request.due_at, inPlaceOf: absent };
      await this.mailer.ask(ctx, tx, [substitute], subject, 'request');
    }
  }
}
