import { Job, Store, type Ctx, type JobHandler } from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { SubstituteRequests } from './substitute-requests.service.js';

/** Asks the substitute of a member for what waits, when their period begins. */
@Job({ name: 'documents.ask_substitutes' })
export class AskSubstitutesOf implements JobHandler<{ member_id: string }> {
  constructor(
    private readonly store: Store,
    private readonly requests: SubstituteRequests,
  ) {}

  async run(ctx: Ctx, { member_id }: { member_id: string }): Promise<void> {
    const waiting = await this.store.list(ctx, ApprovalRequest, { approver_id: member_id, decision: 'pending' });
    for (const id of new Set(waiting.map(({ document_id }) => document_id)))
      await this.store.write(ctx, async (tx) => this.requests.ask(ctx, tx, await tx.lock(Document, id)));
  }
}
