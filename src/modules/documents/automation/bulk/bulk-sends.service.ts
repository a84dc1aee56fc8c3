import { Injectable } from '@nestjs/common';
import {
  asWritten,
  CommonErrors,
  currentTime,
  DomainError,
  invalid,
  Jobs,
  Members,
  Projects,
  Store,
  validationError,
  type Ctx,
  type ErrorDetail,
} from '../../../../kit/index.js';
import type { Sending } from '../../model/records/document.entity.js';
import { changedSending } from '../../model/rules/sending.js';
import { readSending } from '../../model/types/sending.dto.js';
import { DocumentsService } from '../../workflow/authoring/documents.service.js';
import { RunBulkSend } from './run-bulk-send.job.js';
import type { CreateBulkSendDto } from './bulk-send.dto.js';
import { BulkSend, BulkSendRow } from './bulk-send.entity.js';

/** Accepts bulk sends and shows their progress; a job sends the documents. */
@Injectable()
export class BulkSends {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly documents: DocumentsService,
    private readonly jobs: Jobs,
  ) {}

  async create(ctx: Ctx, body: CreateBulkSendDto): Promise<BulkSend> {
    const { type_code, project_id, rows } = body;
    await this.requireManager(ctx);
    const project = await this.projects.resolve(ctx, project_id);
    const { definition } = await this.documents.publishedType(ctx, project.id, type_code);
    if (definition.signature_parties.length === 0) throw invalid('type_code', 'is a type without signature parties');
    if (definition.requires_approval)
      throw invalid('type_code', 'is a type that requires approval: create and submit its documents, and send them once they are approved');
    requireDifferentKeys(rows.map(({ key }) => key ?? null));
    const sending = sendingOfRows(body, project.timezone, currentTime());
    return this.store.write(ctx, async (tx) => {
      const bulk = await tx.insert(BulkSend, { project_id: project.id, type_code, row_count: rows.length, created_by: ctx.actor });
      for (const [index, { key = null, title, data_values = {}, source_ref = null }] of rows.entries())
        await tx.advanced.pipelined.insert(BulkSendRow, {
          project_id: project.id,
          bulk_send_id: bulk.id,
          row: index + 1,
          key,
          title,
          // the job reads them from the database, which keeps the number alone
          data_values: asWritten(definition.field_schema, data_values),
          source_ref,
          sending: sending[index],
          status: 'pending',
        });
      await this.jobs.add(ctx, tx, RunBulkSend, { bulk_send_id: bulk.id }, { key: bulk.id });
      return bulk;
    });
  }

  get(ctx: Ctx, id: string): Promise<BulkSend> {
    return this.store.get(ctx, BulkSend, id);
  }

  async rows(ctx: Ctx, id: string): Promise<BulkSendRow[]> {
    const rows = await this.store.list(ctx, BulkSendRow, { bulk_send_id: id });
    return rows.sort((one, other) => one.row - other.row);
  }

  /** A key sends on behalf of the member that it is bound to. */
  private async requireManager(ctx: Ctx): Promise<void> {
    const [member] = ctx.memberId === null ? [] : await this.members.byIds(ctx, [ctx.memberId]);
    if (!member?.permissions.includes('papers.document.manage'))
      throw CommonErrors.permissionDenied({ message: 'The member of the key lacks the permission papers.document.manage.' });
  }
}

function requireDifferentKeys(keys: readonly (string | null)[]): void {
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    if (seen.has(key))
      throw CommonErrors.validationFailed({ param: `rows.${index}.key`, message: `rows.${index}.key is the key of an earlier row` });
    seen.add(key);
  }
}

const MOST_FAULTS = 100;

/** How each row is sent. One error reports the faults of all rows. */
function sendingOfRows({ sending, rows }: CreateBulkSendDto, timeZone: string, now: Date): (Sending | null)[] {
  const ofAll = changedSending(null, readSending(sending), timeZone, now);
  const faults: ErrorDetail[] = [];
  const read = rows.map((row, index) => {
    const within = `rows.${index}.`;
    try {
      return changedSending(ofAll, readSending(row.sending, within), timeZone, now, `${within}sending`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { param, details = [{ param: param as string, code: 'invalid_value', message: error.message }] } = error.occurrence;
      faults.push(...details);
      return null;
    }
  });
  if (faults.length > 0) throw validationError(faults.slice(0, MOST_FAULTS));
  return read;
}
