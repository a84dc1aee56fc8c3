import { DomainError, Job, Projects, Store, type Ctx, type JobHandler, type JobRun, type Tx } from '../../../../kit/index.js';
import { DocumentsService } from '../../workflow/authoring/documents.service.js';
import { Submission } from '../../workflow/transitions/submission.service.js';
import { Transitions } from '../../workflow/transitions/transitions.service.js';
import { BulkSend, BulkSendRow, type RowError } from './bulk-send.entity.js';

/**
 * Sends the rows of a bulk send in their order. A row, its document and the progress change in one transaction: a worker that dies
 * loses no row and sends none twice. A row that fails leaves nothing behind but its error.
 */
@Job({ name: 'documents.run_bulk_send' })
export class RunBulkSend implements JobHandler<{ bulk_send_id: string }> {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly documents: DocumentsService,
    private readonly submission: Submission,
    private readonly transitions: Transitions,
  ) {}

  async run(ctx: Ctx, { bulk_send_id }: { bulk_send_id: string }, { signal }: JobRun): Promise<void> {
    const pending = await this.store.list(ctx, BulkSendRow, { bulk_send_id, status: 'pending' });
    pending.sort((one, other) => one.row - other.row);
    for (const { id } of pending) {
      signal.throwIfAborted();
      await this.process(ctx, id);
    }
  }

  private async process(ctx: Ctx, rowId: string): Promise<void> {
    try {
      await this.settle(ctx, rowId, (tx, bulk, row) => this.send(ctx, tx, bulk, row));
    } catch (error) {
      // errors that a retry may resolve are thrown, so that the job runs again
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      await this.settle(ctx, rowId, () => Promise.resolve({ status: 'failed', error: errorOf(error) }));
    }
  }

  /** Gives a pending row its result, and counts it. */
  private settle(
    ctx: Ctx,
    rowId: string,
    resultOf: (tx: Tx, bulk: BulkSend, row: BulkSendRow) => Promise<Partial<BulkSendRow>>,
  ): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const row = await tx.lock(BulkSendRow, rowId);
      // another run of the job may have processed the row
      if (row.status !== 'pending') return;
      const { status } = await tx.update(row, await resultOf(tx, await tx.get(BulkSend, row.bulk_send_id), row));
      const bulk = await tx.lock(BulkSend, row.bulk_send_id);
      const counts = {
        sent_count: bulk.sent_count + Number(status === 'sent'),
        failed_count: bulk.failed_count + Number(status === 'failed'),
        repeated_count: bulk.repeated_count + Number(status === 'repeated'),
      };
      const isFinished = counts.sent_count + counts.failed_count + counts.repeated_count === bulk.row_count;
      await tx.update(bulk, { ...counts, finished_at: isFinished ? tx.startedAt : null });
    });
  }

  private async send(ctx: Ctx, tx: Tx, { project_id, type_code }: BulkSend, row: BulkSendRow): Promise<Partial<BulkSendRow>> {
    const { key, title, data_values, source_ref, sending } = row;
    if (key !== null) {
      await tx.advanced.mutex(`bulk send ${project_id} ${ctx.mode} ${key}`);
      const [earlier] = await tx.list(BulkSendRow, { project_id, key, status: 'sent' });
      if (earlier) return { status: 'repeated', document_id: earlier.document_id };
    }
    const project = await this.projects.get(ctx, project_id);
    const draft = await this.documents.createIn(ctx, tx, project, {
      type_code,
      title,
      data_values,
      source_ref,
      sending: sending && { ...sending },
    });
    const approved = await this.submission.submitIn(ctx, tx, draft, null);
    const final = await this.transitions.run(ctx, tx, approved, 'finalize');
    const sent = await this.transitions.run(ctx, tx, final, 'send');
    return { status: 'sent', document_id: sent.id };
  }
}

function errorOf({ spec, message, occurrence }: DomainError): RowError {
  return { code: spec.code, param: occurrence.param ?? null, message: message.slice(0, 2_000) };
}
