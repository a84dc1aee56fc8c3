import { Injectable } from '@nestjs/common';
import { Store, type Ctx } from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { isSatisfied, nextStep } from '../../model/rules/approval-route.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { DocumentViews } from '../../views/document-views.js';
import { Approvers } from '../approvals/approvers.service.js';
import { ApprovalProgress, withdraw } from './approval-progress.service.js';

/** Continues steps without approvers who left the organization or may no longer approve. */
@Injectable()
export class ApproverReleases {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly approvers: Approvers,
    private readonly progress: ApprovalProgress,
  ) {}

  /** The step completes if the approvals are now enough. If no approver is left, others are asked. */
  release(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      if (document.state !== 'in_approval') return;
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const requests = await tx.list(ApprovalRequest, {
        document_id: id,
        round: document.approval_round,
        step_index: document.approval_step as number,
      });
      const isPresent = await this.approvers.presence(ctx, requests);
      const pending = requests.filter(({ decision }) => decision === 'pending');
      const left = pending.filter(({ approver_id }) => approver_id !== null && !isPresent(approver_id));
      if (left.length === 0) return;
      const before = await this.views.of(ctx, document);
      const given = { document, definition };
      if (isSatisfied(requests, isPresent)) {
        const index = left[0].step_index;
        const next = nextStep(definition, document.data_values, index);
        if (next || (await this.progress.canEnd(ctx, document))) {
          await withdraw(tx, pending);
          await (next
            ? this.progress.carryOn(ctx, tx, given, { index, next, approver: null })
            : this.progress.end(ctx, tx, given, 'approve', { before }));
          return;
        }
      }
      await this.progress.replace(ctx, tx, given, left, pending);
    });
  }
}
